import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'vite';
import { expect, it } from 'vitest';

import { buildTarget } from '../../scripts/build-target.ts';
import { createTemporaryFolder } from '../support/temporary-folder.ts';

const PAGE = `
  import { createClient } from '${process.cwd()}/src/messaging/client/client.ts';
  export const client = createClient(() => { throw new Error(); });
`;

const BACKGROUND = `
  import * as v from '${fileURLToPath(import.meta.resolve('valibot'))}';
  import { defineFeature } from '${process.cwd()}/src/messaging/feature.ts';
  import { proceduresFor } from '${process.cwd()}/src/messaging/procedures.ts';
  import { defineCallers, identifyCaller, page } from '${process.cwd()}/src/messaging/callers.ts';
  import { createBackground } from '${process.cwd()}/src/messaging/server/background.ts';
  const callers = defineCallers({ popup: page('popup.html') });
  const { query } = proceduresFor(callers);
  const echo = query({
    callers: ['popup'],
    input: v.string(),
    output: v.string(),
    handle: ({ input }) => input,
  });
  const features = [defineFeature({ procedures: { 'text.echo': echo } })];
  export const start = (options, identity) =>
    createBackground(features, {
      ...options,
      identify: (sender) => identifyCaller(callers, sender, identity),
    });
`;

/** Largest size of both sides together, in bytes after gzip. */
const CEILING = 25_000;

it('the code of page and background for an echo stays below a limit, and the page has no schema library', async () => {
  const [page, background] = [await bundle(PAGE), await bundle(BACKGROUND)];
  const sizes = [page, background].map((code) => gzipSync(code, { level: 9 }).length);

  console.log(`measured: messaging, gzip: page ${sizes[0]} B, background ${sizes[1]} B`);
  expect(sizes.reduce((sum, size) => sum + size)).toBeLessThanOrEqual(CEILING);
  expect(page).not.toContain('~standard');
  expect(background).toContain('~standard');
});

async function bundle(code: string): Promise<string> {
  const input = join(await createTemporaryFolder('size'), 'entry.ts');
  await writeFile(input, code);
  const result = await build({
    configFile: false,
    publicDir: false,
    logLevel: 'error',
    build: {
      write: false,
      modulePreload: false,
      target: buildTarget,
      rolldownOptions: { input, preserveEntrySignatures: 'strict' },
    },
  });
  const outputs = [result].flat().flatMap((bundled) => ('output' in bundled ? bundled.output : []));
  return outputs.map((output) => (output.type === 'chunk' ? output.code : '')).join('');
}
