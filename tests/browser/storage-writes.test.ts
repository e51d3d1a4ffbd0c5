import { expect, inject, it } from 'vitest';

import type { View } from '../../scripts/browsers/running-extension.ts';
import { launchTestExtension } from '../support/built-extension.ts';

/** Number of calls of `storage.local`, by method. */
type Calls = Readonly<Record<string, number>>;

it('writes once for a click and twice for an event, reads nothing twice, and removes keys once a burst', async () => {
  const extension = await launchTestExtension('core');
  const page = await extension.open('options.html');
  // The first change also prunes the journal, which the second one follows. The first list shows which records are absent.
  await callsDuring(page, 1, () => core.mutate('counter.tick'));
  await callsDuring(page, 2, () => core.mutate('counter.tick'));
  await page.evaluate(() => core.query('change.list'));

  const table = {
    click: await callsDuring(page, 3, () => core.mutate('counter.tick')),
    clickWithOutput: await callsDuring(page, 4, () => core.mutate('counter.add', 1)),
    query: await callsDuring(page, 4, () => core.query('counter.read')),
    event: await callsDuring(page, 5, () => chrome.alarms.create('one#free', { when: Date.now() })),
    burst: await callsDuring(page, 25, () => {
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

it('reads at most once for tasks, definitions and a value when it starts, and then nothing', async () => {
  const extension = await launchTestExtension('core');
  const page = await extension.open('options.html');
  await callsDuring(page, 1, () => core.mutate('counter.tick'));
  await extension.stopWorker();

  await page.evaluate(() => core.query('counter.read'));
  const first = await readCalls(page);
  // The background looks for tasks a moment after its start, and at the latest for a mutation.
  await callsDuring(page, 2, () => core.mutate('counter.tick'));
  const second = await callsDuring(page, 2, () => core.query('counter.read'));

  const none = { get: 0, getKeys: 0, set: 0, remove: 0 };
  // Reads that start together are one.
  expect(first['get']).toBeLessThanOrEqual(3);
  expect([{ ...first, get: 0 }, second]).toEqual([none, none]);
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
