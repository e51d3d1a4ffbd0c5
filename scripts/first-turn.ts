import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';

/**
 * Runs the script of a background over a browser whose functions do nothing. Returns the error that its first turn throws, or
 * `undefined`. A browser does not start a background that throws.
 *
 * The script runs in a process of its own, because it may open channels that keep a process alive, or throw later.
 */
export async function findFirstError(
  script: string,
  path: string,
  manifest: { readonly background: { readonly service_worker?: string | undefined } },
): Promise<string | undefined> {
  const loader = pathToFileURL(join(import.meta.dirname, 'typescript.mjs'));
  const argv = ['--import', loader.href, join(import.meta.dirname, 'run-first-turn.ts')];
  const child = spawn(process.execPath, argv);
  child.stdin.end(JSON.stringify({ script, path, manifest }));
  const [error, problem] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  if (child.exitCode !== 0) throw new Error(`The first turn of ${path} could not be run: ${problem}`);
  return error === '' ? undefined : error;
}
