import { setTimeout as sleep } from 'node:timers/promises';
import { expect, inject, it } from 'vitest';

import { pollUntil, type RunningExtension, type View } from '../../scripts/browsers/running-extension.ts';
import { launchTestExtension, stores } from '../support/built-extension.ts';
import { startService } from '../support/request-service.ts';

/** Number of kills, and of tasks that are enqueued before each. */
const KILLS = { daily: 4, release: 10, soak: 1_000 }[inject('size')];
const TASKS = inject('size') === 'soak' ? 1 : 4;

/** Milliseconds that the service takes for an answer, and between two kills. Each is the highest of random values. */
const [MAX_ANSWER, MAX_PAUSE] = [200, 500];

it.each(inject('size') === 'daily' ? stores.slice(0, 1) : stores)(
  'settles each task once while the worker is killed again and again, over %s',
  async (store, plugins) => {
    const service = await startService(() => sleep(Math.random() * MAX_ANSWER));
    const extension = await launchTestExtension('core', plugins);
    const page = await openPage(extension);
    const names = numbered(TASKS * KILLS);
    const sent: Promise<unknown>[] = [];

    for (let kill = 0; kill < KILLS; kill += 1) {
      sent.push(send(page, service.address, names.slice(kill * TASKS, (kill + 1) * TASKS)));
      await sleep(Math.random() * MAX_PAUSE);
      await extension.stopWorker();
      // Starts the next background.
      await readOpen(page);
    }
    await Promise.all(sent);
    await pollUntil(async () => (await readOpen(page)) === 0, 'the last task');

    const total = [...service.requests.values()].flat().length;
    console.log(
      `measured: ${inject('browserName')}: ${JSON.stringify({ store, KILLS, tasks: names.length, total })}`,
    );
    expect(await readSettled(page)).toEqual(doneOnce(names));
    // Each task was requested at least once, and always with the same key.
    expect(keysOf(service)).toEqual(names.map(() => 1));
    // A few kills may interrupt no request.
    expect(total).toBeGreaterThanOrEqual(names.length + (inject('size') === 'daily' ? 0 : 1));
  },
);

it('sends a paused service no request before the time in `Retry-After`, also in the next background', async () => {
  let isBusy = true;
  const service = await startService(async () => {
    const answer = isBusy ? { status: 429, retryAfter: 3 } : {};
    isBusy = false;
    return answer;
  });
  const extension = await launchTestExtension('core');
  const page = await openPage(extension);
  await send(page, service.address, ['refused']);
  await page.waitFor(async () => {
    const all = Object.entries(await chrome.storage.local.get(null));
    const texts = all.filter(([key]) => /^queue\/\d/u.test(key)).map(([, text]) => String(text));
    return texts.some((text) => (JSON.parse(text) as { readonly due: number }).due > Date.now());
  });
  const names = numbered(5);
  await send(page, service.address, names);

  await extension.stopWorker();

  expect(await settledWhen(page, names.length + 1)).toEqual(doneOnce(['refused', ...names]));
  const [first, ...later] = [...service.requests.values()].flat().map(({ at }) => at);
  expect(later).toHaveLength(names.length + 1);
  expect(Math.min(...later) - (first ?? Infinity)).toBeGreaterThanOrEqual(3_000);
});

it('attempts a task that has failed again as soon as the network is back', async () => {
  const service = await startService(async (count) => (count <= 3 ? { status: 503 } : {}));
  const extension = await launchTestExtension('core');
  const page = await openPage(extension);
  await send(page, service.address, ['failing']);
  // The third pause lasts 16 seconds.
  const due = await page.waitFor(async () => {
    const [text] = Object.entries(await chrome.storage.local.get(null))
      .filter(([key]) => /^queue\/\d/u.test(key))
      .map(([, stored]) => String(stored));
    const record = JSON.parse(text ?? '{}') as { readonly tries?: number; readonly due?: number };
    return record.tries === 3 && record.due;
  });

  await extension.interruptNetwork();

  expect(await settledWhen(page, 1)).toEqual(doneOnce(['failing']));
  expect(service.requests.get('failing')?.[3]?.at).toBeLessThan(due);
});

it('moves a task to the quarantine whose data no longer fits its schema after an update', async () => {
  const extension = await launchTestExtension('core');
  const page = await openPage(extension);
  await extension.stopWorker();
  // An older version has stored it, whose data had other members.
  const record = {
    kind: 'task',
    name: 'request',
    data: { url: 'x' },
    at: Date.now(),
    version: '0.9',
    tries: 0,
  };
  const text = JSON.stringify({ ...record, key: 'key', deaths: 0, due: 0, wait: 0 });
  await page.evaluate(
    (stored) => chrome.storage.local.set({ 'queue/newest': '1', 'queue/000000000001': stored }),
    text,
  );

  // The next background finds it.
  await readSettled(page);
  const stored = await page.waitFor(async () => {
    const all = Object.entries(await chrome.storage.local.get(null));
    const isLeft = all.some(([key]) => /^queue\/\d/u.test(key));
    return !isLeft && all.find(([key]) => key.startsWith('quarantine/'))?.[1];
  });

  expect(JSON.parse((stored as { readonly text: string }).text)).toMatchObject(record);
  const texts = (await extension.readConsole()).map(({ text: line }) => line);
  expect(texts).toEqual([
    expect.stringContaining('Error: The task "request" does not fit this version of the extension.'),
  ]);
});

it('wakes the background by an alarm when a task is due', async () => {
  const service = await startService(async () => {});
  const extension = await launchTestExtension('core');
  const page = await openPage(extension);
  await send(page, service.address, ['later'], 3_000);
  await page.waitFor(async () => (await chrome.alarms.get('messaging')) !== undefined);
  await extension.stopWorker();

  // The page does not call the background, so only the alarm can wake it.
  await pollUntil(async () => service.requests.size === 1, 'the request');
  await page.waitFor(async () => 'settled/later' in (await chrome.storage.local.get(null)));

  expect(await readSettled(page)).toEqual(doneOnce(['later']));
  await page.waitFor(async () => (await chrome.alarms.get('messaging')) === undefined);
});

async function openPage(extension: RunningExtension): Promise<View> {
  const page = await extension.open('options.html');
  // In Chromium, a worker that is stopped during its registration stays silent. This call waits until it is registered.
  await readSettled(page);
  return page;
}

const numbered = (count: number): string[] => Array.from({ length: count }, (_, index) => `task ${index}`);

/** Returns the number of different idempotency keys for each name. */
const keysOf = ({ requests }: Awaited<ReturnType<typeof startService>>): number[] =>
  [...requests.values()].map((ofName) => new Set(ofName.map(({ key }) => key)).size);

const doneOnce = (names: readonly string[]): object =>
  Object.fromEntries(names.map((name) => [name, { done: 1, failed: 0 }]));

/** Enqueues a task for each name. */
function send(page: View, address: string, names: readonly string[], delay = 0): Promise<unknown> {
  const inputs = names.map((name) => ({ name, address, delay }));
  return page.evaluate(
    (all) => Promise.all(all.map((input) => core.mutate('request.send', input, { timeout: 60_000 }))),
    inputs,
  );
}

const readSettled = (page: View) =>
  page.evaluate(() => core.query('request.settled', undefined, { timeout: 60_000 }));

/** Returns the number of tasks that are not done. */
const readOpen = (page: View) =>
  page.evaluate(() => core.query('request.open', undefined, { timeout: 60_000 }));

/** Waits until this many tasks are settled. Returns how often each was. */
function settledWhen(page: View, count: number) {
  return pollUntil(async () => {
    const all = await readSettled(page);
    return Object.keys(all).length >= count && all;
  }, `${count} settled tasks`);
}
