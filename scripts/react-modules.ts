import type { Plugin } from 'vite';

/** What the packages are entered by, and the files that those choose in production. */
const ENTRIES = /\/node_modules\/(?:react|react-dom|scheduler)\/(?:index|client|jsx-runtime)\.js$/u;
const CHOSEN = /\/cjs\/(?:react|react-jsx-runtime|react-dom|react-dom-client|scheduler)\.production\.js$/u;

const CHOICE = /module\.exports = require\('(\.\/cjs\/[\w-]+\.production\.js)'\)/u;
const REQUIRES = /^var (?:\s*\w+ = require\("[\w/-]+"\)[,;])+$/mu;
const REQUIRE = /(\w+) = require\("([\w/-]+)"\)/gu;

/**
 * Makes ES modules of what React's packages have in production, which come as CommonJS alone. Of a module the bundler
 * leaves out what nobody asks for, and CommonJS that is asked for by CommonJS it keeps whole: some 3 kB of a page.
 */
export function reactModules(): Plugin {
  return {
    name: 'react-modules',
    enforce: 'pre',
    apply: 'build',
    applyToEnvironment: ({ config }) => config.isProduction,
    transform: {
      filter: { id: [ENTRIES, CHOSEN] },
      handler: (code, id) => ({ code: ENTRIES.test(id) ? enter(code, id) : toModule(code, id), map: null }),
    },
    // React asks its scheduler for what that has in its tests only.
    onLog: (_, { code, id = '' }) => (code === 'IMPORT_IS_UNDEFINED' && CHOSEN.test(id) ? false : undefined),
  };
}

function enter(code: string, id: string): string {
  const file = CHOICE.exec(code)?.[1];
  if (file === undefined) throw unknown(id);
  return `export * from '${file}';\nexport { default } from '${file}';\n`;
}

/** The ES module that exports what this CommonJS file does, and all of it as its default. */
export function toModule(code: string, id: string): string {
  const names = [...new Set([...code.matchAll(/\bexports\.(\w+)/gu)].map(([, name = '']) => name))];
  const module = code
    .replace(REQUIRES, (declaration) =>
      declaration
        .replace(/^var /u, '')
        .replaceAll(REQUIRE, "import * as $1 from '$2'")
        .replaceAll(/[,;]$/gmu, ';'),
    )
    .replaceAll(/^exports\.(\w+) =/gmu, 'var export_$1 =')
    .replaceAll(/\bexports\.(\w+)/gu, 'export_$1');

  if (names.length === 0 || /\b(?:require\(|exports\b)/u.test(module)) throw unknown(id);
  return `${module}
export { ${names.map((name) => `export_${name} as ${name}`).join(', ')} };
export default { ${names.map((name) => `${name}: export_${name}`).join(', ')} };
`;
}

function unknown(id: string): Error {
  return new Error(
    `${id} is not written as scripts/react-modules.ts expects. Adapt that, or leave the plugin out.`,
  );
}
