import { gzipSync } from 'node:zlib';

import { build } from 'vite';
import { expect, it } from 'vitest';

import { buildTarget } from '../../scripts/build-target.ts';

const PAGE = `
  import { createClient } from '/src/messaging/client/client.ts';
  export const client = createClient(() => { throw new Error(); });
`;

const BACKGROUND = `
  import * as v from 'valibot';
  import { defineContract, query } from '/src/messaging/contract.ts';
  import { createServer } from '/src/messaging/server/server.ts';
  import { identifyCaller } from '/src/messaging/server/sender.ts';
  const contract = defineContract({
    'text.echo': query({ callers: ['popup'], input: v.string(), output: v.string() }),
  });
  export const accept = (options) => createServer(contract, { 'text.echo': ({ input }) => input }, options);
  export { identifyCaller };
`;

/** Bytes, gzipped, of all that both sides need for an echo. */
const CEILING = 9_000;

it('costs page and background together at most 9 kB, schema library included', async () => {
  const sizes = [await bundle(PAGE), await bundle(BACKGROUND)].map(
    (code) => gzipSync(code, { level: 9 }).length,
  );

  console.log(`measured: messaging, gzip: page ${sizes[0]} B, background ${sizes[1]} B`);
  expect(sizes.reduce((sum, size) => sum + size)).toBeLessThanOrEqual(CEILING);
});

it('brings no schema library into a page', async () => {
  expect(await bundle(PAGE)).not.toContain('~standard');
  expect(await bundle(BACKGROUND)).toContain('~standard');
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
