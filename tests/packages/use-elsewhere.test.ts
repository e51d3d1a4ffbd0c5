import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';

import project from '../../package.json' with { type: 'json' };
import { coreExports, coreFile } from '../../scripts/package-core.ts';
import { projectFolder } from '../../scripts/project-folder.ts';
import { linkPackages, runInCopy } from '../support/project-copy.ts';
import { createTemporaryFolder, writeFiles } from '../support/temporary-folder.ts';
import { guideBlocks } from '../docs/guide-blocks.ts';

// Commands take some seconds on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

const guide = await readFile(join(projectFolder, 'docs/use-elsewhere.md'), 'utf8');

it('docs/use-elsewhere.md installs the package and the versions of this project', () => {
  expect(guide).toContain(`/dist/packages/${coreFile} valibot@${project.dependencies.valibot}\n`);
});

it('the code of docs/use-elsewhere.md compiles with the modules of the core', async () => {
  const folder = await createTemporaryFolder('elsewhere');
  const paths = Object.fromEntries(
    Object.entries(coreExports).map(([name, path]) => [
      join('extension-core', name),
      [join(projectFolder, 'src', path.replace('.js', '.ts'))],
    ]),
  );
  const config = {
    extends: join(projectFolder, 'tsconfig.json'),
    compilerOptions: { types: [], paths },
    include: ['src'],
  };
  await writeFiles(folder, {
    ...Object.fromEntries(guideBlocks(guide).map(({ path, text }) => [path, text])),
    'src/wxt.d.ts': 'declare function defineBackground(main: () => void): unknown;',
    'tsconfig.json': JSON.stringify(config),
  });
  await linkPackages(folder);

  // Rejects with the compiler's errors.
  expect(await runInCopy(folder, 'typescript/bin/tsc')).toBe('');
});
