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
 * Measures changes, lists and watches of state of several sizes, through the core and through the browser's own storage. All
 * sizes are in one browser, as installations of the same extension.
 *
 * @param folder the built extension
 * @param effort share of the full number of rounds: 1 or less
 */
export async function measureState(
  folder: string,
  running: BenchBrowser,
  effort: number,
): Promise<Comparison[]> {
  const rounds = (count: number): number => Math.ceil(count * effort);
  const install = async (notes: number, bytes = 0, entries = 0): Promise<Filled> => {
    // Chromium derives an extension's id from its folder.
    const copy = await mkdtemp(join(tmpdir(), 'bench-state-'));
    await cp(folder, copy, { recursive: true });
    const extension = await running.install(copy);
    const page = await extension.open('options.html');
    const isReady = (): Promise<boolean> =>
      page.evaluate(() => globalThis.document.title === 'ready').catch(() => false);
    await pollUntil(isReady, 'the page to load');
    await page.evaluate((...sizes) => fill(...sizes), notes, bytes, entries);
    return { extension, page };
  };

  const few = await install(10);
  const many = await install(10_000);
  const remembering = await install(10, 0, 3_000);
  const results: Comparison[] = [];

  const change = await runRounds(
    [
      contender('core, 10,000 notes', many, 'core set', 10),
      contender('raw set', many, 'raw set', 10),
      contender('core, 10 notes', few, 'core set', 10),
      contender('IndexedDB put', many, 'IndexedDB put', 10),
      contender('core, 3,000 journal entries', remembering, 'core set', 10),
      contender('raw set, 10 notes', few, 'raw set', 10),
      contender('raw set, 3,000 journal entries', remembering, 'raw set', 10),
    ],
    rounds(60),
    10,
  );
  results.push(
    ...compare('change of one record of 180 B', change, 1, 2),
    ...compare('change of one record of 180 B', change, 2, 1.3),
    ...compare('change of one record of 180 B', change, 3, Infinity),
    ...compare('change with a journal', [change[4], change[2]], 1, 1.1),
    // These show how much of the difference is the browser's own.
    ...compare('raw change of one record', [change[1], change[5]], 1, Infinity),
    ...compare('raw change with a journal', [change[6], change[5]], 1, Infinity),
  );

  const lists = [contender('core', many, 'core list', 1), contender('raw get', many, 'raw list', 1)];
  results.push(...compare('list of 10,000', await runRounds(lists, rounds(40), 3), 1, 1.5));
  const pages = [contender('core', many, 'core page', 5), contender('raw get', many, 'raw page', 5)];
  results.push(...compare('page of 100 of 10,000', await runRounds(pages, rounds(60), 5), 1, 3));

  const { shown, durations } = await many.page.evaluate(() => list());
  const live = { name: `live list of ${shown}`, rounds: [durations] };
  results.push({ scenario: 'work in the page for a change', unit: 'ms', measured: live, goal: 16 });

  const document = await install(0, 1_000_000);
  const blobs = [
    contender('core', document, 'core blob', 1),
    contender('raw get and set', document, 'raw blob', 1),
  ];
  results.push(...compare('document of 1 MB', await runRounds(blobs, rounds(40), 3), 1, 1.1));

  const [crowd, one] = [await install(0, 1_000_000), document];
  await crowd.page.evaluate(() => subscribe(100));
  await one.page.evaluate(() => subscribe(1));
  const watched = [contender('100 subscribers', crowd, 'heard', 1), contender('one', one, 'heard', 1)];
  results.push(
    ...compare('change of 1 MB until all have heard', await runRounds(watched, rounds(20), 1), 1, 3),
  );

  const full = await install(Math.round(4_000_000 / NOTE));
  const empty = await install(0);
  const cold = [coldChange('core, 4 MB stored', full), coldChange('core, nothing stored', empty)];
  results.push(...compare('first change after the worker slept', await runRounds(cold, rounds(60)), 1, 1.3));
  return results;
}

function contender(name: string, { page }: Filled, call: string, samples: number): Contender {
  const load = { bytes: 1, samples };
  return { name, run: () => page.evaluate((...[named, sent]) => bench.measure(named, sent), call, load) };
}

/** Creates a contender that stops its worker before each change. */
function coldChange(name: string, filled: Filled): Contender {
  const { run } = contender(name, filled, 'core set', 1);
  return {
    name,
    run: async () => {
      await filled.extension.stopWorker();
      await sleep(REST);
      return run();
    },
  };
}

/** Compares the first series with another one. */
function compare(
  scenario: string,
  series: readonly (Series | undefined)[],
  index: number,
  goal: number,
): Comparison[] {
  const [measured, against] = [series[0], series[index]];
  return measured && against ? [{ scenario, unit: 'ms', measured, against, goal }] : [];
}
