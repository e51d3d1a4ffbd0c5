import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { isRepository } from './is-repository.ts';
import { runGit } from './run-git.ts';

/**
 * Paths of all files that git does not ignore, committed or not, with forward slashes. Also where there is no repository:
 * the unpacked source package lists the same files as the repository it was made of.
 */
export async function listSource(folder: string): Promise<string[]> {
  if (await isRepository(folder)) return list(folder, {});

  const empty = await mkdtemp(join(tmpdir(), 'empty-repository-'));
  try {
    await runGit(empty, ['init', '--quiet', '--bare']);
    return await list(folder, { GIT_DIR: empty, GIT_WORK_TREE: folder });
  } finally {
    await rm(empty, { recursive: true, force: true });
  }
}

async function list(folder: string, environment: Readonly<Record<string, string>>): Promise<string[]> {
  const ask = async (...which: readonly string[]): Promise<string[]> => {
    // What the person ignores everywhere is for their other projects.
    const listed = await runGit(
      folder,
      ['-c', 'core.excludesFile=', 'ls-files', '-z', ...which],
      environment,
    );
    return listed.split('\0').filter((path) => path !== '');
  };
  const deleted = new Set(await ask('--deleted'));
  const paths = await ask('--cached', '--others', '--exclude-standard');
  return paths.filter((path) => !deleted.has(path));
}
