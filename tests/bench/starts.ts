import react from '@vitejs/plugin-react';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { build } from 'vite';

import { pollUntil } from '../../scripts/browsers/running-extension.ts';
import { buildExtension } from '../../scripts/build-extension.ts';
import { projectFolder } from '../../scripts/project-folder.ts';
import { pages } from '../../src/callers.ts';
import { testBuilds } from '../support/build-core-extension.ts';
import { type BenchBrowser, type BenchExtension, openReady } from './bench-browsers.ts';
import type { Comparison } from './measure.ts';

/** Milliseconds for the browser to finish its work after a page or a background has ended. */
const REST = 150;

/**
 * Builds the popup, and a similar one made only with Vite and React. Returns a function that installs them, and compares their
 * starts.
 *
 * @param core folder of the extension of the scenarios
 */
export async function buildStarts(
  core: string,
): Promise<(running: BenchBrowser) => Promise<readonly Comparison[]>> {
  const own = await buildExtension('chromium');
  const similar = await buildPlain();
  return async (running) => {
    const plain = await running.install(similar);
    const popup = await running.install(own);
    return [await compareWakes(await running.install(core), plain), ...comparePopups(popup, plain)];
  };
}

async function buildPlain(): Promise<string> {
  const folder = join(testBuilds, 'plain-extension');
  const root = join(projectFolder, 'tests/bench/plain-extension');
  const manifest = {
    manifest_version: 3,
    name: 'plain',
    version: '1',
    action: { default_popup: 'popup.html' },
    background: { service_worker: 'worker.js' },
    permissions: ['storage'],
  };
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'manifest.json'), JSON.stringify(manifest));
  await writeFile(join(folder, 'worker.js'), worker);
  await build({
    root,
    configFile: false,
    logLevel: 'error',
    plugins: [react()],
    build: { outDir: folder, emptyOutDir: false, rolldownOptions: { input: join(root, 'popup.html') } },
  });
  return folder;
}

/** A background that answers with the stored theme, or with the message itself. */
const worker = `
  chrome.runtime.onMessage.addListener((message, sender, respond) => {
    if (message === 'wake') respond(message);
    else chrome.storage.local.get({ theme: 'system' }).then(({ theme }) => respond(theme));
    return true;
  });
`;

/** Compares the first call of a page after the background has slept. */
async function compareWakes(core: BenchExtension, plain: BenchExtension): Promise<Comparison> {
  const corePage = await openReady(core);
  const plainPage = await plain.open('popup.html');
  const stopAll = async (): Promise<void> => {
    // A running background would keep the process of the other one warm.
    for (const extension of [core, plain]) await extension.stopWorker();
    await sleep(REST);
  };
  const wakeCore = () => corePage.evaluate(() => bench.sample(0, 'ours', 1));
  const wakePlain = () =>
    plainPage.evaluate(async () => {
      const start = performance.now();
      await chrome.runtime.sendMessage('wake');
      return performance.now() - start;
    });
  return {
    name: 'cold wake',
    against: 'sendMessage',
    unit: 'ms',
    limit: 1.65,
    rounds: 40,
    contenders: { ours: () => stopAll().then(wakeCore), byHand: () => stopAll().then(wakePlain) },
  };
}

/**
 * Compares the popup with a plain one. A page sets the mark `first-answer` when it has applied its background's first answer. With
 * a cold background, the limits are higher, because on two cores it and the popup start at once and wait for each other.
 */
function comparePopups(popup: BenchExtension, plain: BenchExtension): Comparison[] {
  const rows = [
    ['first-contentful-paint', 'warm', 1.25],
    ['first-contentful-paint', 'cold', 1.9],
    ['first-answer', 'warm', 1.15],
    ['first-answer', 'cold', 1.65],
  ] as const;
  return rows.map(([mark, state, limit]) => ({
    name: `popup: ${mark}, ${state} background`,
    against: 'plain React',
    unit: 'ms',
    limit,
    rounds: 12,
    contenders: {
      ours: () => measureLoads(popup, pages.popup, mark, state),
      byHand: () => measureLoads(plain, 'popup.html', mark, state),
    },
  }));
}

/** Number of loads whose mean is one sample, because paint times have a resolution of 4 ms. */
const LOADS = 3;

async function measureLoads(
  extension: BenchExtension,
  path: string,
  mark: string,
  state: 'warm' | 'cold',
): Promise<number> {
  let sum = 0;
  for (let load = 0; load < LOADS; load += 1) {
    if (state === 'cold') await extension.stopWorker();
    else if (!(await extension.isWorkerRunning())) await openOnce(extension, path, mark);
    await sleep(REST);
    sum += await openOnce(extension, path, mark);
  }
  return sum / LOADS;
}

/** Opens a page in a new window, and closes it. Returns the ms from the start of the navigation to a mark. */
async function openOnce(extension: BenchExtension, path: string, mark: string): Promise<number> {
  const page = await extension.open(path);
  // The page is not called while it starts, because a debugger slows down its start.
  await sleep(2 * REST);
  const find = (): Promise<number | undefined> =>
    page.evaluate((name) => performance.getEntriesByName(name)[0]?.startTime, mark).catch(() => undefined);
  try {
    return await pollUntil(find, `${path} to reach ${mark}`);
  } finally {
    await page.close();
  }
}
