import { gzipSync } from 'node:zlib';

import { build } from 'vite';
import { expect, it } from 'vitest';

/** Bytes of a bundle, minified and gzipped, of all that one side of the messaging needs: the core and the contract. */
const BUDGETS = [
  ['the page', 4 * 1024, ['messaging/create-client.ts', 'contract/contract.ts']],
  ['the worker', 5 * 1024, ['messaging/serve.ts', 'messaging/identify-caller.ts', 'contract/contract.ts']],
] as const;

it.each(BUDGETS)('core and schemas cost %s at most %d bytes', async (_side, budget, modules) => {
  const code = await bundle(modules.map((path) => `export * from '/src/${path}';`).join('\n'));

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
          id === `${process.cwd()}/entry.ts` ? entry.replaceAll("'/src", `'${process.cwd()}/src`) : undefined,
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
