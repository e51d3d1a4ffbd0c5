import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

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
