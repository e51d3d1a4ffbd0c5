import { gzipSync } from 'node:zlib';

import { build } from 'vite';
import { expect, it } from 'vitest';

import { buildTarget } from '../../scripts/build-target.ts';

const ECHO = `
  import * as v from 'valibot';
  import { defineContract } from '/src/messaging/define-contract.ts';
  import { query } from '/src/messaging/define-procedure.ts';
  export const contract = defineContract({
    'text.echo': query({ callers: ['popup'], input: v.string(), output: v.string() }),
  });
`;

/**
 * Bytes of a bundle, minified and gzipped, of all that one side of the messaging needs to carry an echo: the core, a
 * contract of one procedure and the library behind its schemas. What a larger contract adds is no matter of the core.
 */
const BUDGETS = [
  ['the page', 3_500, ['src/messaging/create-client.ts']],
  ['the worker', 4_450, ['src/messaging/serve.ts', 'src/messaging/identify-caller.ts']],
] as const;

it.each(BUDGETS)('core and schemas cost %s at most %d bytes', async (_side, budget, modules) => {
  const code = await bundle(modules.map((path) => `export * from '/${path}';`).join('\n') + ECHO);

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
      target: buildTarget,
      rolldownOptions: { input: 'entry.ts', preserveEntrySignatures: 'strict' },
    },
  });
  const outputs = [result].flat().flatMap((bundled) => ('output' in bundled ? bundled.output : []));
  return outputs.map((output) => (output.type === 'chunk' ? output.code : '')).join('');
}
