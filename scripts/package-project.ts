import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cp, mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { zipSync } from 'fflate';

import manifest from '../manifest.json' with { type: 'json' };
import project from '../package.json' with { type: 'json' };
import { type BrowserName, browserNames } from './browsers/find-browser.ts';
import { readBuild } from './check-build.ts';
import { CommandError } from './command.ts';
import { coreFile, packCore } from './package-core.ts';
import { projectFolder } from './project-folder.ts';
import { listSource, type SourceFiles } from './source-files.ts';

/** The folder that `npm run package` writes. */
export const packagesFolder = join(projectFolder, 'dist/packages');

/** Name of the package of this version. */
export function packageFile(kind: BrowserName | 'source'): string {
  return `${project.name}-${manifest.version}-${kind}.zip`;
}

/**
 * Writes a zip for each browser's store, one of the source, the package of the core, and their SHA-256 checksums into
 * `dist/packages`, and the builds into `dist`. Returns the checksums. All of it depends only on the source and on the
 * installed packages, because it is built in a folder of the project that has nothing else. Node finds the packages above it.
 */
export async function packageProject(source: SourceFiles): Promise<string> {
  const folder = join(projectFolder, '.cache/package');
  try {
    await writeSource(folder, source);
    await build(folder);
    await rm(packagesFolder, { recursive: true, force: true });
    await mkdir(packagesFolder, { recursive: true });
    for (const built of [...browserNames, 'core']) {
      await rm(join(projectFolder, 'dist', built), { recursive: true, force: true });
      await cp(join(folder, 'dist', built), join(projectFolder, 'dist', built), { recursive: true });
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }

  let checksums = '';
  const add = async (file: string, bytes: Uint8Array): Promise<void> => {
    await writeFile(join(packagesFolder, file), bytes);
    checksums += `${createHash('sha256').update(bytes).digest('hex')}  ${file}\n`;
  };
  for (const browser of browserNames) {
    await add(packageFile(browser), await packBuild(join(projectFolder, 'dist', browser)));
  }
  await add(packageFile('source'), createZip(source));
  await add(coreFile, await packCore(join(projectFolder, 'dist/core')));
  await writeFile(join(packagesFolder, 'SHA256SUMS'), checksums);
  return checksums;
}

/** Writes the source into an empty folder. Rejects if somebody who unpacks the source package would package other files. */
export async function writeSource(folder: string, source: SourceFiles): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  for (const [path, bytes] of source) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), bytes);
  }
  const listed = new Set(await listSource(folder));
  const others = [...source.keys()].filter((path) => !listed.has(path));
  if (others.length > 0) {
    throw new CommandError(
      `The source package must not contain files that hold secrets or that .gitignore names. Remove them from the ` +
        `commit, or change .gitignore and SECRETS in scripts/source-files.ts:\n${others.join('\n')}`,
    );
  }
  if (!listed.has('package.json')) {
    throw new CommandError(`The source package needs package.json. Remove it from .gitignore.`);
  }
}

/** The only variables that reach a build, to find programs and the folder for temporary files. */
const VARIABLES = ['PATH', 'SystemRoot', 'TEMP', 'TMP', 'TMPDIR'];

async function build(folder: string): Promise<void> {
  const env = Object.fromEntries(VARIABLES.map((name) => [name, process.env[name]]));
  const args = ['--import', './scripts/typescript.mjs', 'scripts/package-build.ts'];
  const { stderr } = await promisify(execFile)(process.execPath, args, { cwd: folder, env }).catch(
    (error: unknown) => {
      const { stdout, stderr: printed } = error as { readonly stdout: string; readonly stderr: string };
      throw new CommandError(`The packages cannot be built:\n${stdout}${printed}`);
    },
  );
  process.stderr.write(stderr);
}

/** Returns the zip of a build for a store. */
export async function packBuild(folder: string): Promise<Uint8Array> {
  return createZip(await readBuild(folder));
}

/** Returns a zip whose bytes depend only on the files, not on the machine or the time. */
function createZip(files: ReadonlyMap<string, Uint8Array>): Uint8Array {
  const sorted = [...files].toSorted(([a], [b]) => (a < b ? -1 : 1));
  // A zip has local times without a time zone. This is the earliest one that it can have.
  return zipSync(Object.fromEntries(sorted), { level: 9, mtime: new Date(1980, 0, 1) });
}
