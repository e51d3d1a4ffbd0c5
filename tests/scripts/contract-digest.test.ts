import { join } from 'node:path';
import { build } from 'vite';
import type { Rolldown } from 'vite';
import { expect, it } from 'vitest';

import { contractDigest } from '../../scripts/contract-digest.ts';
import { projectFolder } from '../../scripts/project-folder.ts';
import { contract } from '../../src/contract/contract.ts';

async function buildContract(): Promise<string> {
  const built = (await build({
    root: projectFolder,
    configFile: false,
    publicDir: false,
    logLevel: 'error',
    plugins: [contractDigest()],
    build: {
      write: false,
      minify: false,
      lib: { entry: join(projectFolder, 'src/contract/contract.ts'), formats: ['es'] },
    },
  })) as Rolldown.RolldownOutput[];
  return built[0]?.output[0].code ?? '';
}

it('leaves the pages what a client asks of the contract, and no schema', async () => {
  const code = await buildContract();

  const module = (await import(`data:text/javascript,${encodeURIComponent(code)}`)) as {
    readonly contract: unknown;
  };
  const asked = Object.entries(contract).map(([name, { kind, effect, maxBytes }]) => [
    name,
    { kind, effect, maxBytes },
  ]);
  expect(module.contract).toEqual(Object.fromEntries(asked));
  expect(code).not.toContain('~standard');
});
