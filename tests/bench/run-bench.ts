import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { Plugin } from 'vite';

import type { BrowserName } from '../../scripts/browsers/find-browser.ts';
import { ensureBrowser } from '../../scripts/browsers/find-browser.ts';
import { projectFolder } from '../../scripts/project-folder.ts';
import { buildCoreExtension } from '../support/build-core-extension.ts';
import type { BenchBrowser } from './bench-browser.ts';
import { launchBenchChromium } from './chromium/launch-bench-chromium.ts';
import type { Comparison, Scenario } from './comparison.ts';
import { launchBenchFirefox } from './firefox/launch-bench-firefox.ts';
import { mergeComparisons } from './merge-comparisons.ts';
import { withoutPolyfill, withPolyfill } from './polyfill.ts';
import { coldWake } from './scenarios/cold-wake.ts';
import { scenarios } from './scenarios/scenarios.ts';

export interface BenchOptions {
  /** Browsers started one after the other: where each puts its processes in memory is a matter of luck. Best even. */
  readonly launches: number;
  /** Share of the full number of rounds in each, 0 to 1. */
  readonly effort: number;
}

export interface BenchResult {
  /** What the browser calls itself. */
  readonly version: string;
  readonly comparisons: readonly Comparison[];
}

/** Two extensions that are measured beside each other, and in what. */
interface Pair {
  readonly raw: string;
  readonly client: string;
  readonly scenarios: readonly Scenario[];
}

/** Builds the extensions, in pairs, and takes all scenarios through a browser. */
export async function runBench(
  browser: BrowserName,
  { launches, effort }: BenchOptions,
): Promise<BenchResult> {
  const executable = await ensureBrowser(browser);
  const raw = await build(browser, 'raw-extension');
  const client = await build(browser, 'client-extension');
  const [polyfilled, bare] = [
    await build(browser, 'raw-extension', withPolyfill),
    await build(browser, 'client-extension', withoutPolyfill),
  ];
  const pairs: readonly Pair[] = [
    { raw: polyfilled, client, scenarios: [coldWake('polyfill in both')] },
    { raw, client: bare, scenarios: [coldWake('polyfill in neither')] },
    { raw, client, scenarios },
  ];

  const comparisons: Comparison[] = [];
  let version = '';
  for (const pair of pairs) {
    const runs: Comparison[][] = [];
    for (let launch = 0; launch < launches; launch += 1) {
      const profile = await mkdtemp(join(tmpdir(), 'bench-profile-'));
      let running: BenchBrowser | undefined;
      try {
        const setup = { executable, rawExtension: pair.raw, clientExtension: pair.client, profile };
        running = await (browser === 'chromium'
          ? launchBenchChromium(setup, launch % 2 === 1)
          : launchBenchFirefox(setup));
        runs.push(await runScenarios(running, pair.scenarios, effort));
        version = running.version;
      } finally {
        await running?.close();
        await rm(profile, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
      }
    }
    comparisons.push(...mergeComparisons(runs));
  }
  return { version, comparisons };
}

function build(browser: BrowserName, name: string, ...plugins: readonly Plugin[]): Promise<string> {
  return buildCoreExtension(browser, join(projectFolder, 'tests/bench', name), plugins);
}

async function runScenarios(
  browser: BenchBrowser,
  all: readonly Scenario[],
  effort: number,
): Promise<Comparison[]> {
  const comparisons: Comparison[] = [];
  for (const scenario of all) comparisons.push(...(await scenario(browser, effort)));
  return comparisons;
}
