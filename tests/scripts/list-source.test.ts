import { mkdir, realpath, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { expect, it } from 'vitest';

import { listSource, git } from '../../scripts/package-project.ts';
import { createTemporaryFolder } from '../support/create-temporary-folder.ts';

it('lists what git does not ignore, added or not, and not what was deleted', async () => {
  const folder = await createSource();
  await git(folder, ['init', '--quiet']);
  await writeFile(join(folder, 'deleted.ts'), '');
  await git(folder, ['add', '--all']);
  await rm(join(folder, 'deleted.ts'));
  await writeFile(join(folder, 'b.ts'), '');

  expect((await listSource(folder)).toSorted()).toEqual(['.gitignore', 'b.ts', 'src/ä a.ts']);
});

it('lists the same where there is no repository, and where there is one further up only', async () => {
  const folder = await createSource();
  const nested = await createSource();
  await git(join(nested, '..'), ['init', '--quiet']);

  expect((await listSource(folder)).toSorted()).toEqual(['.gitignore', 'src/ä a.ts']);
  expect((await listSource(nested)).toSorted()).toEqual(['.gitignore', 'src/ä a.ts']);
});

async function createSource(): Promise<string> {
  const parent = await realpath(await createTemporaryFolder('source'));
  const folder = join(parent, 'project');
  await mkdir(join(folder, 'src'), { recursive: true });
  await mkdir(join(folder, 'dist'));
  await writeFile(join(folder, '.gitignore'), 'dist/\n');
  await writeFile(join(folder, 'dist/built.js'), '');
  await writeFile(join(folder, 'src/ä a.ts'), '');
  return folder;
}
