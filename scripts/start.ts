import { allFilesReady } from '@crxjs/vite-plugin';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { createServer, normalizePath, type ViteDevServer } from 'vite';

import manifest from '../manifest.json' with { type: 'json' };
import { type BrowserName, ensureBrowser, parseBrowser } from './browsers/find-browser.ts';
import { launchExtension } from './browsers/launch-extension.ts';
import { pollUntil, type RunningExtension } from './browsers/running-extension.ts';
import { watchExtension } from './build-extension.ts';
import { runCommand } from './command.ts';
import { bindFreePort } from './free-port.ts';
import { projectFolder } from './project-folder.ts';
import { reportPages } from './report-pages.ts';

// npm start [-- --browser chromium|firefox] [--headless]: runs the extension in a real browser, which shows edits
// automatically. Without a display, it prints a report about the pages instead.
const { values } = parseArgs({
  options: {
    browser: { type: 'string', default: 'chromium' },
    headless: { type: 'boolean', default: false },
  },
});
/** Each `npm start` that runs at the same time has its own port, and folders with the port in their names. */
const FIRST_PORT = 5817;
const { DISPLAY, WAYLAND_DISPLAY } = process.env;
const hasDisplay = process.platform !== 'linux' || Boolean(DISPLAY) || Boolean(WAYLAND_DISPLAY);

await runCommand(async () => {
  const browser = parseBrowser(values.browser);
  if (values.headless || !hasDisplay) {
    const problems = await reportPages(browser);
    for (const problem of problems) console.error(`\nFAILED: ${problem}`);
    process.exitCode = problems.length > 0 ? 1 : 0;
  } else if (browser === 'chromium') {
    await developInChromium();
  } else {
    await developInFirefox();
  }
});

/** Runs Chromium on Vite's dev server, with hot reload, until it is closed. */
async function developInChromium(): Promise<void> {
  const { port, release } = await bindFreePort(FIRST_PORT);
  process.env['DEV_PORT'] = String(port);
  const folder = await emptyFolder(`dist/dev-chromium-${port}`);
  const server = await createServer({
    root: projectFolder,
    mode: 'chromium',
    configLoader: 'native',
  });
  try {
    await release();
    await server.listen();
    await allFilesReady();
    const extension = await openBrowser('chromium', folder, port);
    const reinstall = oneAtATime(() => installAgain(extension, folder));
    server.watcher.on('change', (file) => {
      if (isPartOfBackground(server, file)) reinstall();
    });
    await extension.closed;
  } finally {
    await server.close();
  }
}

/** Returns `true` if the background imports this file. Hot updates reach only the pages. */
function isPartOfBackground(server: ViteDevServer, file: string): boolean {
  const background = normalizePath(join(projectFolder, manifest.background.service_worker));
  const modules = new Set(server.environments.client.moduleGraph.getModulesByFile(normalizePath(file)));
  // The loop over a set includes modules that are added during the loop.
  for (const { importers } of modules) importers.forEach((importer) => modules.add(importer));
  return [...modules].some((module) => module.file === background);
}

/**
 * Runs Firefox until it is closed, and rebuilds and reinstalls the extension after every change. Vite's dev server does
 * not work for extensions in Firefox.
 */
async function developInFirefox(): Promise<void> {
  await ensureBrowser('firefox');
  // No server listens on the port, but another `npm start` takes other folders.
  const { port } = await bindFreePort(FIRST_PORT);
  const folder = await emptyFolder(`dist/dev-firefox-${port}`);
  let extension: RunningExtension | undefined;
  const show = oneAtATime(async () => {
    if (extension === undefined) {
      extension = await openBrowser('firefox', folder, port);
      void extension.closed.then(() => watch.close());
      return;
    }
    await installAgain(extension, folder);
  });
  // If the first build fails, Firefox starts after a change that fixes it.
  const watch = await watchExtension('firefox', folder, show);
}

async function emptyFolder(path: string): Promise<string> {
  const folder = join(projectFolder, path);
  await rm(folder, { recursive: true, force: true });
  return folder;
}

async function openBrowser(browser: BrowserName, folder: string, port: number): Promise<RunningExtension> {
  // The profile is removed before the start, because Ctrl-C ends this process together with the browser.
  const profile = await emptyFolder(`.cache/profiles/${browser}-${port}`);
  const extension = await launchExtension(browser, folder, { profile, headless: false });
  await extension.open('src/options/index.html');
  console.log(`${extension.version} shows edits automatically. Press Ctrl-C to stop.`);
  return extension;
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
  const stillOpen = await extension.openPages();
  for (const page of pages.filter((address) => !stillOpen.includes(address))) {
    await pollUntil(() => extension.open(page).catch(() => undefined), `${page} to reopen`);
  }
  console.log('Reinstalled the extension.');
}
