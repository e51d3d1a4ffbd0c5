import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { inject, onTestFinished, vi } from 'vitest';

import {
  patience,
  pollUntil,
  type RunningExtension,
  type View,
} from '../../scripts/browsers/running-extension.ts';
import { copyProject } from './project-copy.ts';

/** Milliseconds after which a page is looked for again. */
const LOOK_LIMIT = 3_000;

export interface Development {
  readonly extension: RunningExtension;
  /** Folder of the copy of the project. */
  readonly project: string;
  /** Ends the browser, and starts `npm start` again. */
  readonly restart: () => Promise<RunningExtension>;
  /** Edits a file of the project, or creates it. */
  readonly edit: (path: string, change: (text: string) => string) => Promise<void>;
  /** Waits until a page shows an edit. The browser may close the page, load it again or open it again before. */
  readonly untilShown: (address: string, isShown: () => unknown) => Promise<View>;
}

/** Runs `npm start` without a window in a copy of the project, until the test has finished or the browser was closed. */
export async function startDevelopment(
  prepare?: (edit: Development['edit']) => Promise<void>,
  keepsProfile = false,
): Promise<Development> {
  const project = await copyProject();
  onTestFinished(() => rm(project, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 }));
  // `develop` sets it, for good.
  vi.stubEnv('NODE_ENV', 'development');
  onTestFinished(() => void vi.unstubAllEnvs());
  const edit: Development['edit'] = async (path, change) => {
    const file = join(project, path);
    await mkdir(dirname(file), { recursive: true });
    // Many editors write another file and rename it.
    const before = await readFile(file, 'utf8').catch(() => '');
    const after = change(before);
    if (after === before) throw new Error(`The edit does not change ${path}`);
    await writeFile(`${file}~`, after);
    await rename(`${file}~`, file);
  };
  await prepare?.(edit);
  const { develop } = (await import(
    pathToFileURL(join(project, 'scripts/develop/develop.ts')).href
  )) as typeof import('../../scripts/develop/develop.ts');
  const start = async (): Promise<RunningExtension> => {
    const running = await new Promise<RunningExtension>((onShown, reject) => {
      const options = { headless: true, limit: patience, keepsProfile, onShown };
      const ended = develop(inject('browserName'), options);
      ended.then(() => reject(new Error('The browser did not start')), reject);
    });
    onTestFinished(() => running.close());
    return running;
  };
  const extension = await start();
  const restart = async (): Promise<RunningExtension> => {
    await extension.close();
    return start();
  };
  const untilShown: Development['untilShown'] = async (address, isShown) => {
    const look = async (): Promise<View | undefined> => {
      const view = await extension.findView(address);
      return (await view.evaluate(isShown)) ? view : undefined;
    };
    // A page that the browser has just closed does not answer.
    const lookOnce = () => Promise.race([look().catch(() => undefined), sleep(LOOK_LIMIT, undefined)]);
    return pollUntil(lookOnce, `${isShown.toString()} in ${address}`);
  };
  return { extension, project, restart, edit, untilShown };
}
