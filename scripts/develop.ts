import { join } from 'node:path';

import { type BrowserName, ensureBrowser } from './browsers/find-browser.ts';
import { launchExtension } from './browsers/launch-extension.ts';
import { pollUntil, type RunningExtension, startLimit } from './browsers/running-extension.ts';
import { buildAfterChanges } from './build-after-changes.ts';
import { CommandError } from './command.ts';
import { createWorkFolder } from './work-folder.ts';

interface DevelopOptions {
  readonly headless?: boolean;
  /** Called each time the browser shows a new build. */
  readonly onShown?: (extension: RunningExtension) => void;
}

/**
 * Runs the extension in a browser, and installs it again after every change of a source file until the browser is closed.
 *
 * Vite's dev server, which replaces parts of a page without reloading it, is not used: it does not work for extensions in
 * Firefox, and in Chromium it needs another policy and does not reach the background.
 */
export async function develop(browser: BrowserName, { headless = false, onShown }: DevelopOptions = {}) {
  await ensureBrowser(browser);
  // Each run has its own folder, so that several can run at the same time.
  const folder = await createWorkFolder('start');
  const build = join(folder, 'build');
  let extension: RunningExtension | undefined;

  const show = oneAtATime(async () => {
    if (extension === undefined) {
      try {
        extension = await launchExtension(browser, build, {
          profile: join(folder, 'profile'),
          headless,
          limit: startLimit,
        });
      } catch (error) {
        console.error(error instanceof CommandError ? error.message : error);
        process.exitCode = 1;
        return stop();
      }
      void extension.closed.then(stop);
      await extension.open('src/options/index.html');
      console.log(`${extension.version} shows edits automatically. Press Ctrl-C to stop.`);
    } else {
      await installAgain(extension, build);
      console.log('Reinstalled the extension.');
    }
    onShown?.(extension);
  });
  const stop = buildAfterChanges(browser, build, show);
}

/** Returns a function that starts `run`, or repeats it once if it is already running. Errors are printed, not thrown. */
function oneAtATime(run: () => Promise<void>): () => void {
  let isRunning = false;
  let isWanted = false;
  const start = async (): Promise<void> => {
    isWanted = true;
    if (isRunning) return;
    isRunning = true;
    while (isWanted) {
      isWanted = false;
      await run().catch(console.error);
    }
    isRunning = false;
  };
  return () => void start();
}

/**
 * Reinstalls the extension and reopens the tabs that the browser closed. Opening a tab is retried, because browsers may
 * refuse it at first.
 */
async function installAgain(extension: RunningExtension, folder: string): Promise<void> {
  const pages = await extension.openPages();
  await extension.installExtension(folder);
  await extension.reloadWebPages();
  const stillOpen = await extension.openPages();
  for (const page of pages.filter((address) => !stillOpen.includes(address))) {
    await pollUntil(() => extension.open(page).catch(() => undefined), `${page} to reopen`);
  }
}
