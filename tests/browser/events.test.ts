import { setTimeout as sleep } from 'node:timers/promises';
import type { Plugin } from 'vite';
import { expect, inject, it } from 'vitest';

import { pollUntil, type View } from '../../scripts/browsers/running-extension.ts';
import { launchTestExtension, stores } from '../support/built-extension.ts';
import { followCounter } from '../support/page-actions.ts';

/** Milliseconds until alarms go off. The test needs this time for its preparations. */
const AHEAD = 1_000;

/** Number of times that the worker is killed. */
const ROUNDS = { daily: 2, release: 4, soak: 15 }[inject('size')];

/**
 * `true` if a note is safe in `storage.local` as soon as the listener has returned, as in Firefox. Chromium drops whatever
 * a background writes after its stop has begun.
 */
const isNotedAtOnce = inject('browserName') === 'firefox';

it('shows the change of an event that has started the background in an open page', async () => {
  const { extension, page } = await start();
  await page.evaluate(followCounter);
  await page.waitFor(() => document.title === '0');
  await extension.stopWorker();
  await page.waitFor(() => core.connection.state().status === 'asleep');

  await setAlarms(page, ['asleep'], Date.now());

  expect(await page.waitFor(() => document.title === '1')).toBe(true);
});

it.each(inject('size') === 'daily' ? stores.slice(0, 1) : stores)(
  'neither loses nor repeats a change when the worker is killed during events, over %s',
  async (store, plugins) => {
    const { extension, page } = await start(plugins);
    const total = { proven: 0, written: 0, noted: 0 };

    for (let round = 0; round < ROUNDS; round += 1) {
      // Half of the events make a change without a key.
      const events = numbered(`${round} event`).map((name, index) => (index % 2 ? `${name}#free` : name));
      const own = numbered(`${round} page`);
      const at = Date.now() + AHEAD;
      await setAlarms(page, events, at);
      const byPage = page.evaluate(changeAt, own, at);
      // Chromium's listeners run within 10 ms. Every other round stops the worker while they run.
      const until = round % 2 === 0 ? at + Math.random() * 120 : at - 4 + Math.random() * 14;
      await sleep(Math.max(until - Date.now(), 0));
      await extension.stopWorker();
      await byPage;

      const { proven, written, noted } = await witnessed(page, `${round} event`);
      const kept = isNotedAtOnce && store === 'storage.local' ? [...proven, ...noted] : noted;
      const made = await changesWith(page, [...own, ...kept]);
      expect(Object.entries(made).filter(([, times]) => times !== 1)).toEqual([]);
      // The core keeps what a plain write at the start of the listener keeps. The stop may have begun between the two.
      const onlyWritten = store === 'storage.local' ? written.filter((name) => !noted.includes(name)) : [];
      expect(onlyWritten.slice(1)).toEqual([]);
      total.proven += proven.length;
      total.written += written.length;
      total.noted += noted.length;
    }
    // This event is carried out after all noted ones.
    await setAlarms(page, ['last'], Date.now());
    const changes = await changesWith(page, ['last']);

    const counted = Object.keys(changes).filter((name) => name.includes(' event ')).length;
    console.log(`measured: ${inject('browserName')}: ${store}: ${JSON.stringify({ ...total, counted })}`);
    expect(Object.entries(changes).filter(([, times]) => times !== 1)).toEqual([]);
    expect(await page.evaluate(() => core.query('counter.read'))).toBe(Object.keys(changes).length);
    expect(counted).toBeGreaterThan(ROUNDS);
  },
);

it('logs a call of a listener that fails, and a listener that is registered too late, once each', async () => {
  const { extension, page } = await start();

  await setAlarms(page, ['fail'], Date.now());
  await pollUntil(async () => (await witnessed(page, 'fail')).proven.length > 0, 'the first event');
  await page.evaluate(() => core.query('listener.add'));
  // This event is carried out after the other, and its change is then in the state.
  await setAlarms(page, ['last'], Date.now());
  await changesWith(page, ['last']);

  const texts = (await extension.readConsole()).map(({ text }) => text);
  expect(texts).toHaveLength(2);
  expect(texts.join()).toContain('Error: change.fail · DECLARED · refused');
  expect(texts.join()).toContain('Error: A listener of alarms.onAlarm was registered too late');
});

async function start(plugins: readonly Plugin[] = []) {
  const extension = await launchTestExtension('core', plugins);
  const page = await extension.open('options.html');
  // In Chromium, a worker that is stopped during its registration stays silent. This call waits until it is registered.
  await page.evaluate(() => core.query('change.list'));
  await page.evaluate(witnessEvents);
  return { extension, page };
}

const numbered = (name: string): string[] => Array.from({ length: 20 }, (_, index) => `${name} ${index}`);

function setAlarms(page: View, names: readonly string[], at: number): Promise<unknown> {
  return page.evaluate(
    (all, when) => Promise.all(all.map((name) => chrome.alarms.create(name, { when }))),
    names,
    at,
  );
}

/** Runs in the page. Makes all of these changes together at a time, in ms since 1970. */
async function changeAt(names: readonly string[], at: number): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, at - Date.now()));
  await Promise.all(names.map((name) => core.mutate('change.make', name, { timeout: 60_000 })));
}

/** The names of events. */
interface Witnessed {
  /** Those whose listener has run. */
  readonly proven: string[];
  /** Those for which the plain write of the listener has reached the store. */
  readonly written: string[];
  /** Those whose note has reached the store. */
  readonly noted: string[];
}

/** Runs in the page. From now on it records the names of events. */
function witnessEvents(): void {
  const seen: Witnessed = { proven: [], written: [], noted: [] };
  Object.assign(globalThis, { seen });
  chrome.storage.local.onChanged.addListener((changes) => {
    for (const [key, { newValue }] of Object.entries(changes)) {
      if (key.startsWith('written/')) seen.written.push(key.slice('written/'.length));
      if (!/^queue\/\d/u.test(key) || typeof newValue !== 'string') continue;
      const { kind, data } = JSON.parse(newValue) as { readonly kind: string; readonly data: unknown };
      if (kind === 'event') seen.noted.push(String(data));
    }
  });
  new BroadcastChannel('proofs').addEventListener('message', ({ data }) => seen.proven.push(String(data)));
}

/** Returns the recorded names that begin with this text. */
async function witnessed(page: View, prefix: string): Promise<Witnessed> {
  const seen = await page.evaluate(() => (globalThis as unknown as { readonly seen: Witnessed }).seen);
  const only = (names: readonly string[]): string[] => [
    ...new Set(names.filter((name) => name.startsWith(prefix))),
  ];
  return { proven: only(seen.proven), written: only(seen.written), noted: only(seen.noted) };
}

/** Waits until all of these changes took effect. Returns how often each change took effect, by name. */
function changesWith(page: View, names: readonly string[]): Promise<Readonly<Record<string, number>>> {
  return pollUntil(async () => {
    const all = await page.evaluate(() => core.query('change.list'));
    return names.every((name) => name in all) && all;
  }, `the changes ${names.join()}`);
}
