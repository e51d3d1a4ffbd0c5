import { cp, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { pollUntil } from '../../scripts/browsers/running-extension.ts';
import type { BenchBrowser, BenchExtension, BenchPage } from './bench-browser.ts';
import { type Comparison, type Contender, quantile, runRounds, type Series } from './measure.ts';

/** An installation of the extension with its own store, and its page. */
interface Installed {
  readonly extension: BenchExtension;
  readonly page: BenchPage;
}

/** Milliseconds for the browser to finish its work after a worker has ended. */
const REST = 200;

/** Calls of a page at rest whose 95th percentile is one sample. */
const CALLS = 200;

/**
 * Measures events of the browser, through the core and through a handler that locks, reads and writes.
 *
 * @param folder the built extension
 * @param effort share of the full number of rounds: 1 or less
 */
export async function measureEvents(
  folder: string,
  running: BenchBrowser,
  effort: number,
): Promise<Comparison[]> {
  const rounds = (count: number): number => Math.ceil(count * effort);
  const install = async (records: number): Promise<Installed> => {
    // Chromium derives an extension's id from its folder.
    const copy = await mkdtemp(join(tmpdir(), 'bench-events-'));
    await cp(folder, copy, { recursive: true });
    const extension = await running.install(copy);
    const page = await extension.open('options.html');
    const isReady = (): Promise<boolean> =>
      page.evaluate(() => globalThis.document.title === 'ready').catch(() => false);
    await pollUntil(isReady, 'the page to load');
    await page.evaluate((count) => fillStore(count), records);
    return { extension, page };
  };
  const empty = await install(0);
  const full = await install(10_000);
  const results: Comparison[] = [];

  const bursts = await runRounds(
    [contender('core', empty, 'core'), contender('raw', empty, 'raw')],
    rounds(20),
  );
  results.push(...compare('2,000 events at once', bursts, 1.25));

  for (const call of ['query', 'mutation']) {
    const loads = [
      { name: 'core events', run: () => measureDuring95(empty, call, 'core') },
      { name: 'rest', run: () => measureRest95(empty, call) },
      { name: 'raw events', run: () => measureDuring95(empty, call, 'raw') },
    ];
    const [during, rest, raw] = await runRounds(loads, rounds(20));
    results.push(
      ...compare(`p95 of a ${call} during 2,000 events`, [during, rest], 2),
      ...compare(`p95 of a ${call} during 2,000 events`, [during, raw], Infinity),
    );
  }

  const cpuTimeOf = async (kind: 'core' | 'raw' | 'nothing'): Promise<number> => {
    await sleep(REST);
    const before = await running.cpuTime();
    await empty.page.evaluate((burst) => makeEvents({ kind: burst, count: 250, pause: 20 }), kind);
    return (await running.cpuTime()) - before;
  };
  const loads = (['core', 'raw'] as const).map((kind) => ({
    name: kind,
    // An idle browser uses CPU time too.
    run: async () => [(await cpuTimeOf(kind)) - (await cpuTimeOf('nothing'))],
  }));
  results.push(...compare('CPU time of 250 events in 5 s', await runRounds(loads, rounds(8)), 2));

  const cold = [coldEvent('10,000 records', full), coldEvent('nothing stored', empty)];
  results.push(...compare('first event after the worker slept', await runRounds(cold, rounds(60)), 1.3));
  return results;
}

function contender(name: string, { page }: Installed, call: string): Contender {
  return { name, run: () => page.evaluate((named) => bench.measure(named, { bytes: 1, samples: 1 }), call) };
}

/** Creates a contender that stops its worker before each event. */
function coldEvent(name: string, installed: Installed): Contender {
  const { run } = contender(name, installed, 'event');
  return {
    name,
    run: async () => {
      await installed.extension.stopWorker();
      await sleep(REST);
      return run();
    },
  };
}

async function measureDuring95({ page }: Installed, call: string, kind: 'core' | 'raw'): Promise<number[]> {
  const durations = await page.evaluate(
    (name, burst) => measureDuring(name, { kind: burst, count: 2_000, pause: 0 }),
    call,
    kind,
  );
  return [quantile(durations, 0.95)];
}

async function measureRest95({ page }: Installed, call: string): Promise<number[]> {
  const durations = await page.evaluate(
    (name, samples) => bench.measure(name, { bytes: 1, samples }),
    call,
    CALLS,
  );
  return [quantile(durations, 0.95)];
}

/** Compares the first series with the second one. */
function compare(
  scenario: string,
  [measured, against]: readonly (Series | undefined)[],
  goal: number,
): Comparison[] {
  return measured && against ? [{ scenario, unit: 'ms', measured, against, goal }] : [];
}
