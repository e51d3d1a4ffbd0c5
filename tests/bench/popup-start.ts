import react from '@vitejs/plugin-react';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { build } from 'vite';

import { pollUntil } from '../../scripts/browsers/running-extension.ts';
import { buildExtension } from '../../scripts/build-extension.ts';
import { projectFolder, testBuilds } from '../../scripts/project-folder.ts';
import { pages } from '../../src/callers.ts';
import type { BenchBrowser, BenchExtension } from './bench-browser.ts';
import { type Comparison, runRounds, type Series } from './measure.ts';

/** A production build of an extension whose popup is measured. */
interface Popup {
  readonly name: string;
  readonly folder: string;
  /** Path of the popup's page. */
  readonly page: string;
  /** Path of a page that calls the worker and then sets the mark `first-data`. It is opened to start the worker. */
  readonly waker: string;
}

/** Builds the popup, the same page without scripts, and a popup made only with Vite and React. */
export async function buildPopups(): Promise<readonly Popup[]> {
  const folder = await buildExtension('chromium');
  const own = { name: 'popup', folder, page: pages.popup, waker: pages.popup };
  return [own, await buildStill(folder), await buildPlain(folder)];
}

async function buildStill(own: string): Promise<Popup> {
  const html = await readFile(join(own, pages.popup), 'utf8');
  const folder = await writeExtension('static-extension', {
    'popup.html': html.replaceAll(/<script.*?<\/script>/gsu, ''),
    'waker.html': '<!doctype html><script src="waker.js"></script>',
    'waker.js': `chrome.runtime.sendMessage({}).then(() => performance.mark('first-data'));`,
  });
  return { name: 'static page', folder, page: 'popup.html', waker: 'waker.html' };
}

async function buildPlain(own: string): Promise<Popup> {
  const html = await readFile(join(own, pages.popup), 'utf8');
  const links = [...html.matchAll(/<a .*?<\/a>/gsu)].map(([link]) => link.replaceAll(/<.*?>/gu, ''));
  const folder = await writeExtension('plain-extension', {});
  const root = join(projectFolder, 'tests/bench/plain-extension');
  await build({
    root,
    configFile: false,
    logLevel: 'error',
    plugins: [react()],
    define: { popupLinks: JSON.stringify(links) },
    build: { outDir: folder, emptyOutDir: false, rolldownOptions: { input: join(root, 'popup.html') } },
  });
  return { name: 'plain React', folder, page: 'popup.html', waker: 'popup.html' };
}

/** A worker that answers with the stored theme. */
const worker = `
  chrome.runtime.onMessage.addListener((message, sender, respond) => {
    chrome.storage.local.get({ theme: 'system' }).then(({ theme }) => respond(theme));
    return true;
  });
`;

/** Writes an extension with these files and a worker that answers with the stored theme. Returns its folder. */
async function writeExtension(name: string, files: Readonly<Record<string, string>>): Promise<string> {
  const folder = join(testBuilds, name);
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const manifest = {
    action: { default_popup: 'popup.html' },
    background: { service_worker: 'worker.js' },
    permissions: ['storage'],
  };
  const all = {
    ...files,
    'manifest.json': JSON.stringify({ manifest_version: 3, name, version: '1', ...manifest }),
    'worker.js': worker,
  };
  for (const [path, text] of Object.entries(all)) await writeFile(join(folder, path), text);
  return folder;
}

type WorkerState = 'cold' | 'warm';

/** Measurements of one start of a page. */
interface PageLoad {
  /** ms from the start of the navigation to the first contentful paint. */
  readonly paint: number;
  /** ms from the start of the navigation to the mark `first-data`, or 0 for a page without a script. */
  readonly data: number;
  /** Sum of the layout shifts. */
  readonly shift: number;
}

const ROUNDS = 12;

/** Loads in each round, whose result is their mean, because paint times have a resolution of 4 ms. */
const LOADS_A_ROUND = 3;

/** Milliseconds for the browser to finish its work after a page or a worker has ended. */
const REST = 150;

/** Opens the popups in turn in one browser, each in a new window, with a warm worker and with a cold one. */
export async function measurePopups(
  popups: readonly Popup[],
  running: BenchBrowser,
  effort: number,
): Promise<readonly Comparison[]> {
  const installed: (Popup & { readonly extension: BenchExtension })[] = [];
  for (const popup of popups) installed.push({ ...popup, extension: await running.install(popup.folder) });

  const measure = (state: WorkerState): Promise<Series<PageLoad>[]> => {
    const contenders = installed.map(({ name, page, waker, extension }) => ({
      name,
      async run() {
        const loads: PageLoad[] = [];
        while (loads.length < LOADS_A_ROUND) {
          if (state === 'cold') await extension.stopWorker();
          else if (!(await extension.isWorkerRunning())) await openOnce(extension, waker, true);
          await sleep(REST);
          loads.push(await openOnce(extension, page, page === waker));
        }
        return loads;
      },
    }));
    return runRounds(contenders, Math.ceil(ROUNDS * effort));
  };
  return [...compare('warm', await measure('warm')), ...compare('cold', await measure('cold'))];
}

/** Opens a page, waits until it is complete, and closes it. Returns its measurements. */
async function openOnce(extension: BenchExtension, path: string, hasData: boolean): Promise<PageLoad> {
  const page = await extension.open(path);
  // The page is not called while it starts, because a debugger slows down its start.
  await sleep(2 * REST);
  try {
    // On a busy machine, the new window may not have navigated to the page yet.
    return await pollUntil(() => page.evaluate(readLoad, hasData).catch(() => undefined), `${path} to load`);
  } finally {
    await page.close();
  }
}

/** Runs in the page. Waits until it is complete. Returns its measurements. */
async function readLoad(hasData: boolean): Promise<PageLoad> {
  const find = (name: string): number | undefined => performance.getEntriesByName(name)[0]?.startTime;
  const isThere = (): boolean =>
    location.href !== 'about:blank' &&
    document.readyState === 'complete' &&
    (find('first-contentful-paint') ?? find('first-data')) !== undefined &&
    (!hasData || find('first-data') !== undefined);
  while (!isThere()) await new Promise((resolve) => setTimeout(resolve, 10));

  const shift = await new Promise<number>((resolve) => {
    let sum = 0;
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) sum += (entry as PerformanceEntry & { value: number }).value;
    }).observe({ type: 'layout-shift', buffered: true });
    setTimeout(() => resolve(sum), 20);
  });
  return { paint: find('first-contentful-paint') ?? 0, data: find('first-data') ?? 0, shift };
}

function compare(state: WorkerState, series: readonly Series<PageLoad>[]): Comparison[] {
  const [own, still, plain] = series;
  if (own === undefined || still === undefined || plain === undefined) return [];
  const sum = (loads: readonly PageLoad[], key: keyof PageLoad): number =>
    loads.reduce((total, load) => total + load[key], 0);
  // Returns the mean of each round.
  const only = ({ name, rounds }: Series<PageLoad>, key: keyof PageLoad): Series => ({
    name,
    rounds: rounds.map((loads) => [sum(loads, key) / loads.length]),
  });
  const paint = { scenario: `first paint, ${state} worker`, unit: 'ms' } as const;
  const data = { scenario: `first answer shown, ${state} worker`, unit: 'ms' } as const;
  const measured = only(own, 'paint');
  return [
    { ...paint, measured, against: only(still, 'paint'), goal: 1.1 },
    { ...paint, measured, against: only(plain, 'paint'), goal: 1 },
    { ...data, measured: only(own, 'data'), against: only(plain, 'data'), goal: 1.1 },
    {
      scenario: `layout shift, ${state} worker`,
      unit: 'shift',
      // The sum of all loads, because a median would hide a page that shifts only sometimes.
      measured: { name: own.name, rounds: [[sum(own.rounds.flat(), 'shift')]] },
      goal: 0,
    },
  ];
}
