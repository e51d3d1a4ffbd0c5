import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import type { ViteDevServer } from 'vite';

import { type BrowserName, ensureBrowser } from '../browsers/find-browser.ts';
import { launchExtension } from '../browsers/launch-extension.ts';
import { type RunningExtension, startLimit } from '../browsers/running-extension.ts';
import { CommandError } from '../command.ts';
import { beforeSignal, createWorkFolder, keepWorkFolder } from '../work-folder.ts';
import { DevelopmentBuild, type Replaced } from './development-build.ts';
import { startServer } from './server.ts';

interface DevelopOptions {
  readonly headless?: boolean;
  /** Keeps the profile of the browser, with the data of the extension, for the next run with this option. */
  readonly keepsProfile?: boolean;
  /** Milliseconds within which the browser must start. */
  readonly limit?: number;
  /** Called when the browser shows the extension for the first time. */
  readonly onShown?: (extension: RunningExtension) => void;
}

/**
 * Runs the extension in a browser until the browser is closed, and shows edits of source files.
 *
 * Pages load from Vite's server, which replaces components and styles in open pages. In Firefox, the script of the background
 * is replaced under open pages. Other edits install the extension again, and open the pages again that the browser closes.
 */
export async function develop(browser: BrowserName, options: DevelopOptions = {}): Promise<void> {
  await ensureBrowser(browser);
  // Sets `import.meta.env.DEV`.
  process.env['NODE_ENV'] = 'development';
  // Each run has its own folder, so that several can run at the same time.
  const folder = await (options.keepsProfile ? keepWorkFolder(`kept-${browser}`) : createWorkFolder('start'));
  const loop = new Loop(new DevelopmentBuild(browser, join(folder, 'build')));
  const server = await startServer(browser, {
    cacheDir: join(folder, 'packages'),
    onStart: (started) => loop.follow(started),
    onPageEdit: () => loop.update(),
    findPageScript: (path) => loop.build.pageScript(path),
  });
  const stop = (): Promise<void> => server.close();

  await loop.update();
  try {
    const extension = await launchExtension(browser, loop.build.folder, {
      profile: join(folder, 'profile'),
      headless: options.headless ?? false,
      outlivesSignals: true,
      limit: options.limit ?? startLimit,
    });
    void extension.closed.then(stop);
    if (options.keepsProfile) beforeSignal(extension.close);
    await loop.show(extension);
    console.log(`${extension.version} shows edits automatically. Press Ctrl-C to stop.`);
    options.onShown?.(extension);
  } catch (error) {
    console.error(error instanceof CommandError ? error.message : error);
    process.exitCode = 1;
    await stop();
  }
}

/** Brings edits of source files into the browser. */
class Loop {
  readonly build: DevelopmentBuild;
  #server: ViteDevServer | undefined;
  #extension: RunningExtension | undefined;
  /** `true` while open pages show an error of the last update. */
  #hasFailed = false;

  constructor(build: DevelopmentBuild) {
    this.build = build;
  }

  /** Updates the folder, and the browser if the folder has changed. Errors are printed and shown in open pages. */
  readonly update = oneAtATime(async () => {
    const server = this.#server;
    if (server === undefined) return;
    try {
      const replaced = await this.build.update(server);
      if (this.#hasFailed) server.ws.send({ type: 'update', updates: [] });
      this.#hasFailed = false;
      if (this.#extension) await replace(this.#extension, this.build.folder, replaced);
    } catch (error) {
      this.#hasFailed = true;
      showError(error, server);
    }
  });

  /** Follows the edits that a server sees. The server starts again after an edit of its settings. */
  follow(server: ViteDevServer): void {
    this.#server = server;
    // A server that starts again does not see edits before it is ready.
    if (this.#extension) server.watcher.once('ready', () => this.#updateScripts());
    server.watcher.on('all', (event, path) => {
      if (this.build.noteEdit(event, path, server)) void this.update();
    });
    if (this.#extension) this.#updateScripts();
  }

  #updateScripts(): void {
    this.build.forgetScripts();
    void this.update();
  }

  async show(extension: RunningExtension): Promise<void> {
    this.#extension = extension;
    if (!extension.allowsLocalServer) {
      console.log(
        `${extension.version} cannot load pages from a server, which Firefox 147 and newer can. So each edit ` +
          'builds the extension, installs it again, and closes its pages.',
      );
      this.build.servesPages = false;
      await this.update();
    }
    await extension.open('src/options/index.html');
  }
}

/** Prints an error, and shows it in all open pages until the next update. */
function showError(error: unknown, server: ViteDevServer): void {
  const message = stripVTControlCharacters(error instanceof Error ? error.message : String(error));
  console.error(message);
  server.ws.send({ type: 'error', err: { message, stack: '' } });
}

async function replace(extension: RunningExtension, folder: string, replaced: Replaced): Promise<void> {
  if (replaced === 'nothing') return;
  if (replaced === 'background' && extension.restartWorker) {
    await extension.restartWorker();
    console.log('Replaced the background.');
  } else {
    await extension.reinstall(folder);
    console.log('Installed the extension again.');
  }
}

/** Returns a function that starts `run`, or repeats it once if it is already running. Its promise resolves after that run. */
function oneAtATime(run: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined;
  let next: Promise<void> | undefined;
  const start = (): Promise<void> => (running = run().finally(() => (running = undefined)));
  return () => {
    if (running === undefined) return start();
    next ??= running.then(() => {
      next = undefined;
      return start();
    });
    return next;
  };
}
