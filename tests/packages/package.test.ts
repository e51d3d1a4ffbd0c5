import { appendFile, cp, readFile, rm, symlink, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';

import { git } from '../../scripts/git.ts';
import { writeSource } from '../../scripts/package-project.ts';
import { projectFolder } from '../../scripts/project-folder.ts';
import {
  checkCommitted,
  findCommit,
  listSource,
  readCommit,
  readSource,
  SECRETS,
} from '../../scripts/source-files.ts';
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

  await expect(readSource(folder)).rejects.toThrow(/cannot contain link .*\.gitignore/u);

  await commitAll(folder);
  await expect(readCommit(folder)).rejects.toThrow(/cannot contain link .*\.gitignore/u);
});

it('packaging is refused when git does not list the source', async () => {
  const source = new Map([['package.json', Buffer.from('{}')]]);
  const ignoring = new Map([['.gitignore', Buffer.from('package.json\n')]]);
  const target = await createTemporaryFolder('package');

  await expect(writeSource(target, new Map([...source, ...ignoring]))).rejects.toThrow(/\npackage\.json$/);
  await expect(writeSource(target, ignoring)).rejects.toThrow('Remove it from .gitignore.');
  await writeSource(target, source);
});

it('a package has the files of the commit, with their content, whatever the settings of git are', async () => {
  const files = {
    'a.bin': Buffer.from([0, 10, 255, 13, 10]),
    'b.ts': 'a\n',
    'c/é "d".ts': 'const id = "$Id$";\n',
  };
  const folder = await createFolder({ ...files, 'package.json': '{}' });
  await commitAll(folder);
  await setUpPerson(folder);
  // Git has written this file for the person, and must compare its content with the commit.
  await rm(join(folder, 'b.ts'));
  await git(folder, ['-c', 'core.autocrlf=true', 'checkout', '--', 'b.ts']);
  expect(await readFile(join(folder, 'b.ts'), 'utf8')).toBe('a\r\n');
  await utimes(join(folder, 'b.ts'), 1, 1);

  const source = await readCommit(folder);

  const lines = (await git(folder, ['ls-tree', '-r', '--name-only', 'HEAD'])).trimEnd().split('\n');
  expect(source.size).toBe(lines.length);
  expect(Object.fromEntries(source)).toEqual({
    ...Object.fromEntries(Object.entries(files).map(([path, content]) => [path, Buffer.from(content)])),
    'package.json': Buffer.from('{}'),
  });
  expect(await listSource(folder)).toEqual([...source.keys()]);
  await checkCommitted(folder);
});

it('packaging is refused if git has lost the content of a file', async () => {
  const folder = await createFolder({ 'a.ts': 'a', 'package.json': '{}' });
  await commitAll(folder);
  const id = (await git(folder, ['rev-parse', 'HEAD:a.ts'])).trim();
  await rm(join(folder, '.git/objects', id.slice(0, 2), id.slice(2)));

  await expect(readCommit(folder)).rejects.toThrow(`${id} missing`);
});

it('files that hold secrets are not listed and are ignored by git, and packaging is refused if they are committed', async () => {
  const names = [
    '.npmrc',
    '.env.local',
    '.env.production.local',
    'a/.envrc',
    'a/settings.local',
    'key.pem',
    'a/b.key',
  ];
  const secrets = Object.fromEntries(names.map((name) => [name, 'SECRET=1']));
  // The committed variables of the build are part of the source.
  const source = ['.env', '.env.production', 'package.json'];
  const folder = await createFolder({
    ...secrets,
    ...Object.fromEntries(source.map((path) => [path, '{}'])),
  });

  expect(await listSource(folder)).toEqual(source);
  expect([...(await readSource(folder)).keys()]).toEqual(source);
  expect((await readFile('.gitignore', 'utf8')).split('\n')).toEqual(expect.arrayContaining(SECRETS));

  await commitAll(folder);
  const target = await createTemporaryFolder('package');
  await expect(writeSource(target, await readCommit(folder))).rejects.toThrow(
    /must not contain files that hold secrets[^]*\n\.env\.local\n\.env\.production\.local\n/,
  );
});

/** Gives this process and a repository settings of git that hide, add or change files. */
async function setUpPerson(folder: string): Promise<void> {
  const home = await createFolder({
    '.gitconfig':
      '[core]\n autocrlf = true\n excludesFile = ~/ignore\n attributesFile = ~/attributes\n[init]\n templateDir = ~/template\n',
    ignore: '*.ts\n',
    attributes: '*.ts export-ignore ident text eol=crlf\n',
    'template/info/exclude': '*.ts\n*.bin\n',
    'config/git/ignore': '*.bin\n',
    'config/git/attributes': '*.ts export-ignore\n',
  });
  await writeFiles(folder, {
    '.git/info/exclude': '*.ts\n',
    '.git/info/attributes': '*.ts export-ignore ident\n',
  });
  vi.stubEnv('HOME', home);
  vi.stubEnv('XDG_CONFIG_HOME', join(home, 'config'));
  vi.stubEnv('GIT_TEMPLATE_DIR', join(home, 'template'));
  vi.stubEnv('GIT_CONFIG_GLOBAL', join(home, '.gitconfig'));
  vi.stubEnv('GIT_DIR', home);
  vi.stubEnv('GIT_INDEX_FILE', join(home, 'index'));
  vi.stubEnv('GIT_LITERAL_PATHSPECS', '1');
  onTestFinished(() => void vi.unstubAllEnvs());
}

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
