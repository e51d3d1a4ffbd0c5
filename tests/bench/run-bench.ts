import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { BrowserName } from '../../scripts/browsers/find-browser.ts';
import { ensureBrowser } from '../../scripts/browsers/find-browser.ts';
import { projectFolder } from '../../scripts/project-folder.ts';
import { buildCoreExtension } from '../support/build-core-extension.ts';
import type { BenchBrowser } from './bench-browser.ts';
import { launchBenchChromium } from './chromium/launch-bench-chromium.ts';
import type { Comparison } from './comparison.ts';
import { launchBenchFirefox } from './firefox/launch-bench-firefox.ts';
import { mergeComparisons } from './merge-comparisons.ts';
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

/** Builds the two extensions and takes all scenarios through a browser. */
export async function runBench(
  browser: BrowserName,
  { launches, effort }: BenchOptions,
): Promise<BenchResult> {
  const executable = await ensureBrowser(browser);
  const rawExtension = await build(browser, 'raw-extension');
  const clientExtension = await build(browser, 'client-extension');

  const runs: Comparison[][] = [];
  let version = '';
  for (let launch = 0; launch < launches; launch += 1) {
    const profile = await mkdtemp(join(tmpdir(), 'bench-profile-'));
    let running: BenchBrowser | undefined;
    try {
      const setup = { executable, rawExtension, clientExtension, profile };
      running = await (browser === 'chromium'
        ? launchBenchChromium(setup, launch % 2 === 1)
        : launchBenchFirefox(setup));
      runs.push(await runScenarios(running, effort));
      version = running.version;
    } finally {
      await running?.close();
      await rm(profile, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
    }
  }
  return { version, comparisons: mergeComparisons(runs) };
}

function build(browser: BrowserName, name: string): Promise<string> {
  return buildCoreExtension(browser, join(projectFolder, 'tests/bench', name));
}

async function runScenarios(browser: BenchBrowser, effort: number): Promise<Comparison[]> {
  const comparisons: Comparison[] = [];
  for (const scenario of scenarios) comparisons.push(...(await scenario(browser, effort)));
  return comparisons;
}
