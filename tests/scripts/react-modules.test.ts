import { createRequire } from 'node:module';
import { join } from 'node:path';
import { build } from 'vite';
import type { Rolldown } from 'vite';
import { beforeAll, describe, expect, it, vi } from 'vitest';

import { projectFolder } from '../../scripts/project-folder.ts';
import { reactModules, toModule } from '../../scripts/react-modules.ts';

/** Not a file: its source is given to each build. */
const ENTRY = join(projectFolder, 'entry.js');

async function bundle(source: string): Promise<string> {
  const built = (await build({
    root: projectFolder,
    configFile: false,
    publicDir: false,
    logLevel: 'error',
    plugins: [
      reactModules(),
      {
        name: 'entry',
        enforce: 'pre',
        resolveId: (id) => (id === ENTRY ? id : undefined),
        load: (id) => (id === ENTRY ? source : undefined),
      },
    ],
    build: { write: false, minify: false, lib: { entry: ENTRY, formats: ['es'] } },
  })) as Rolldown.RolldownOutput[];
  return built[0]?.output[0].code ?? '';
}

describe("React's files as modules", () => {
  beforeAll(() => {
    vi.stubEnv('NODE_ENV', 'production');
    return () => vi.unstubAllEnvs();
  });

  it.each(['react', 'react/jsx-runtime', 'react-dom', 'react-dom/client'])(
    'export what %s does, and all of it as their default',
    async (name) => {
      const code = await bundle(
        `import * as names from '${name}'; import whole from '${name}'; export { names, whole };`,
      );
      const { names, whole } = (await import(`data:text/javascript,${encodeURIComponent(code)}`)) as {
        readonly names: object;
        readonly whole: object;
      };

      const exported = Object.keys(createRequire(import.meta.url)(name) as object).toSorted();
      expect(Object.keys(whole).toSorted()).toEqual(exported);
      expect(Object.keys(names).toSorted()).toEqual([...exported, 'default'].toSorted());
    },
  );

  it('leave out what nobody asks for', async () => {
    const code = await bundle(
      "import { useState } from 'react'; import 'react-dom/client'; export { useState };",
    );

    expect(code).toContain('export_useState');
    expect(code).not.toMatch(/cloneElement|createPortal/u);
  });

  it('share one React with each other', async () => {
    const code = await bundle(
      "export { Component } from 'react'; export { jsx } from 'react/jsx-runtime'; export { createRoot } from 'react-dom/client';",
    );

    expect(code.match(/isReactComponent = \{\}/gu)).toHaveLength(1);
  });

  it("are used by the packages' other files, which stay what they are", async () => {
    const code = await bundle(
      "export { useState } from 'react'; export { c } from 'react/compiler-runtime';",
    );

    expect(code.match(/isReactComponent = \{\}/gu)).toHaveLength(1);
  });

  it('are not made of what is written in another way', () => {
    expect(() => toModule('module.exports = {};', 'a.js')).toThrow('a.js is not written');
    expect(() => toModule('exports.a = 1;\nfor (const key in b) exports[key] = b[key];', 'b.js')).toThrow(
      'b.js',
    );
    expect(() => toModule('exports.a = 1;\nconst b = () => require("b");', 'c.js')).toThrow('c.js');
  });
});
