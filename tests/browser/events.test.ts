import { setTimeout as sleep } from 'node:timers/promises';
import type { Plugin } from 'vite';
import { expect, inject, it } from 'vitest';

import { pollUntil, type RunningExtension, type View } from '../../scripts/browsers/running-extension.ts';
import { launchTestExtension, stores } from '../support/built-extension.ts';

/** Milliseconds until alarms go off. The test needs this time for its preparations. */
const AHEAD = 1_000;

/** Number of times that the worker is killed. */
const ROUNDS = inject('isSoak') ? 15 : 4;

/**
 * `true` if a note is safe in `storage.local` as soon as the listener has returned, as in Firefox. Chromium drops whatever
 * a background writes after its stop has begun.
 */
const isNotedAtOnce = inject('browserName') === 'firefox';

it('shows the change of an event in an open page, also when the event has started the background', async () => {
  const { extension, page } = await start();
  await page.evaluate(() => {
    const show = async (): Promise<void> => {
      for await (const count of eventful.subscribe('counter.watch')) document.title = String(count);
    };
    void show();
  });
  await page.waitFor(() => document.title === '0');

  await extension.clickMenuItem({ menuItemId: 'change', selectionText: 'click' });
  await page.waitFor(() => document.title === '1');
  await extension.stopWorker();
  await page.waitFor(() => eventful.connection.state().status === 'asleep');
  await setAlarms(page, ['asleep'], Date.now());

  expect(await page.waitFor(() => document.title === '2')).toBe(true);
});

it('makes a change with a key once when three events make it, in two backgrounds', async () => {
  const { extension, page } = await start();

  await setAlarms(page, ['once#1', 'once#2'], Date.now());
  await namesFrom(page, 'proven', 2);
  await extension.stopWorker();
  await setAlarms(page, ['once#3', 'other'], Date.now());
  await namesFrom(page, 'proven', 4);

  expect(await changesWhen(page, 2)).toEqual([
    ['once', 1],
    ['other', 1],
  ]);
});

it.each(stores)(
  'neither loses nor repeats a change when the worker is killed during events, over %s',
  async (store, plugins) => {
    const { extension, page } = await start(plugins);
    const total = { made: 0, proven: 0, written: 0, noted: 0 };

    for (let round = 0; round < ROUNDS; round += 1) {
      // Half of the events make a change without a key.
      const events = numbered(`${round} event`, 20).map((name, index) =>
        index % 2 === 0 ? name : `${name}#free`,
      );
      const own = numbered(`${round} page`, 20);
      const at = Date.now() + AHEAD;
      await setAlarms(page, events, at);
      const byPage = page.evaluate(changeAt, own, at);
      // Chromium's listeners run within 10 ms. Every other round stops the worker while they run.
      const until = round % 2 === 0 ? at + Math.random() * 120 : at - 4 + Math.random() * 14;
      await sleep(Math.max(until - Date.now(), 0));
      await extension.stopWorker();
      await byPage;

      const ofRound = (names: readonly string[]): string[] =>
        names.filter((name) => name.startsWith(`${round} event`));
      const proven = ofRound(await namesFrom(page, 'proven'));
      const written = ofRound(await namesFrom(page, 'written'));
      const noted = ofRound(await namesFrom(page, 'noted'));
      const kept = isNotedAtOnce && store === 'storage.local' ? [...proven, ...noted] : noted;
      const counted = await pollUntil(async () => {
        const all = Object.fromEntries(await changesOf(page));
        return kept.every((name) => name in all) && all;
      }, `the changes of round ${round}: ${kept.join()}`);
      const inRound = Object.entries(counted).filter(([name]) => name.startsWith(`${round} `));
      expect(inRound.filter(([, times]) => times !== 1)).toEqual([]);
      expect(own.filter((name) => !(name in counted))).toEqual([]);
      // The core keeps what a plain write at the start of the listener keeps. The stop may have begun between the two.
      const onlyWritten = store === 'storage.local' ? written.filter((name) => !noted.includes(name)) : [];
      expect(onlyWritten.slice(1)).toEqual([]);
      total.made += events.length;
      total.proven += proven.length;
      total.written += written.length;
      total.noted += noted.length;
    }
    // This event is carried out after all noted ones.
    await setAlarms(page, ['last'], Date.now());
    await pollUntil(async () => new Map(await changesOf(page)).has('last'), 'the last event');

    const { count, changes } = await page.evaluate(() => eventful.query('change.list'));
    const counted = changes.filter(({ name }) => / event /.test(name)).length;
    console.log(`measured: ${inject('browserName')}: ${store}: ${JSON.stringify({ ...total, counted })}`);
    expect(changes.filter(({ times }) => times !== 1)).toEqual([]);
    expect(count).toBe(changes.length);
    expect(counted).toBeGreaterThan(ROUNDS);
  },
);

it('logs a call of a listener that fails, and a listener that is registered too late, once each', async () => {
  const { extension, page } = await start();

  await setAlarms(page, ['fail'], Date.now());
  await namesFrom(page, 'proven', 1);
  await page.evaluate(() => eventful.query('listener.add'));
  // This event is carried out after the other, and its change is then in the state.
  await setAlarms(page, ['last'], Date.now());
  await changesWhen(page, 1);

  const texts = (await extension.readConsole()).map(({ text }) => text);
  expect(texts).toHaveLength(2);
  expect(texts.join()).toContain('Error: change.fail · DECLARED · refused');
  expect(texts.join()).toContain('Error: A listener of alarms.onAlarm was registered too late');
});

async function start(
  plugins: readonly Plugin[] = [],
): Promise<{ readonly extension: RunningExtension; readonly page: View }> {
  const extension = await launchTestExtension('event', plugins);
  const page = await extension.open('options.html');
  // In Chromium, a worker that is stopped during its registration stays silent. This call waits until it is registered.
  await page.evaluate(() => eventful.query('change.list'));
  await page.evaluate(witnessEvents);
  return { extension, page };
}

const numbered = (name: string, count: number): string[] =>
  Array.from({ length: count }, (_, index) => `${name} ${index}`);

const nameOf = (alarm: string): string => alarm.split('#')[0] ?? '';

async function setAlarms(page: View, names: readonly string[], at: number): Promise<void> {
  await page.evaluate(
    async (all, when) => {
      await Promise.all(all.map((name) => chrome.alarms.create(name, { when })));
    },
    names,
    at,
  );
}

/** Runs in the page. Makes all of these changes together at a time, in ms since 1970. */
async function changeAt(names: readonly string[], at: number): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, at - Date.now()));
  await Promise.all(names.map((name) => eventful.mutate('change.make', name)));
}

/**
 * Runs in the page. From now on it records the names of events in the body: in `data-noted` when the note has reached the
 * store, in `data-written` when the plain write of its listener has, and in `data-proven` when the listener has run.
 */
function witnessEvents(): void {
  const noted = new Set<string>();
  const written = new Set<string>();
  chrome.storage.local.onChanged.addListener((changes) => {
    for (const [key, { newValue }] of Object.entries(changes)) {
      if (key.startsWith('written/')) written.add(key.slice('written/'.length));
      if (!key.startsWith('queue/event/') || typeof newValue !== 'string') continue;
      for (const { input } of JSON.parse(newValue) as { readonly input: string }[]) noted.add(input);
    }
    document.body.dataset['noted'] = JSON.stringify([...noted]);
    document.body.dataset['written'] = JSON.stringify([...written]);
  });
  const proven = new Set<unknown>();
  new BroadcastChannel('proofs').addEventListener('message', ({ data }) => {
    proven.add(data);
    document.body.dataset['proven'] = JSON.stringify([...proven]);
  });
}

/** Waits until there are at least this many names of events, and returns them. */
function namesFrom(
  page: View,
  source: 'noted' | 'written' | 'proven',
  least = 0,
): Promise<readonly string[]> {
  return pollUntil(async () => {
    const names = await page.evaluate(
      (from) => JSON.parse(document.body.dataset[from] ?? '[]') as string[],
      source,
    );
    return names.length >= least && names.map(nameOf);
  }, `${least} events that are ${source}`);
}

/** Returns the changes, and how often each took effect, in the order of their names. */
async function changesOf(page: View): Promise<readonly (readonly [name: string, times: number])[]> {
  const { changes } = await page.evaluate(() => eventful.query('change.list'));
  return changes.map(({ name, times }) => [name, times]);
}

/** Waits until at least this many changes took effect, and returns them. */
function changesWhen(
  page: View,
  count: number,
): Promise<readonly (readonly [name: string, times: number])[]> {
  return pollUntil(async () => {
    const state = await page.evaluate(() => eventful.query('change.list'));
    return state.count >= count && changesOf(page);
  }, `${count} changes`);
}
