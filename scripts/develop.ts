import { type ChildProcess, fork } from 'node:child_process';
import { unwatchFile, watchFile } from 'node:fs';
import { join } from 'node:path';

import { type BrowserName, ensureBrowser } from './browsers/find-browser.ts';
import { launchExtension } from './browsers/launch-extension.ts';
import { pollUntil, type RunningExtension, startLimit } from './browsers/running-extension.ts';
import { CommandError } from './command.ts';
import { projectFolder } from './project-folder.ts';
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

/** Files that a process reads only once, or whose mistakes end it, so that a change needs another process. */
const READ_ONCE = [
  'manifest.json',
  'vite.config.ts',
  'src/callers.ts',
  'src/messaging/define/define-callers.ts',
  'SPEC_GAPS.md',
].map((path) => join(projectFolder, path));

/** Builds now and after every change in another process, and calls `onBuilt` after every build. Returns a function that stops. */
function buildAfterChanges(browser: BrowserName, folder: string, onBuilt: () => void): () => void {
  const start = (): ChildProcess => {
    const options = { cwd: projectFolder, execArgv: ['--import', './scripts/typescript.mjs'] };
    return fork(join(projectFolder, 'scripts/watch.ts'), [browser, folder], options).on('message', onBuilt);
  };
  let builder = start();
  process.once('exit', () => builder.kill('SIGKILL'));
  for (const file of READ_ONCE) {
    watchFile(file, { interval: 200 }, () => {
      builder.kill();
      builder = start();
    });
  }
  return () => {
    for (const file of READ_ONCE) unwatchFile(file);
    builder.kill();
  };
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
