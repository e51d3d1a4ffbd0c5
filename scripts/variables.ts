import { existsSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { parseEnv } from 'node:util';
import { normalizePath, parseSync, type Plugin, Visitor } from 'vite';

import { projectFolder } from './project-folder.ts';

/** Other names in the files are for other tools. */
const PREFIX = 'VITE_';

/**
 * Gives the code the variables of the committed files `.env` and `.env.<part>`, and refuses code that reads another one. The
 * part is `test` in tests, `development` in `npm start`, and `production` in builds. The environment of the machine and
 * `.env.local` have no effect.
 */
export function variables(folder = projectFolder): Plugin {
  let names: readonly string[];
  let known: ReadonlyMap<string, string>;

  const refuse = (place: string, name: string): string =>
    `${place} reads ${name}, which ${names.join(' and ')} do not have. Add it to one of them, and its type to src/env.d.ts.`;

  return {
    name: 'variables',
    // The code still has the lines of its file.
    enforce: 'pre',
    config({ define: given }, { mode }) {
      const isProduction = process.env['NODE_ENV'] === 'production';
      const part = mode === 'test' ? 'test' : isProduction ? 'production' : 'development';
      names = ['.env', `.env.${part}`];
      known = new Map(names.flatMap((name) => Object.entries(readVariables(join(folder, name)))));
      // The build of a content script gives its styles.
      const define: Record<string, unknown> = { 'import.meta.env.STYLES': '""', ...given };
      for (const [name, value] of known) define[`import.meta.env.${name}`] = JSON.stringify(value);
      return {
        // Vite would also read files that are not committed, and the environment. No name contains "=".
        envDir: false,
        envPrefix: 'none=',
        define,
      };
    },
    configResolved({ configFileDependencies }) {
      // A server starts again when one of these changes.
      configFileDependencies.push(...names.map((name) => normalizePath(join(folder, name))));
    },
    transform: {
      filter: {
        id: { include: /\.[cm]?[jt]sx?(?:\?|$)/u, exclude: /\/node_modules\// },
        code: `import.meta.env.${PREFIX}`,
      },
      handler(code, id) {
        const path = id.replace(/\?.*$/u, '');
        const visitor = new Visitor({
          MemberExpression: ({ start, end }) => {
            const name = /^import\.meta\.env\.(VITE_\w+)$/u.exec(code.slice(start, end))?.[1];
            if (name === undefined || known.has(name)) return;
            const line = code.slice(0, start).split('\n').length;
            this.error(refuse(`${normalizePath(relative(folder, path))}:${line}`, name), start);
          },
        });
        visitor.visit(parseSync(path, code).program);
      },
    },
    transformIndexHtml: {
      order: 'pre',
      handler(html, { path }) {
        for (const [, name = ''] of html.matchAll(/%(VITE_\w+)%/gu)) {
          if (!known.has(name)) throw new Error(refuse(path.slice(1), name));
        }
      },
    },
  };
}

function readVariables(file: string): Readonly<Record<string, string>> {
  const all = existsSync(file) ? parseEnv(readFileSync(file, 'utf8')) : {};
  return Object.fromEntries(
    Object.entries(all).flatMap(([name, value = '']) => (name.startsWith(PREFIX) ? [[name, value]] : [])),
  );
}
