import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { zipSync } from 'fflate';

import manifest from '../manifest.json' with { type: 'json' };
import project from '../package.json' with { type: 'json' };
import { type BrowserName, browserNames } from './browsers/find-browser.ts';
import { buildExtension } from './build-extension.ts';
import { readBuild } from './check-build.ts';
import { CommandError } from './command.ts';
import { git } from './git.ts';
import { coreFile, packCore } from './package-core.ts';
import { projectFolder } from './project-folder.ts';

/** The folder that `npm run package` writes. */
export const packagesFolder = join(projectFolder, 'dist/packages');

/** Name of the package of this version. */
export function packageFile(kind: BrowserName | 'source'): string {
  return `${project.name}-${manifest.version}-${kind}.zip`;
}

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
    const problem = 'The packages would contain changes that are not committed. Commit them, or';
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

/**
 * Writes a zip for each browser's store, one of the source, the package of the core, and their SHA-256 checksums into
 * `dist/packages`. Returns the checksums.
 */
export async function packageProject(): Promise<string> {
  await rm(packagesFolder, { recursive: true, force: true });
  await mkdir(packagesFolder, { recursive: true });

  let checksums = '';
  const add = async (file: string, bytes: Uint8Array): Promise<void> => {
    await writeFile(join(packagesFolder, file), bytes);
    checksums += `${createHash('sha256').update(bytes).digest('hex')}  ${file}\n`;
  };
  for (const browser of browserNames) {
    await add(packageFile(browser), await packBuild(await buildExtension(browser)));
  }
  await add(packageFile('source'), await packSource());
  await add(coreFile, await packCore());
  await writeFile(join(packagesFolder, 'SHA256SUMS'), checksums);
  return checksums;
}

/** Returns the zip of a build for a store. */
export async function packBuild(folder: string): Promise<Uint8Array> {
  return createZip(await readBuild(folder));
}

/** Returns the zip of all files that git does not ignore. Rejects if the project is not complete without the ignored ones. */
export async function packSource(folder = projectFolder): Promise<Uint8Array> {
  const paths = await listSource(folder);
  if (!paths.includes('package.json')) {
    throw new CommandError(`The source package needs ${folder}/package.json. Remove it from .gitignore.`);
  }
  const files = paths.map(
    async (path) => [path, await readFile(join(folder, path)).catch(refuse(path))] as const,
  );
  return createZip(new Map(await Promise.all(files)));
}

/** Refuses a file that cannot be read, such as a link to a folder. */
function refuse(path: string) {
  return ({ message }: Error): never => {
    throw new CommandError(`The source package cannot contain ${path} (${message}). Add it to .gitignore.`);
  };
}

/** Returns a zip whose bytes depend only on the files, not on the machine or the time. */
function createZip(files: ReadonlyMap<string, Uint8Array>): Uint8Array {
  const sorted = [...files].toSorted(([a], [b]) => (a < b ? -1 : 1));
  // A zip has local times without a time zone. This is the earliest one that it can have.
  return zipSync(Object.fromEntries(sorted), { level: 9, mtime: new Date(1980, 0, 1) });
}

/**
 * Returns the paths of all files that git does not ignore, committed or not. Git uses an empty repository, so that an
 * unpacked source package has the same list as its repository.
 */
export async function listSource(folder: string): Promise<readonly string[]> {
  const empty = await mkdtemp(join(tmpdir(), 'empty-repository-'));
  try {
    await git(empty, ['init', '--quiet', '--bare']);
    // Does not use the person's global ignore list, because it differs between machines.
    const all = ['-c', 'core.excludesFile=', 'ls-files', '-z', '--others', '--exclude-standard'];
    const paths = await git(folder, all, { GIT_DIR: empty, GIT_WORK_TREE: folder });
    // The name of another repository in the folder, such as a worktree, ends with a slash.
    return paths.split('\0').filter((path) => path !== '' && !path.endsWith('/'));
  } finally {
    await rm(empty, { recursive: true, force: true });
  }
}
