import type { Files } from '../support/temporary-folder.ts';

/** The values that `all` of `src/features/planted/all.ts` has, each by another setting. */
export const provided = ['from-alias', 'from-define', 'from-plugin', 'from-env', 'from-svg'] as const;

const PLUGIN = `
const planted = {
  name: 'planted',
  enforce: 'pre' as const,
  resolveId: (id: string) => (id === 'virtual:planted' ? id : undefined),
  load(id: string) {
    if (id === 'virtual:planted') return "export const virtual = 'from-plugin';";
    if (!id.endsWith('.svg?react')) return undefined;
    return "import { jsx } from 'react/jsx-runtime'; export default () => jsx('svg', { id: 'from-svg' });";
  },
};
`;
const TEST = `
  import { it } from 'vitest';
  import { all } from '@/features/planted/all.ts';
  it(all(), () => {});
`;

/** Additions of an author to the project: settings of each kind, a module and styles that need them, and tests of the module. */
export const authorSettings: Files = {
  'vite.config.ts': (text) =>
    text
      .replace('    variables(),', '    variables(),\n    planted,')
      .replace('  tsconfig:', `  define: { PLANTED: '"from-define"' },\n  tsconfig:`) + PLUGIN,
  '.env': 'VITE_PLANTED=from-env\n',
  'src/features/planted/greeting.ts': "export const greeting = 'from-alias';\n",
  'src/features/planted/icon.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>',
  'src/features/planted/all.ts': `
    import { greeting } from '@/features/planted/greeting.ts';
    import Icon from '@/features/planted/icon.svg?react';
    import { virtual } from 'virtual:planted';
    export const all = () => [greeting, PLANTED, virtual, import.meta.env.VITE_PLANTED, Icon().props.id].join();
  `,
  'src/features/planted/first.css': '.first { --color: a }',
  'src/features/planted/panel.css': "@import '@/features/planted/first.css';\n.panel { --color: b }",
  'src/features/planted/panel.module.css': '.part { --color: c }',
  'tests/planted.test.ts': TEST,
  'tests/browser/planted.test.ts': TEST,
  // The tests are only listed, which needs no browser.
  'vitest.config.ts': (text) =>
    text.replaceAll(/ +(?:globalSetup|setupFiles): 'tests\/support\/\w+-browser.ts',\n/gu, ''),
  'serve.ts': `
    import { createServer } from 'vite';
    const server = { middlewareMode: true, ws: false, watch: null } as const;
    const optimizeDeps = { noDiscovery: true };
    const served = await createServer({ mode: 'chromium', logLevel: 'error', cacheDir: '.cache', server, optimizeDeps });
    const paths = ['all.ts', 'greeting.ts', 'icon.svg?react', 'panel.css'].map((name) => '/src/features/planted/' + name);
    for (const path of ['/@vite/env', 'virtual:planted', ...paths])
      console.log((await served.transformRequest(path))?.code);
    await served.close();
  `,
};
