import { execFile, spawn } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { fromMarkdown } from 'mdast-util-from-markdown';

import { packageFile, packagesFolder } from '../../scripts/package-project.ts';
import { projectFolder } from '../../scripts/project-folder.ts';
import { unpackZip } from './temporary-folder.ts';

/** What the checks, the unit tests and a build need. */
const PARTS = [
  '.oxfmtrc.json',
  '.oxlintrc.json',
  'knip.json',
  'manifest.json',
  'package.json',
  'tsconfig.json',
  'vite.config.ts',
  'vitest.config.ts',
  'SPEC_GAPS.md',
  'scripts',
  'src',
  'tests',
];

/** Copies the project as it is now, with the same installed packages. Gives its folder. */
export async function copyProject(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'project-'));
  await Promise.all(
    PARTS.map((part) => cp(join(projectFolder, part), join(folder, part), { recursive: true })),
  );
  await symlink(join(projectFolder, 'node_modules'), join(folder, 'node_modules'), 'junction');
  return folder;
}

/** A copy of the project with the example of `docs/adding-behaviour.md` in it, put there block by block. */
export async function copyWithExample(): Promise<string> {
  const folder = await copyProject();
  const guide = await readFile(join(projectFolder, 'docs/adding-behaviour.md'), 'utf8');
  for (const block of guideBlocks(guide)) await applyGuideBlock(folder, block);
  return folder;
}

/** Puts a block into a copy of the project. Rejects when the file or the place that it names is not there, or not the only one. */
async function applyGuideBlock(folder: string, { path, kind, text }: GuideBlock): Promise<void> {
  const file = join(folder, path);
  if (kind === 'file') {
    // Only a new one.
    await writeFile(file, `${text}\n`, { flag: 'wx' });
    return;
  }

  const source = await readFile(file, 'utf8');
  const before = linesOf(text, '-');
  const [head, tail, ...more] = source.split(before);
  if (head === undefined || tail === undefined || more.length > 0) {
    throw new Error(`${path} has ${tail === undefined ? 'no' : 'more than one'} place with\n${before}`);
  }
  await writeFile(file, head + linesOf(text, '+') + tail);
}

/** The lines of a change that are in the file before (`-`) or after it (`+`). */
function linesOf(change: string, mark: '-' | '+'): string {
  return change
    .split('\n')
    .filter((line) => line === '' || line.startsWith(' ') || line.startsWith(mark))
    .map((line) => line.slice(1))
    .join('\n');
}

/** A block of code in a guide that says, behind its language, which file it goes into. */
export interface GuideBlock {
  /** From the top of the project. */
  readonly path: string;
  /** Lines to add to a file and to take out of it, or the whole of a new file. */
  readonly kind: 'change' | 'file';
  readonly text: string;
}

/** The blocks of a guide that have a file to go into, in their order. */
export function guideBlocks(markdown: string): readonly GuideBlock[] {
  return fromMarkdown(markdown).children.flatMap((node) =>
    node.type === 'code' && node.meta
      ? [{ path: node.meta, kind: node.lang === 'diff' ? 'change' : 'file', text: node.value }]
      : [],
  );
}

/** Runs a script of an installed package in a copy of the project. Gives what it printed; rejects with that when it fails. */
export function runInCopy(folder: string, script: string, ...args: readonly string[]): Promise<string> {
  const command = [join(projectFolder, 'node_modules', script), ...args];
  // What is built is built as it is outside of tests.
  const { NODE_ENV: _, VITEST: __, ...env } = process.env;
  const options = { cwd: folder, env: { ...env, NO_COLOR: '1' } };
  return new Promise((resolve, reject) => {
    execFile(process.execPath, command, options, (error, stdout, stderr) => {
      if (error === null) resolve(stdout + stderr);
      else reject(new Error(`${script} failed:\n${stdout}${stderr}`));
    });
  });
}

/**
 * Unpacks the source package into a new folder of this name, and gives it what `npm ci` installed here: as links, or
 * as copies, which takes half a minute and leaves nothing in the old place.
 */
export async function unpackSource(
  name: string,
  { packages }: { readonly packages: 'linked' | 'copied' } = { packages: 'linked' },
): Promise<string> {
  const folder = await unpackZip(await readFile(join(packagesFolder, packageFile('source'))), name);
  const installed = join(projectFolder, 'node_modules');
  // A folder, as .gitignore has it: a link would be a file of the source.
  await mkdir(join(folder, 'node_modules'));
  for (const entry of await readdir(installed)) {
    const [from, to] = [join(installed, entry), join(folder, 'node_modules', entry)];
    if (packages === 'copied') await cp(from, to, { recursive: true, verbatimSymlinks: true });
    else await symlink(from, to, 'junction');
  }
  return folder;
}

interface PackageRun {
  /** Of what `npm run package` is given after `--`. */
  readonly args?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly umask?: number;
  /** Executable of Node. */
  readonly node?: string;
}

interface PackageOutcome {
  readonly exitCode: number | null;
  /** Standard output and standard error. */
  readonly output: string;
}

/** What `npm run package` does, in another copy of the project and under other circumstances. */
export async function runPackage(
  folder: string,
  { args = [], environment = {}, umask = 0o022, node = process.execPath }: PackageRun = {},
): Promise<PackageOutcome> {
  const script = `process.umask(${umask}); await import('./scripts/package.ts');`;
  const child = spawn(node, ['--import', 'tsx', '--input-type=module', '--eval', script, '--', ...args], {
    cwd: folder,
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  const collect = (chunk: Buffer): void => {
    output += chunk.toString();
  };
  child.stdout.on('data', collect);
  child.stderr.on('data', collect);

  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (exitCode) => resolve({ exitCode, output }));
  });
}

/** The checksums that a run left, or those of `npm run package` in this copy of the project. */
export function readChecksums(folder: string): Promise<string> {
  return readFile(join(folder, 'dist/packages/SHA256SUMS'), 'utf8');
}

const execute = promisify(execFile);

/** Installs this version of Node into `.cache`, as the npm package that holds its executable. Gives the path of that. */
export async function installNode(version: string): Promise<string> {
  const name = `node-${process.platform}-${process.arch}`;
  const folder = join(projectFolder, '.cache/node', version);
  await mkdir(folder, { recursive: true });
  await execute('npm', [
    'install',
    '--prefix',
    folder,
    '--no-save',
    '--ignore-scripts',
    `${name}@${version}`,
  ]);
  return join(folder, 'node_modules', name, 'bin/node');
}
