import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import react from '@vitejs/plugin-react';
import { build } from 'vite';

import { ensureBrowser } from '../../scripts/browsers/find-browser.ts';
import { pollUntil } from '../../scripts/browsers/running-extension.ts';
import { buildExtension } from '../../scripts/build-extension.ts';
import { projectFolder, testBuilds } from '../../scripts/project-folder.ts';
import { specGapsPlugin } from '../../scripts/spec-gaps/spec-gaps-plugin.ts';
import { pages } from '../../src/contract/pages.ts';
import { type BenchChromium, evaluateIn, launchBenchChromium } from './chromium.ts';
import { type Comparison, type Contender, runRounds, type Series } from './measure.ts';

/** The built extensions whose popups are compared, each as it would be shipped. */
interface Popups {
  /** This one. */
  readonly own: Popup;
  /** Its first frame and its styles without any script. */
  readonly still: Popup;
  /** A popup of the same look as Vite and React are used without more. */
  readonly plain: Popup;
}

interface Popup {
  readonly name: string;
  /** Of the built extension. */
  readonly folder: string;
  /** Path of the popup's page. */
  readonly page: string;
  /** Path of a page that asks the worker something and marks `first-data`: with it the worker is started. */
  readonly waker: string;
}

export async function buildPopups(): Promise<Popups> {
  const folder = await buildExtension('chromium');
  const own = { name: 'popup', folder, page: pages.popup, waker: pages.popup };
  return { own, still: await buildStill(folder), plain: await buildPlain() };
}

async function buildStill(own: string): Promise<Popup> {
  const folder = await startFolder('static-extension');
  const html = await readFile(join(own, pages.popup), 'utf8');
  await writeFile(join(folder, 'popup.html'), html.replaceAll(/<script.*?<\/script>/gsu, ''));
  await writeFile(join(folder, 'waker.html'), '<!doctype html><script src="waker.js"></script>');
  const waker = `chrome.runtime.sendMessage({}).then(() => performance.mark('first-data'));`;
  await writeFile(join(folder, 'waker.js'), waker);
  return { name: 'static page', folder, page: 'popup.html', waker: 'waker.html' };
}

async function buildPlain(): Promise<Popup> {
  const folder = await startFolder('plain-extension');
  const root = join(projectFolder, 'tests/bench/plain-extension');
  await build({
    root,
    configFile: false,
    logLevel: 'error',
    plugins: [react(), specGapsPlugin()],
    build: { outDir: folder, emptyOutDir: false, rolldownOptions: { input: join(root, 'popup.html') } },
  });
  return { name: 'plain React', folder, page: 'popup.html', waker: 'popup.html' };
}

/** Manifest and worker, which both have in common: it answers at once and does nothing else. */
async function startFolder(name: string): Promise<string> {
  const folder = join(testBuilds, name);
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const manifest = {
    manifest_version: 3,
    name,
    version: '1',
    action: { default_popup: 'popup.html' },
    background: { service_worker: 'worker.js' },
  };
  await writeFile(join(folder, 'manifest.json'), JSON.stringify(manifest));
  const worker = 'chrome.runtime.onMessage.addListener((_, __, respond) => respond({ specified: 0 }));';
  await writeFile(join(folder, 'worker.js'), worker);
  return folder;
}

type WorkerState = 'cold' | 'warm';

/** What was seen of one start of a page. */
interface PageLoad {
  /** ms from the start of the navigation to the first contentful paint. */
  readonly paint: number;
  /** ms from there to the user timing mark `first-data`; not a number for a page without a script. */
  readonly data: number;
  /** Sum of the layout shifts. */
  readonly shift: number;
}

const ROUNDS = 12;

/** Paint times step by 4 ms, so that a round is the mean of several. */
const LOADS_A_ROUND = 3;

/** Milliseconds for the browser to be done with what it does after the end of a page or a worker. */
const REST = 150;

/** Opens the popups in turn in one browser, in windows of their own, with a warm worker and with a cold one. */
export async function measurePopups(
  { own, still, plain }: Popups,
  profile: string,
  effort: number,
): Promise<{ readonly version: string; readonly comparisons: Comparison[] }> {
  const chromium = await launchBenchChromium(await ensureBrowser('chromium'), profile);
  try {
    const loaders: ((state: WorkerState) => Contender<PageLoad>)[] = [];
    for (const popup of [own, still, plain]) {
      const id = await chromium.install(popup.folder);
      loaders.push((state) => ({
        name: popup.name,
        async run() {
          const loads: PageLoad[] = [];
          while (loads.length < LOADS_A_ROUND) loads.push(await loadPopup(chromium, id, popup, state));
          return loads;
        },
      }));
    }
    const measure = (state: WorkerState): Promise<Series<PageLoad>[]> =>
      runRounds(
        loaders.map((load) => load(state)),
        Math.ceil(ROUNDS * effort),
      );
    const comparisons = [
      ...compare('warm', 1.05, await measure('warm')),
      ...compare('cold', 1.1, await measure('cold')),
    ];
    return { version: chromium.version, comparisons };
  } finally {
    await chromium.close();
  }
}

/** Opens the page with its worker ended or running, waits until all of it is there, and closes it. */
async function loadPopup(
  chromium: BenchChromium,
  id: string,
  { page, waker }: Popup,
  state: WorkerState,
): Promise<PageLoad> {
  if (state === 'cold') await chromium.stopWorker(id);
  else if ((await chromium.findWorker(id)) === undefined) await openOnce(chromium, id, waker, true);
  await sleep(REST);
  return openOnce(chromium, id, page, page === waker);
}

async function openOnce(
  chromium: BenchChromium,
  id: string,
  path: string,
  hasData: boolean,
): Promise<PageLoad> {
  const targetId = await chromium.openWindow(`chrome-extension://${id}/${path}`);
  // Nothing listens while the page starts: a debugger in it would slow that down.
  await sleep(2 * REST);
  try {
    const session = await chromium.attach(targetId);
    // On a busy machine the new window may still have to go to the page.
    const read = (): Promise<PageLoad | undefined> =>
      evaluateIn(session, readLoad, hasData).catch(() => undefined);
    return await pollUntil(read, `${path} to load`);
  } finally {
    await chromium.closeTarget(targetId);
  }
}

/** Runs inside the page. */
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
  return {
    paint: find('first-contentful-paint') ?? 0,
    data: find('first-data') ?? 0,
    shift,
  };
}

function compare(state: WorkerState, mostForData: number, series: readonly Series<PageLoad>[]): Comparison[] {
  const [own, still, plain] = series;
  if (own === undefined || still === undefined || plain === undefined) return [];
  const only = ({ name, rounds }: Series<PageLoad>, key: keyof PageLoad): Series => ({
    name,
    rounds: rounds.map((loads) => loads.map((load) => load[key])),
  });
  const paint = {
    scenario: `first paint, ${state} worker`,
    unit: 'ms',
    measured: only(own, 'paint'),
    isStepped: true,
  } as const;
  // Of all loads: the median would hide one that shifts now and then.
  const shift = own.rounds.flat().reduce((sum, load) => sum + load.shift, 0);
  return [
    { ...paint, against: only(still, 'paint'), goal: { most: 1.1 } },
    { ...paint, against: only(plain, 'paint'), goal: { most: 1 } },
    {
      scenario: `first answer shown, ${state} worker`,
      unit: 'ms',
      measured: only(own, 'data'),
      against: only(plain, 'data'),
      goal: { most: mostForData },
    },
    {
      scenario: `layout shift, ${state} worker`,
      unit: 'shift',
      measured: { name: own.name, rounds: [[shift]] },
      goal: { most: 0 },
    },
  ];
}
