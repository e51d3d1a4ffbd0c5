import { execFile, spawn } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, symlink } from 'node:fs/promises';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join, resolve as resolvePath } from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';

import { listSource, packageFile, packagesFolder } from '../../scripts/package-project.ts';
import { projectFolder } from '../../scripts/project-folder.ts';
import { unpackZip } from './temporary-folder.ts';

/**
 * Runs a script of an installed package, or the script with an absolute path, in a copy of the project or in another folder.
 * Returns its output. Rejects with it if the script fails.
 */
export async function runInCopy(folder: string, script: string, ...args: readonly string[]): Promise<string> {
  const command = [resolvePath(projectFolder, 'node_modules', script), ...args];
  // Without these variables, a build or a test run is the same as outside of a test.
  const { NODE_ENV: _, VITEST: __, FAILED_PARTS: ___, ...env } = process.env;
  const options = { cwd: folder, env: { ...env, NO_COLOR: '1' } };
  return new Promise((resolve, reject) => {
    execFile(process.execPath, command, options, (error, stdout, stderr) => {
      if (error === null) resolve(stdout + stderr);
      else reject(new Error(`${script} failed:\n${stdout}${stderr}`));
    });
  });
}

/** Copies the project with its uncommitted changes, and links the installed packages. Returns the folder of the copy. */
export async function copyProject(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'project-'));
  const paths = await listSource(projectFolder);
  await Promise.all(paths.map((path) => cp(join(projectFolder, path), join(folder, path))));
  await symlink(join(projectFolder, 'node_modules'), join(folder, 'node_modules'), 'junction');
  return folder;
}

/** Unpacks the source package into a new folder of this name, and links the packages that are installed here. */
export async function unpackSource(name: string): Promise<string> {
  const folder = await unpackZip(await readFile(join(packagesFolder, packageFile('source'))), name);
  await symlink(join(projectFolder, 'node_modules'), join(folder, 'node_modules'), 'junction');
  return folder;
}

interface PackageRun {
  /** Arguments of `npm run package` after `--`. */
  readonly args?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly umask?: number;
  /** Executable of Node. */
  readonly node?: string;
}

/** Runs `npm run package` in another copy of the project and in another environment. `output` is everything that it printed. */
export async function runPackage(
  folder: string,
  { args = [], environment = {}, umask = 0o022, node = process.execPath }: PackageRun = {},
) {
  const script = `process.umask(${umask}); await import('./scripts/package.ts');`;
  const command = ['--import', 'tsx', '--input-type=module', '--eval', script, '--', ...args];
  const child = spawn(node, command, { cwd: folder, env: { ...process.env, ...environment } });
  const [stdout, stderr, [exitCode]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close') as Promise<[number | null]>,
  ]);
  return { exitCode, output: stdout + stderr };
}

/** Reads the checksums that `npm run package` has written in a copy of the project. */
export function readChecksums(folder: string): Promise<string> {
  return readFile(join(folder, 'dist/packages/SHA256SUMS'), 'utf8');
}

/** Installs this version of Node into `.cache`, from its package on npm. Returns the path of the executable. */
export async function installNode(version: string): Promise<string> {
  const name = `node-${process.platform}-${process.arch}`;
  const folder = join(projectFolder, '.cache/node', version);
  await mkdir(folder, { recursive: true });
  const options = ['--prefix', folder, '--no-save', '--ignore-scripts'];
  await promisify(execFile)('npm', ['install', ...options, `${name}@${version}`]);
  return join(folder, 'node_modules', name, 'bin/node');
}
