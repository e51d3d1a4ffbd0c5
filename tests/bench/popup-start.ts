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
import type { BenchBrowser, BenchExtension } from './bench-browser.ts';
import { compare } from './contender.ts';
import { type Comparison, runRounds, type Series } from './measure.ts';

/** A production build of an extension whose popup is measured. */
interface Popup {
  readonly name: string;
  readonly folder: string;
  /** Path of the popup's page. It sets the mark `first-answer` when it has applied the first answer of its worker. */
  readonly page: string;
}

/** Builds the popup, and a similar one made only with Vite and React. */
export async function buildPopups(): Promise<readonly Popup[]> {
  const own = { name: 'popup', folder: await buildExtension('chromium'), page: pages.popup };
  return [own, { name: 'plain React', folder: await buildPlain(), page: 'popup.html' }];
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

/** A worker that answers with the stored theme. */
const worker = `
  chrome.runtime.onMessage.addListener((message, sender, respond) => {
    chrome.storage.local.get({ theme: 'system' }).then(({ theme }) => respond(theme));
    return true;
  });
`;

type WorkerState = 'cold' | 'warm';

/** Measurements of one start of a page. */
interface PageLoad {
  /** ms from the start of the navigation to the first contentful paint. */
  readonly paint: number;
  /** ms from the start of the navigation to the mark `first-answer`. */
  readonly answer: number;
  /** Sum of the layout shifts. */
  readonly shift: number;
}

const ROUNDS = 24;

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
    const contenders = installed.map(({ name, page, extension }) => ({
      name,
      async run() {
        const loads: PageLoad[] = [];
        while (loads.length < LOADS_A_ROUND) {
          if (state === 'cold') await extension.stopWorker();
          else if (!(await extension.isWorkerRunning())) await openOnce(extension, page);
          await sleep(REST);
          loads.push(await openOnce(extension, page));
        }
        return loads;
      },
    }));
    return runRounds(contenders, Math.ceil(ROUNDS * effort));
  };
  return [...compareLoads('warm', await measure('warm')), ...compareLoads('cold', await measure('cold'))];
}

/** Opens a page, waits until it is complete, and closes it. Returns its measurements. */
async function openOnce(extension: BenchExtension, path: string): Promise<PageLoad> {
  const page = await extension.open(path);
  // The page is not called while it starts, because a debugger slows down its start.
  await sleep(2 * REST);
  try {
    // On a busy machine, the new window may not have navigated to the page yet.
    return await pollUntil(() => page.evaluate(readLoad).catch(() => undefined), `${path} to load`);
  } finally {
    await page.close();
  }
}

/** Runs in the page. Waits until it is complete. Returns its measurements. */
async function readLoad(): Promise<PageLoad> {
  const find = (name: string): number | undefined => performance.getEntriesByName(name)[0]?.startTime;
  for (;;) {
    const [paint, answer] = [find('first-contentful-paint'), find('first-answer')];
    if (paint !== undefined && answer !== undefined) return { paint, answer, shift: await readShift() };
    await new Promise((resolve) => setTimeout(resolve, 10));
  }

  function readShift(): Promise<number> {
    return new Promise((resolve) => {
      let sum = 0;
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) sum += (entry as PerformanceEntry & { value: number }).value;
      }).observe({ type: 'layout-shift', buffered: true });
      setTimeout(() => resolve(sum), 20);
    });
  }
}

function compareLoads(state: WorkerState, [own, plain]: readonly Series<PageLoad>[]): Comparison[] {
  if (own === undefined || plain === undefined) return [];
  const sum = (loads: readonly PageLoad[], key: keyof PageLoad): number =>
    loads.reduce((total, load) => total + load[key], 0);
  // The mean of each round.
  const means = (key: keyof PageLoad): Series[] =>
    [own, plain].map(({ name, rounds }) => ({
      name,
      rounds: rounds.map((loads) => [sum(loads, key) / loads.length]),
    }));
  return [
    ...compare(`first paint, ${state} worker`, means('paint'), [state === 'cold' ? 1.25 : 1.1]),
    ...compare(`first answer, ${state} worker`, means('answer'), [1.1]),
    {
      scenario: `layout shift, ${state} worker`,
      unit: 'shift',
      // The sum of all loads, because a median would hide a page that shifts only sometimes.
      measured: { name: own.name, rounds: [[sum(own.rounds.flat(), 'shift')]] },
      goal: 0,
    },
  ];
}
