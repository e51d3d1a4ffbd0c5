import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { ensureBrowser } from '../../../scripts/browsers/find-browser.ts';
import type { Comparison } from '../comparison.ts';
import { mergeComparisons } from '../merge-comparisons.ts';
import type { BenchOptions, BenchResult } from '../run-bench.ts';
import { runRounds } from '../run-rounds.ts';
import type { Contender, Series } from '../run-rounds.ts';
import { buildPageExtensions } from './build-page-extensions.ts';
import { launchPageBrowser } from './page-browser.ts';
import type { PageBrowser, WorkerState } from './page-browser.ts';
import type { PageExtension } from './page-extension.ts';
import type { PageLoad } from './page-load.ts';

const ROUNDS = 12;

/** Paint times step by 4 ms, so that a round is the mean of several. */
const LOADS_A_ROUND = 3;

/** Builds the popup and its two contenders and opens each of them many times, with cold and warm workers. */
export async function runPageBench({ launches, effort }: BenchOptions): Promise<BenchResult> {
  const executable = await ensureBrowser('chromium');
  const { own, still, plain } = await buildPageExtensions();

  const runs: Comparison[][] = [];
  let version = '';
  for (let launch = 0; launch < launches; launch += 1) {
    const profile = await mkdtemp(join(tmpdir(), 'bench-profile-'));
    const browser = await launchPageBrowser(executable, profile);
    try {
      const installed: Installed[] = [];
      for (const extension of [own, still, plain]) {
        installed.push({ extension, id: await browser.install(extension) });
      }
      const measure = (state: WorkerState): Promise<Series<PageLoad>[]> =>
        runRounds(
          installed.map(({ extension, id }) => contenderFor(browser, id, extension, state)),
          Math.ceil(ROUNDS * effort),
        );
      runs.push([
        ...compare('warm', 1.05, await measure('warm')),
        ...compare('cold', 1.1, await measure('cold')),
      ]);
      version = browser.version;
    } finally {
      await browser.close();
      await rm(profile, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
    }
  }
  return { version, comparisons: mergeComparisons(runs) };
}

interface Installed {
  readonly id: string;
  readonly extension: PageExtension;
}

function contenderFor(
  browser: PageBrowser,
  id: string,
  extension: PageExtension,
  state: WorkerState,
): Contender<PageLoad> {
  return {
    name: extension.name,
    run: async () => {
      const loads: PageLoad[] = [];
      while (loads.length < LOADS_A_ROUND) loads.push(await browser.load(id, extension, state));
      return loads;
    },
  };
}

function compare(state: WorkerState, mostForData: number, series: readonly Series<PageLoad>[]): Comparison[] {
  const [own, still, plain] = series;
  if (own === undefined || still === undefined || plain === undefined) return [];
  const paint = {
    scenario: `first paint, ${state} worker`,
    unit: 'ms',
    measured: only(own, 'paint'),
    isStepped: true,
  } as const;
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
      measured: { name: own.name, rounds: [[sumOf(own)]] },
      goal: { most: 0 },
    },
  ];
}

function only({ name, rounds }: Series<PageLoad>, key: keyof PageLoad): Series {
  return { name, rounds: rounds.map((loads) => loads.map((load) => load[key])) };
}

/** Of all loads: the median would hide one that shifts now and then. */
function sumOf({ rounds }: Series<PageLoad>): number {
  return rounds.flat().reduce((sum, { shift }) => sum + shift, 0);
}
