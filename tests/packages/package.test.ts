import { appendFile, cp, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';

import { git } from '../../scripts/git.ts';
import { checkCommitted, findCommit, listSource, packSource } from '../../scripts/package-project.ts';
import { projectFolder } from '../../scripts/project-folder.ts';
import { createTemporaryFolder, type Files, writeFiles } from '../support/temporary-folder.ts';

it('packaging is refused with uncommitted changes, and without a git repository', async () => {
  const folder = await createFolder({ 'a.ts': '' });
  await expect(checkCommitted(folder)).rejects.toThrow(/not a git repository[^]*--dirty/);

  await commitAll(folder);
  await checkCommitted(folder);

  await writeFiles(folder, { 'a.ts': '\n', 'b.ts': '' });
  await expect(checkCommitted(folder)).rejects.toThrow(/ M a\.ts\n\?\? b\.ts$/);
});

it('packaging is refused with a file that is ignored on this machine alone', async () => {
  const folder = await createFolder({ 'a.ts': '' });
  await commitAll(folder);
  await appendFile(join(folder, '.git/info/exclude'), 'secrets.env\n');
  await writeFiles(folder, { 'secrets.env': 'secret' });

  await expect(checkCommitted(folder)).rejects.toThrow(/\?\? secrets\.env$/);
});

it('a folder within a repository can be packaged whatever the state of the other folders is', async () => {
  const repository = await createFolder({ 'packages/extension/a.ts': '' });
  const folder = join(repository, 'packages/extension');
  await commitAll(repository);
  await writeFiles(repository, { 'b.ts': '' });

  await checkCommitted(folder);

  await writeFiles(folder, { 'b.ts': '' });
  await expect(checkCommitted(folder)).rejects.toThrow(/\?\? b\.ts$/);
});

it('git works on the folder that it is given, also within a hook of another repository', async () => {
  const [theirs, ours] = [await createFolder({ 'a.ts': '' }), await createFolder({ 'package.json': '{}' })];
  await commitAll(theirs);
  const before = await git(theirs, ['rev-parse', 'HEAD']);
  vi.stubEnv('GIT_DIR', join(theirs, '.git'));
  vi.stubEnv('GIT_INDEX_FILE', join(theirs, '.git/index'));
  onTestFinished(() => void vi.unstubAllEnvs());

  await commitAll(ours);

  expect(await git(theirs, ['rev-parse', 'HEAD'])).toBe(before);
  expect(await git(theirs, ['status', '--porcelain'])).toBe('');
  expect(await listSource(ours)).toEqual(['package.json']);
});

it('a linked node_modules is not a part of the source', async () => {
  const folder = await createFolder({});
  await cp(join(projectFolder, '.gitignore'), join(folder, '.gitignore'));
  await symlink(join(projectFolder, 'node_modules'), join(folder, 'node_modules'), 'junction');

  await commitAll(folder);

  expect(await listSource(folder)).toEqual(['.gitignore']);
  expect(await findCommit(folder)).not.toBe('');
});

it('another repository in the folder, such as a worktree, is not a part of the source', async () => {
  const folder = await createFolder({ 'package.json': '{}', 'worktree/a.ts': '' });
  await commitAll(join(folder, 'worktree'));

  expect(await listSource(folder)).toEqual(['package.json']);
});

it('packaging is refused with a link to a folder, which is named', async () => {
  const folder = await createFolder({ 'package.json': '{}' });
  await symlink(projectFolder, join(folder, 'link'), 'junction');

  await expect(packSource(folder)).rejects.toThrow(/cannot contain link .*\.gitignore/u);
});

it('packaging is refused when git does not list the source', async () => {
  const folder = await createFolder({ 'package.json': '{}', '.gitignore': '*\n' });

  await expect(packSource(folder)).rejects.toThrow('Remove it from .gitignore.');
});

async function createFolder(files: Files): Promise<string> {
  const folder = await createTemporaryFolder('source');
  await writeFiles(folder, files);
  return folder;
}

async function commitAll(folder: string): Promise<void> {
  const identity = ['-c', 'user.name=Test', '-c', 'user.email=test@example.invalid'];
  await git(folder, ['init', '--quiet']);
  await git(folder, ['add', '--all']);
  await git(folder, [...identity, 'commit', '--quiet', '--message', 'source: as it is']);
}
