import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { CommandError } from './command.ts';
import { git, readBlobs } from './git.ts';
import { projectFolder } from './project-folder.ts';

/** The contents of files by path, with forward slashes. */
export type SourceFiles = ReadonlyMap<string, Buffer>;

/** Patterns of files that hold secrets by convention, such as `.env.local`. `.gitignore` has them too. */
export const SECRETS = ['.npmrc', '.envrc', '*.local', '*.pem', '*.key', '*.p12', '*.pfx'];

/** Rejects when a file of the source package is not committed, or git cannot tell. */
export async function checkCommitted(folder = projectFolder): Promise<void> {
  const anyway = 'run `npm run package -- --dirty`';
  const list = await git(folder, ['ls-files', '-z']).catch((cause: unknown) => {
    const reason = cause instanceof Error ? cause.message.trim() : String(cause);
    throw new CommandError(
      `Git does not know which files are committed: ${reason}\nTo package them as they are, ${anyway}.`,
      { cause },
    );
  });
  // Git does not report files that only this machine ignores.
  const known = new Set(list.split('\0'));
  const unknown = (await listSource(folder)).filter((path) => !known.has(path));
  const changed = await git(folder, ['status', '--porcelain', '--untracked-files=no', '--', '.']);
  const changes = [changed, ...unknown.map((path) => `?? ${path}\n`)].join('');
  if (changes !== '') {
    const problem = 'The packages would not contain changes that are not committed. Commit them, or';
    throw new CommandError(`${problem} ${anyway}:\n${changes.trimEnd()}`);
  }
}

/** Returns the current commit, or an empty text if there are uncommitted changes or there is no git repository. */
export async function findCommit(folder = projectFolder): Promise<string> {
  return checkCommitted(folder).then(
    async () => (await git(folder, ['rev-parse', '--short=12', 'HEAD'])).trim(),
    () => '',
  );
}

/** Returns the files of the current commit as it has them, whatever the working tree and the settings of git are. */
export async function readCommit(folder = projectFolder): Promise<SourceFiles> {
  const lines = (await git(folder, ['ls-tree', '-r', '-z', 'HEAD'])).split('\0').slice(0, -1);
  const entries = lines.map((line) => {
    const [description = '', path = ''] = line.split('\t', 2);
    const [mode = '', , id = ''] = description.split(' ');
    if (!mode.startsWith('100')) refuse(path, 'it is a link or another repository');
    return [path, id] as const;
  });
  return readBlobs(folder, new Map(entries));
}

/** Returns the files that git does not ignore, committed or not. */
export async function readSource(folder = projectFolder): Promise<SourceFiles> {
  const files = (await listSource(folder)).map(async (path) => [path, await read(folder, path)] as const);
  return new Map(await Promise.all(files));
}

async function read(folder: string, path: string): Promise<Buffer> {
  return readFile(join(folder, path)).catch((error: unknown) => refuse(path, (error as Error).message));
}

function refuse(path: string, reason: string): never {
  throw new CommandError(`The source package cannot contain ${path} (${reason}). Add it to .gitignore.`);
}

/**
 * Returns the paths of all files that git does not ignore, committed or not, without secrets. Git uses an empty repository,
 * so that an unpacked source package has the same list as its repository.
 */
export async function listSource(folder: string): Promise<readonly string[]> {
  const empty = await mkdtemp(join(tmpdir(), 'empty-repository-'));
  try {
    // A template of the person can have settings.
    await git(empty, ['init', '--quiet', '--bare', '--template=']);
    const secrets = SECRETS.map((pattern) => `--exclude=${pattern}`);
    // With `--exclude-standard`, the ignore lists of the person would apply as well.
    const all = ['ls-files', '-z', '--others', '--exclude-per-directory=.gitignore', ...secrets];
    const paths = await git(folder, all, { GIT_DIR: empty, GIT_WORK_TREE: folder });
    // The name of another repository in the folder, such as a worktree, ends with a slash.
    return paths.split('\0').filter((path) => path !== '' && !path.endsWith('/'));
  } finally {
    await rm(empty, { recursive: true, force: true });
  }
}
