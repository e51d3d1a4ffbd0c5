import { mkdir, realpath, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';

import { git, listSource } from '../../scripts/package-project.ts';
import { createTemporaryFolder } from '../support/temporary-folder.ts';

it('the source package lists what git does not ignore: without a repository, below one, and added to one or not', async () => {
  const parent = await realpath(await createTemporaryFolder('source'));
  const folder = join(parent, 'project');
  const list = async (): Promise<string[]> => (await listSource(folder)).toSorted();
  await mkdir(join(folder, 'src'), { recursive: true });
  await writeFile(join(folder, '.gitignore'), 'built.js\n');
  for (const path of ['built.js', 'src/ä a.ts']) await writeFile(join(folder, path), '');

  const without = await list();
  await git(parent, ['init', '--quiet']);
  const below = await list();
  await git(folder, ['init', '--quiet']);
  await writeFile(join(folder, 'deleted.ts'), '');
  await git(folder, ['add', '--all']);
  await rm(join(folder, 'deleted.ts'));
  await writeFile(join(folder, 'b.ts'), '');
  const within = await list();

  expect([without, below]).toEqual(Array.from({ length: 2 }, () => ['.gitignore', 'src/ä a.ts']));
  expect(within).toEqual(['.gitignore', 'b.ts', 'src/ä a.ts']);
});
