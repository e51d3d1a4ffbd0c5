import { expect, inject, it } from 'vitest';

import { pollUntil } from '../../scripts/browsers/running-extension.ts';
import { launchTestExtension } from '../support/built-extension.ts';

/** Calls of the functions of `storage.local`, by name. */
type Calls = Readonly<Record<string, number>>;

it('writes twice for an event and once for a click, and removes keys once a burst', async () => {
  const extension = await launchTestExtension('event');
  const page = await extension.open('options.html');
  const count = (): Promise<Calls> => page.evaluate(() => eventful.query('storage.calls'));
  // The first change also prunes the journal.
  await page.evaluate(() => eventful.mutate('counter.tick'));
  await page.waitFor(async () => 'journal' in (await chrome.storage.local.get(null)));
  await extension.stopWorker();

  const table: Record<string, Calls> = {};
  let before: Calls = {};
  const measure = async (name: string, read: () => Promise<Calls>): Promise<void> => {
    const now = await read();
    table[name] = Object.fromEntries(
      Object.keys(now).map((key) => [key, (now[key] ?? 0) - (before[key] ?? 0)]),
    );
    before = now;
  };
  const act = async (name: string, work: () => Promise<unknown>): Promise<void> =>
    measure(name, async () => {
      await work();
      // Everything is carried out and acknowledged, and its keys are removed.
      await page.waitFor(async () => {
        const all = Object.entries(await chrome.storage.local.get(null));
        return all.every(
          ([key, value]) =>
            !/^queue\/(event|task)\//.test(key) &&
            !(key.startsWith('journal/') && 'outcome' in Object(value)),
        );
      });
      return count();
    });
  let made = 1;
  const makeEvents = async (events: number): Promise<void> => {
    await page.evaluate((all) => eventful.query('event.make', all), events);
    await page.waitFor(
      async (last) => {
        const { counter } = await chrome.storage.local.get('counter');
        return (counter as { readonly data: number }).data === last;
      },
      (made += events),
    );
  };

  await measure('start', () =>
    pollUntil(async () => {
      const calls = await count();
      return (calls['get'] ?? 0) > 0 && calls;
    }, 'the first read'),
  );
  await act('first event', () => makeEvents(1));
  await act('event', () => makeEvents(1));
  await act('200 events', () => makeEvents(200));
  await act('click without output', () => page.evaluate(() => eventful.mutate('counter.tick')));
  await act('click with output', () => page.evaluate(() => eventful.mutate('counter.add', 1)));
  await act('task', () => page.evaluate(() => eventful.mutate('rest.start')));

  console.log(`measured: ${inject('browserName')}: ${JSON.stringify(table)}`);
  expect(table['start']).toEqual({ get: 1, set: 0, remove: 0, getKeys: 0 });
  expect(table['event']).toMatchObject({ set: 2, remove: 1, getKeys: 0 });
  expect(table['200 events']).toMatchObject({ remove: 1, getKeys: 0 });
  // One write for each 16 events, and some more if the browser delivers them in parts.
  expect(table['200 events']?.['set']).toBeLessThan(40);
  expect(table['click without output']).toMatchObject({ set: 1, remove: 0, getKeys: 0 });
  expect(table['click with output']).toMatchObject({ set: 2, remove: 0, getKeys: 0 });
  expect(table['task']).toMatchObject({ set: 2, remove: 1, getKeys: 0 });
});

// The background reads what earlier ones have left without waiting, just before the write that notes an event.
it('serves a read before the write that follows it', async () => {
  const extension = await launchTestExtension('event');
  const page = await extension.open('options.html');

  expect(await page.evaluate(() => eventful.query('storage.order', undefined, { timeout: 60_000 }))).toBe(
    1_000,
  );
});
