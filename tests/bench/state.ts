import type { BenchBrowser } from './bench-browser.ts';
import { afterSleep, compare, contenderFor, type Installed, installCopy } from './contender.ts';
import { type Comparison, runRounds } from './measure.ts';

/** Bytes of one stored note with its key. */
const NOTE = 215;

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
    { bytes = 0, isByHand = true } = {},
  ): Promise<Installed> => {
    const installed = await installCopy(running, folder);
    await installed.page.evaluate((...sizes) => fill(...sizes), notes, bytes, isByHand);
    return installed;
  };

  const few = await install(folders.local, 10);
  const many = await install(folders.local, 10_000);
  const large = await install(folders.local, 0, { bytes: 1_000_000 });
  const results: Comparison[] = [];

  /** Measures the same work of one installation in several ways. The first is compared with the others. */
  const measure = async (
    scenario: string,
    { page }: Installed,
    ways: Readonly<Record<string, string>>,
    [samples, count]: readonly [number, number],
    goals: readonly number[],
  ): Promise<void> => {
    const contenders = Object.entries(ways).map(([name, call]) =>
      contenderFor(name, page, call, { samples }),
    );
    results.push(...compare(scenario, await runRounds(contenders, rounds(count), 3), goals));
  };

  const byHand = { core: 'core change', 'by hand': 'local change' };
  await measure('change of one of 10 records', few, byHand, [10, 60], [1.3]);

  const manyInIdb = await install(folders.indexedDb, 10_000);
  const largeInIdb = await install(folders.indexedDb, 0, { bytes: 1_000_000 });
  /** Works of the page, with the samples of a round, the rounds, and the goals against hand and idb. Dexie has no goal. */
  const works = [
    ['change', 'change of one of 10,000 records', [10, 60], 1.3, Infinity],
    ['page', 'page of 100 of 10,000 records', [5, 60], 1, Infinity],
    ['all', '10,000 records to a page', [1, 30], 1.5, 1.5],
    ['blob', 'change of a value of 1 MB', [1, 40], 1.2, 1.5],
  ] as const;
  for (const [work, scenario, size, handGoal, idbGoal] of works) {
    const [local, indexed] = work === 'blob' ? [large, largeInIdb] : [many, manyInIdb];
    const core = `core ${work}`;
    const ways = { core, 'by hand': `local ${work}` };
    // With `getKeys`, a person finds the ids of a page by hand. The benchmark also compares with ids that need not be found.
    const known = work === 'page' ? { 'by hand, ids known': 'local known page' } : {};
    await measure(scenario, local, { ...ways, ...known }, size, [handGoal]);
    // The core checks what it reads and what it writes. The benchmark also compares with idb and the same checks.
    const checked = work === 'all' || work === 'blob' ? { 'idb, checked': `checked ${work}` } : {};
    const libraries = { core, idb: `idb ${work}`, Dexie: `dexie ${work}`, ...checked };
    await measure(`${scenario}, in IndexedDB`, indexed, libraries, size, [idbGoal]);
  }

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
  const watched = [
    contenderFor('100 subscribers', crowd.page, 'heard'),
    contenderFor('one', large.page, 'heard'),
  ];
  results.push(...compare('change of 1 MB until all have heard', await runRounds(watched, rounds(20)), [3]));

  const full = await install(folders.local, Math.round(4_000_000 / NOTE), { isByHand: false });
  const empty = await install(folders.local, 0);
  // Chromium itself needs longer for its first change then, so the table also has the change by hand.
  const changes = [
    ['first change after the worker slept', 'core change', 1.1],
    ['the same by hand', 'local change', Infinity],
  ] as const;
  for (const [scenario, call, goal] of changes) {
    const slept = [
      afterSleep(contenderFor('4 MB stored', full.page, call), full.extension),
      afterSleep(contenderFor('nothing stored', empty.page, call), empty.extension),
    ];
    results.push(...compare(scenario, await runRounds(slept, rounds(60)), [goal]));
  }
  return results;
}
