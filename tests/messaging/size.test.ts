import { gzipSync } from 'node:zlib';

import { build } from 'vite';
import { expect, it } from 'vitest';

const REFERENCE = 'tests/support/counter-contract.ts';

/**
 * Bytes of a bundle, minified and gzipped, of all that one side of the messaging needs: the core and a contract of six
 * procedures. That the extension's own contract grows with what it does is no matter of the core.
 */
const BUDGETS = [
  ['the page', 4 * 1024, ['src/messaging/create-client.ts', REFERENCE]],
  ['the worker', 5 * 1024, ['src/messaging/serve.ts', 'src/messaging/identify-caller.ts', REFERENCE]],
] as const;

it.each(BUDGETS)('core and schemas cost %s at most %d bytes', async (_side, budget, modules) => {
  const code = await bundle(modules.map((path) => `export * from '/${path}';`).join('\n'));

  const size = gzipSync(code, { level: 9 }).length;

  expect(code).toContain('ready');
  expect(size).toBeLessThanOrEqual(budget);
});

async function bundle(entry: string): Promise<string> {
  const result = await build({
    configFile: false,
    publicDir: false,
    logLevel: 'error',
    plugins: [
      {
        name: 'entry',
        resolveId: (id) => (id === 'entry.ts' ? `${process.cwd()}/entry.ts` : undefined),
        load: (id) =>
          id === `${process.cwd()}/entry.ts` ? entry.replaceAll("'/", `'${process.cwd()}/`) : undefined,
      },
    ],
    build: {
      write: false,
      minify: true,
      modulePreload: false,
      target: ['chrome123', 'firefox140'],
      rolldownOptions: { input: 'entry.ts', preserveEntrySignatures: 'strict' },
    },
  });
  const outputs = [result].flat().flatMap((bundled) => ('output' in bundled ? bundled.output : []));
  return outputs.map((output) => (output.type === 'chunk' ? output.code : '')).join('');
}
