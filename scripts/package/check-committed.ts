import { isRepository } from './is-repository.ts';
import { PackageRefused } from './package-refused.ts';
import { runGit } from './run-git.ts';

const ANYWAY = 'say `npm run package -- --dirty`';

/** Rejects with `PackageRefused` when the folder holds anything that is not committed, or no repository to tell. */
export async function checkCommitted(folder: string): Promise<void> {
  if (!(await isRepository(folder))) {
    throw new PackageRefused(
      'no-repository',
      `${folder} is no git repository, so nothing tells what was changed in it. To package it as it is, ${ANYWAY}.`,
    );
  }
  const changes = await runGit(folder, ['status', '--porcelain', '--untracked-files=all']);
  if (changes !== '') {
    throw new PackageRefused(
      'dirty',
      `What is not committed would be in the packages. Commit it, or ${ANYWAY}:\n${changes.trimEnd()}`,
    );
  }
}
