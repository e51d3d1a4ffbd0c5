import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/**
 * Runs the script of a background over a browser whose functions do nothing. Returns the error that its first turn throws, or
 * `undefined`. A browser does not start a background that throws.
 *
 * The script runs in a process of its own, because it may open channels that keep a process alive, or throw later.
 */
export function findFirstError(
  script: string,
  path: string,
  manifest: { readonly background: { readonly service_worker?: string | undefined } },
): string | undefined {
  const input = JSON.stringify({ script, path, manifest });
  const loader = pathToFileURL(join(import.meta.dirname, 'typescript.mjs'));
  const argv = ['--import', loader.href, join(import.meta.dirname, 'run-first-turn.ts')];
  const { status, stdout, stderr } = spawnSync(process.execPath, argv, { input, encoding: 'utf8' });
  if (status !== 0) throw new Error(`The first turn of ${path} could not be run: ${stderr}`);
  return stdout === '' ? undefined : stdout;
}
