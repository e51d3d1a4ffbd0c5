import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { transformWithOxc } from 'vite';

import type { Background } from './run-first-turn.ts';

/**
 * Runs the script of a background over a browser whose functions do nothing. Returns the error that its first turn throws, or
 * `undefined`. A browser does not start a background that throws.
 *
 * The script runs in a thread of its own, because it may open channels that keep a process alive, or throw later.
 */
export async function findFirstError(background: Background): Promise<string | undefined> {
  const file = join(import.meta.dirname, 'run-first-turn.ts');
  // A thread does not read TypeScript. Loading a compiler there would take longer than everything else.
  const { code } = await transformWithOxc(await readFile(file, 'utf8'), file, { sourcemap: false });
  const module = new URL(`data:text/javascript,${encodeURIComponent(code)}`);
  const thread = new Worker(module, { workerData: background, execArgv: [] });
  try {
    const [error] = (await once(thread, 'message')) as [string];
    return error === '' ? undefined : error;
  } catch (cause) {
    throw new Error(`The first turn of ${background.path} could not be run: ${String(cause)}`, { cause });
  } finally {
    await thread.terminate();
  }
}
