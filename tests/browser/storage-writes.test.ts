import { expect, inject, it } from 'vitest';

import { pollUntil } from '../../scripts/browsers/running-extension.ts';
import { launchTestExtension } from '../support/built-extension.ts';

/** Number of writes, and of removals, that a page was notified of. */
interface Counts {
  readonly set: number;
  readonly remove: number;
  /** Number of writes of this test under the key `fence`. */
  readonly fences: number;
}

it('writes twice for an event and once for a click, and removes keys once a burst', async () => {
  const page = await (await launchTestExtension('core')).open('options.html');
  // The first change also prunes the journal.
  await page.evaluate(() => core.mutate('counter.tick'));
  await page.waitFor(async () => 'journal' in (await chrome.storage.local.get(null)));
  await page.evaluate(() => {
    const counts = { set: 0, remove: 0, fences: 0 };
    Object.assign(globalThis, { counts });
    chrome.storage.local.onChanged.addListener((changes) => {
      const entries = Object.entries(changes);
      if ('fence' in changes) counts.fences += 1;
      // The listener of the test extension makes a plain write too.
      else if (!entries.some(([key]) => key.startsWith('written/')))
        counts[entries.some(([, { newValue }]) => newValue !== undefined) ? 'set' : 'remove'] += 1;
    });
  });

  /** Carries out work, and waits until it has left nothing in the store. */
  const countDuring = async (
    isDone: (all: Readonly<Record<string, unknown>>) => boolean,
    start: () => unknown,
  ) => {
    const begun = { ...(await page.evaluate(readCounts)) };
    await page.evaluate(start);
    await pollUntil(async () => {
      const all = await page.evaluate(() => chrome.storage.local.get(null));
      const isLeft = Object.keys(all).some((key) => /^(queue\/(event|task)|store)\//u.test(key));
      return isDone(all) && !isLeft;
    }, 'the store to be tidy');
    // The page is notified of changes in their order, so it knows of all earlier ones when it sees this one.
    await page.evaluate((fence) => chrome.storage.local.set({ fence }), begun.fences);
    await pollUntil(async () => (await page.evaluate(readCounts)).fences > begun.fences, 'the fence');
    const { set, remove } = await page.evaluate(readCounts);
    return { set: set - begun.set, remove: remove - begun.remove };
  };
  const counterIs = (count: number) => (all: Readonly<Record<string, unknown>>) =>
    (all['counter'] as { readonly data: number }).data === count;

  const table = {
    click: await countDuring(counterIs(2), () => core.mutate('counter.tick')),
    clickWithOutput: await countDuring(counterIs(3), () => core.mutate('counter.add', 1)),
    event: await countDuring(counterIs(4), () => chrome.alarms.create('one#free', { when: Date.now() })),
    burst: await countDuring(counterIs(24), () => {
      const when = Date.now() + 500;
      for (let made = 0; made < 20; made += 1) void chrome.alarms.create(`many ${made}#free`, { when });
    }),
  };

  console.log(`measured: ${inject('browserName')}: ${JSON.stringify(table)}`);
  expect(table).toMatchObject({
    click: { set: 1, remove: 0 },
    clickWithOutput: { set: 1, remove: 0 },
    event: { set: 2, remove: 1 },
    burst: { remove: 1 },
  });
  expect(table.burst.set).toBeLessThanOrEqual(40);
});

/** Runs in the page. */
const readCounts = (): Counts => (globalThis as unknown as { readonly counts: Counts }).counts;
