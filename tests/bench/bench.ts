import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';

import { browserNames } from '../../scripts/browsers/find-browser.ts';
import { runCommand } from '../../scripts/command.ts';
import { projectFolder } from '../../scripts/project-folder.ts';
import { buildCoreExtension, indexedDb } from '../support/build-core-extension.ts';
import { type BenchBrowser, type BenchExtension, launchers, openReady } from './bench-browsers.ts';
import type { Part } from './extension/page.ts';
import { type Comparison, describe, isMissed, merge, type Result, runRounds } from './measure.ts';
import { buildStarts } from './starts.ts';

// npm run bench [-- --browser chromium] [--only regex] [--quick]
//
// Measures the scenarios, each in turn with the code by hand, and in Chromium the starts of the background and the popup. `--only`
// runs the rows whose name matches a regular expression, and `--quick` runs fewer rounds. It exits with 1 if a limit is missed. See
// docs/performance.md.
const { values } = parseArgs({
  options: {
    browser: { type: 'string' },
    only: { type: 'string', default: '' },
    quick: { type: 'boolean', default: false },
  },
});

/**
 * `launches` is the number of browsers, which start one after the other, because the layout of a process in memory is random.
 * `effort` is the share of the full number of rounds in each browser.
 */
const { launches, effort } = values.quick ? { launches: 1, effort: 0.5 } : { launches: 2, effort: 1 };

/** Milliseconds for the browser to finish its work before CPU time is taken, or after a background has ended. */
const REST = 200;

async function runBench(): Promise<void> {
  const isAsked = (name: string): boolean => values.browser === undefined || values.browser === name;
  for (const name of browserNames.filter(isAsked)) {
    const source = join(projectFolder, 'tests/bench/extension');
    const local = await buildCoreExtension(name, source);
    const inIndexedDb = await buildCoreExtension(name, source, { plugins: [indexedDb] });
    const parts = [
      (running: BenchBrowser) => compareScenarios(running, local, ''),
      (running: BenchBrowser) => compareScenarios(running, inIndexedDb, ', IndexedDB'),
    ];
    // Only Chromium installs several extensions, and lets the driver wait without a debugger.
    if (name === 'chromium') parts.push(await buildStarts(local));
    const results: Result[] = [];
    for (let launch = 0; launch < launches; launch += 1) {
      for (const part of parts) {
        const running = await launchers[name]();
        try {
          results.push(...(await measure(await part(running))));
        } finally {
          await running.close();
        }
      }
    }
    const merged = merge(results);
    console.table(merged.map(describe));
    if (merged.some(isMissed)) process.exitCode = 1;
  }
}

async function measure(comparisons: readonly Comparison[]): Promise<readonly Result[]> {
  const results: Result[] = [];
  const only = new RegExp(values.only, 'u');
  for (const comparison of comparisons.filter(({ name }) => only.test(name))) {
    const result = await runRounds({ ...comparison, rounds: Math.ceil(comparison.rounds * effort) });
    console.log(result.name, describe(result).ratio);
    results.push(result);
  }
  return results;
}

/** Installs the extension of the scenarios. Returns what its page can measure. */
async function compareScenarios(
  running: BenchBrowser,
  folder: string,
  suffix: string,
): Promise<readonly Comparison[]> {
  const extension = await running.install(folder);
  const page = await openReady(extension);
  const rows = await page.evaluate(() => bench.rows);
  return rows.flatMap((row, index): readonly Comparison[] => {
    const { name, against = 'by hand', limit, rounds = 20, measure: kind = 'time', parts } = row;
    if ((kind === 'cpu' && !running.cpuTime) || (kind === 'heap' && !extension.measureHeap)) return [];
    const sample = (part: Part): Promise<number> =>
      page.evaluate((...call) => bench.sample(...call), index, part);
    const measured = samplers[kind]({ running, extension, sample });
    const contenders = parts
      .filter((part) => part !== 'baseline')
      .map((part) => [part, () => measured(part)] as const);
    return [
      {
        name: name + suffix,
        against,
        limit,
        rounds,
        unit: kind === 'heap' ? 'MB' : 'ms',
        before: () => page.evaluate((number) => bench.prepare(number), index),
        contenders: Object.fromEntries(contenders),
      },
    ];
  });
}

interface Parts {
  readonly running: BenchBrowser;
  readonly extension: BenchExtension;
  readonly sample: (part: Part) => Promise<number>;
}

/** Ways to measure a part of a row. */
const samplers = {
  time: ({ sample }: Parts) => sample,
  returned: ({ sample }: Parts) => sample,
  cold:
    ({ extension, sample }: Parts) =>
    async (part: Part) => {
      await extension.stopWorker();
      await sleep(REST);
      return sample(part);
    },
  cpu: ({ running, sample }: Parts) => {
    const measureCpu = async (part: Part): Promise<number> => {
      await sleep(REST);
      const start = (await running.cpuTime?.()) ?? Number.NaN;
      await sample(part);
      return ((await running.cpuTime?.()) ?? Number.NaN) - start;
    };
    return async (part: Part) => (await measureCpu(part)) - (await measureCpu('baseline'));
  },
  heap:
    ({ extension, sample }: Parts) =>
    async (part: Part) => {
      const measureHeap = async () => (await extension.measureHeap?.()) ?? Number.NaN;
      await extension.stopWorker();
      await sample('baseline');
      const start = await measureHeap();
      await sample(part);
      return ((await measureHeap()) - start) / 1_000_000;
    },
} as const;

await runCommand(runBench);
