import { cp, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { pollUntil } from '../../scripts/browsers/running-extension.ts';
import type { BenchBrowser, BenchExtension, BenchPage } from './bench-browser.ts';
import { type Comparison, type Contender, runRounds, type Series } from './measure.ts';

/** An installation of the extension with its own store, and its page. */
interface Filled {
  readonly extension: BenchExtension;
  readonly page: BenchPage;
}

/** Bytes of one stored note with its key. */
const NOTE = 215;

/** Milliseconds for the browser to finish its work after a worker has ended. */
const REST = 200;

/**
 * Compares state through the core with state by hand, with idb and with Dexie. All sizes are in one browser, as installations
 * of the same two extensions.
 *
 * @param folders the extension with its state in `storage.local`, and with its state in IndexedDB
 * @param effort share of the full number of rounds: 1 or less
 */
export async function measureState(
  folders: { readonly local: string; readonly indexedDb: string },
  running: BenchBrowser,
  effort: number,
): Promise<Comparison[]> {
  const rounds = (count: number): number => Math.ceil(count * effort);
  const install = async (
    folder: string,
    notes: number,
    { bytes = 0, entries = 0, isByHand = true } = {},
  ): Promise<Filled> => {
    // Chromium derives an extension's id from its folder.
    const copy = await mkdtemp(join(tmpdir(), 'bench-state-'));
    await cp(folder, copy, { recursive: true });
    const extension = await running.install(copy);
    const page = await extension.open('options.html');
    const isReady = (): Promise<boolean> =>
      page.evaluate(() => globalThis.document.title === 'ready').catch(() => false);
    await pollUntil(isReady, 'the page to load');
    await page.evaluate((...sizes) => fill(...sizes), notes, bytes, entries, isByHand);
    return { extension, page };
  };

  const few = await install(folders.local, 10);
  const many = await install(folders.local, 10_000);
  const large = await install(folders.local, 0, { bytes: 1_000_000 });
  const results: Comparison[] = [];

  const clicks = [contender('core', few, 'core change', 10), contender('by hand', few, 'local change', 10)];
  results.push(...compare('change of one of 10 records', await runRounds(clicks, rounds(60), 10), [1.3]));
  /** The work of the page, with the samples of a round, the rounds, and the goals against hand, idb and Dexie. */
  const works = [
    ['change', 'change of one of 10,000 records', 10, 60],
    ['page', 'page of 100 of 10,000 records', 5, 60],
    ['all', '10,000 records to a page', 1, 30],
    ['blob', 'change of a value of 1 MB', 1, 40],
  ] as const;
  const goals = {
    change: [[1.3], [Infinity, Infinity]],
    page: [
      [1, Infinity],
      [Infinity, Infinity],
    ],
    all: [[1.5], [1.5, Infinity]],
    blob: [[1.2], [1.5, Infinity]],
  } as const;
  for (const [work, scenario, samples, count] of works) {
    const filled = work === 'blob' ? large : many;
    const local = [
      contender('core', filled, `core ${work}`, samples),
      contender('by hand', filled, `local ${work}`, samples),
      ...(work === 'page' ? [contender('by hand, ids known', filled, 'local known page', samples)] : []),
    ];
    results.push(...compare(scenario, await runRounds(local, rounds(count), 3), goals[work][0]));
  }
  const manyInIdb = await install(folders.indexedDb, 10_000);
  const largeInIdb = await install(folders.indexedDb, 0, { bytes: 1_000_000 });
  for (const [work, scenario, samples, count] of works) {
    const filled = work === 'blob' ? largeInIdb : manyInIdb;
    const indexed = [
      contender('core', filled, `core ${work}`, samples),
      contender('idb', filled, `idb ${work}`, samples),
      contender('Dexie', filled, `dexie ${work}`, samples),
    ];
    const series = await runRounds(indexed, rounds(count), 3);
    results.push(...compare(`${scenario}, in IndexedDB`, series, goals[work][1]));
  }

  const remembering = await install(folders.local, 10, { entries: 3_000 });
  const journals = [
    contender('core', remembering, 'core change', 10),
    contender('by hand', remembering, 'local change', 10),
  ];
  results.push(
    ...compare('change beside 3,000 journal entries', await runRounds(journals, rounds(60), 5), [1.3]),
  );

  const { shown, durations } = await many.page.evaluate(() => list());
  const live = { name: `live list of ${shown}`, rounds: [durations] };
  results.push({ scenario: 'work in the page for a change', unit: 'ms', measured: live, goal: 16 });

  const imports = [10_000, 1_000].map((count) => ({
    name: `${count} notes`,
    run: async () => [(await large.page.evaluate((number) => importNotes(number), count)) / count],
  }));
  results.push(
    ...compare('import in one transaction, for each note', await runRounds(imports, rounds(12)), [1.3]),
  );

  const crowd = await install(folders.local, 0, { bytes: 1_000_000 });
  await crowd.page.evaluate(() => subscribe(100));
  await large.page.evaluate(() => subscribe(1));
  const watched = [contender('100 subscribers', crowd, 'heard', 1), contender('one', large, 'heard', 1)];
  results.push(
    ...compare('change of 1 MB until all have heard', await runRounds(watched, rounds(20), 1), [3]),
  );

  const full = await install(folders.local, Math.round(4_000_000 / NOTE), { isByHand: false });
  const noted = await install(folders.local, 10_000, { isByHand: false });
  const empty = await install(folders.local, 0);
  const slept = [
    afterSleep('core, 4 MB stored', full, 'core change'),
    afterSleep('core, nothing stored', empty, 'core change'),
  ];
  results.push(...compare('first change after the worker slept', await runRounds(slept, rounds(60)), [1.1]));
  // Chromium itself needs longer for its first change then, so the core is compared with that, too.
  const raw = [
    afterSleep('by hand, 4 MB stored', full, 'local change'),
    afterSleep('by hand, nothing stored', empty, 'local change'),
  ];
  results.push(
    ...compare('first change after the worker slept', await runRounds(raw, rounds(60)), [Infinity]),
  );
  const events = [
    afterSleep('core, 10,000 notes', noted, 'event'),
    afterSleep('core, nothing stored', empty, 'event'),
  ];
  results.push(...compare('first event after the worker slept', await runRounds(events, rounds(60)), [1.3]));
  return results;
}

function contender(name: string, { page }: Filled, call: string, samples: number): Contender {
  const load = { bytes: 1, samples };
  return { name, run: () => page.evaluate((...[named, sent]) => bench.measure(named, sent), call, load) };
}

/** Creates a contender that stops its worker before each call. */
function afterSleep(name: string, filled: Filled, call: string): Contender {
  const { run } = contender(name, filled, call, 1);
  return {
    name,
    run: async () => {
      await filled.extension.stopWorker();
      await sleep(REST);
      return run();
    },
  };
}

/** Compares the first series with each of the others. */
function compare(
  scenario: string,
  [measured, ...others]: readonly Series[],
  goals: readonly number[],
): Comparison[] {
  return others.flatMap((against, index) =>
    measured === undefined
      ? []
      : [{ scenario, unit: 'ms', measured, against, goal: goals[index] ?? Infinity }],
  );
}
