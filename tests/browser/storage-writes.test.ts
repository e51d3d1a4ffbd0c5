import { expect, inject, it } from 'vitest';

import { pollUntil, type View } from '../../scripts/browsers/running-extension.ts';
import { launchTestExtension } from '../support/built-extension.ts';

/** Number of calls of `storage.local`, by method. */
type Calls = Readonly<Record<string, number>>;

it('writes once for a click and twice for an event, reads nothing twice, and removes keys once a burst', async () => {
  const extension = await launchTestExtension('core');
  const page = await extension.open('options.html');
  // The first change also prunes the journal, and the first list shows which records are absent.
  await callsDuring(page, 1, () => core.mutate('counter.tick'));
  await page.evaluate(() => core.query('change.list'));

  const table = {
    click: await callsDuring(page, 2, () => core.mutate('counter.tick')),
    clickWithOutput: await callsDuring(page, 3, () => core.mutate('counter.add', 1)),
    query: await callsDuring(page, 3, () => core.query('counter.read')),
    event: await callsDuring(page, 4, () => chrome.alarms.create('one#free', { when: Date.now() })),
    burst: await callsDuring(page, 24, () => {
      const when = Date.now() + 500;
      for (let made = 0; made < 20; made += 1) void chrome.alarms.create(`many ${made}#free`, { when });
    }),
  };

  console.log(`measured: ${inject('browserName')}: ${JSON.stringify(table)}`);
  const none = { get: 0, getKeys: 0, set: 0, remove: 0 };
  expect(table).toMatchObject({
    click: { ...none, set: 1 },
    clickWithOutput: { ...none, set: 1 },
    query: none,
    // Removed keys are looked at once before they are deleted.
    event: { ...none, set: 2, get: 1, remove: 1 },
    burst: { get: 1, getKeys: 0, remove: 1 },
  });
  expect(table.burst['set']).toBeLessThanOrEqual(40);
});

it('reads once when it starts, and each value once when it is first used', async () => {
  const extension = await launchTestExtension('core');
  const page = await extension.open('options.html');
  await callsDuring(page, 1, () => core.mutate('counter.tick'));
  await extension.stopWorker();

  // This query uses no state.
  const start = await pollUntil(async () => {
    const calls = await readCalls(page);
    return Object.values(calls).some((count) => count > 0) && calls;
  }, 'the first call');
  const query = await callsDuring(page, 1, () => core.query('counter.read'));
  const second = await callsDuring(page, 1, () => core.query('counter.read'));

  const none = { get: 0, getKeys: 0, set: 0, remove: 0 };
  expect([start, query, second]).toEqual([{ ...none, get: 1 }, { ...none, get: 1 }, none]);
});

/** Carries out work, waits until the counter has this value and the store is tidy, and returns the calls until then. */
async function callsDuring(page: View, counter: number, work: () => unknown): Promise<Calls> {
  const before = await readCalls(page);
  await page.evaluate(work);
  await page.waitFor(async (expected) => {
    const all = await chrome.storage.local.get(null);
    const isLeft = Object.keys(all).some((key) => /^(?:queue\/\d|store\/)/u.test(key));
    const { data } = (all['counter'] ?? {}) as { readonly data?: number };
    return data === expected && 'journal' in all && !isLeft;
  }, counter);
  const after = await readCalls(page);
  return Object.fromEntries(
    Object.entries(after).map(([name, count]) => [name, count - (before[name] ?? 0)]),
  );
}

const readCalls = (page: View): Promise<Calls> => page.evaluate(() => core.query('storage.calls'));
