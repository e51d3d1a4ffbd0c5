import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';

/** A process or one of its pipes. */
interface Handle {
  ref(): void;
  unref(): void;
}

interface Background {
  readonly script: string;
  /** Path of the script in the extension. */
  readonly path: string;
  readonly manifest: { readonly background: { readonly service_worker?: string | undefined } };
}

/**
 * Runs the script of a background over a browser whose functions do nothing. Returns the error that its first turn throws, or
 * `undefined`. A browser does not start a background that throws.
 *
 * The script runs in a process of its own, because it may open channels that keep a process alive, or throw later.
 */
export async function findFirstError(
  script: string,
  path: string,
  manifest: Background['manifest'],
): Promise<string | undefined> {
  return prepareFirstTurn()({ script, path, manifest });
}

/** Starts the process for one script, which ends with this process. Starting it takes longer than running a script. */
export function prepareFirstTurn(): (background: Background) => Promise<string | undefined> {
  const loader = pathToFileURL(join(import.meta.dirname, 'typescript.mjs'));
  const argv = ['--import', loader.href, join(import.meta.dirname, 'run-first-turn.ts')];
  const child = spawn(process.execPath, argv);
  const output = Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  // While it waits for a script, it does not keep this process alive.
  const handles = [child, child.stdin, child.stdout, child.stderr] as readonly unknown[] as readonly Handle[];
  for (const handle of handles) handle.unref();
  return async (background) => {
    for (const handle of handles) handle.ref();
    child.stdin.end(JSON.stringify(background));
    const [error, problem] = await output;
    if (child.exitCode !== 0)
      throw new Error(`The first turn of ${background.path} could not be run: ${problem}`);
    return error === '' ? undefined : error;
  };
}
