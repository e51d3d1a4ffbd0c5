import { setTimeout as sleep } from 'node:timers/promises';

import type { BenchBrowser } from './bench-browser.ts';
import { afterSleep, compare, contenderFor, type Installed, installCopy, REST } from './contender.ts';
import type { Burst } from './event-extension/worker.ts';
import { type Comparison, quantile, runRounds } from './measure.ts';

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
    const installed = await installCopy(running, folder);
    await installed.page.evaluate((count) => fillStore(count), records);
    return installed;
  };
  const empty = await install(0);
  const full = await install(10_000);
  const results: Comparison[] = [];

  const bursts = ['core', 'raw'].map((kind) => contenderFor(kind, empty.page, kind));
  results.push(...compare('2,000 events at once', await runRounds(bursts, rounds(20)), [1.25]));

  // Calls and events by hand delay each other too, so the table has those as well. They come in turn, because otherwise a call
  // would wait for all of them.
  const [atOnce, inTurn] = [
    { count: 2_000, pause: 0 },
    { count: 400, pause: 'in turn' },
  ] as const;
  const calls = [
    ['query', { kind: 'core', ...atOnce }, 2],
    ['raw query', { kind: 'raw', ...inTurn }, Infinity],
    ['raw query', { kind: 'noted', ...inTurn }, Infinity],
    ['mutation', { kind: 'core', ...atOnce }, 2],
    ['raw mutation', { kind: 'raw', ...inTurn }, Infinity],
    ['raw mutation', { kind: 'noted', ...inTurn }, Infinity],
  ] as const;
  for (const [call, burst, goal] of calls) {
    const contenders = [
      { name: 'during events', run: () => measureDuring95(empty, call, burst) },
      { name: 'at rest', run: () => measureRest95(empty, call) },
    ];
    const series = await runRounds(contenders, rounds(20));
    results.push(...compare(`p95 of a ${call} during ${burst.kind} events`, series, [goal]));
  }

  const cpuTimeOf = async (kind: Burst['kind']): Promise<number> => {
    await sleep(REST);
    const before = await running.cpuTime();
    await empty.page.evaluate((burst) => makeEvents({ kind: burst, count: 250, pause: 20 }), kind);
    return (await running.cpuTime()) - before;
  };
  // An event that survives the death of the worker needs two writes, so the table also has these by hand.
  const loads = (['core', 'raw', 'noted'] as const).map((kind) => ({
    name: kind,
    // An idle browser uses CPU time too.
    run: async () => [(await cpuTimeOf(kind)) - (await cpuTimeOf('nothing'))],
  }));
  const [core, raw, noted] = await runRounds(loads, rounds(8));
  if (!core || !raw || !noted) throw new Error('A contender was not measured.');
  results.push(...compare('CPU time of 250 events in 5 s', [core, raw, noted], [2, Infinity]));

  const cold = [
    afterSleep(contenderFor('10,000 records', full.page, 'event'), full.extension),
    afterSleep(contenderFor('nothing stored', empty.page, 'event'), empty.extension),
  ];
  results.push(...compare('first event after the worker slept', await runRounds(cold, rounds(60)), [1.3]));
  return results;
}

async function measureDuring95({ page }: Installed, call: string, burst: Burst): Promise<number[]> {
  const durations = await page.evaluate((...args) => measureDuring(...args), call, burst);
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
