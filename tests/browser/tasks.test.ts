import { setTimeout as sleep } from 'node:timers/promises';
import { expect, inject, it } from 'vitest';

import { pollUntil, type View } from '../../scripts/browsers/running-extension.ts';
import { buildTestExtension, launchOwnBrowser, launchTestExtension } from '../support/built-extension.ts';
import { startService } from '../support/request-service.ts';

const [TASKS, KILLS] = inject('isSoak') ? [100, 50] : [40, 10];

/** Milliseconds that the service takes for an answer, and between two kills. Each is the highest of random values. */
const [MAX_ANSWER, MAX_PAUSE] = [200, 500];

it(`settles each of ${TASKS} tasks once while the worker is killed ${KILLS} times`, async () => {
  const service = await startService(async () => {
    await sleep(Math.random() * MAX_ANSWER);
    return { status: 200 };
  });
  const extension = await launchTestExtension('event');
  const page = await openPage(extension);
  const names = numbered(TASKS);
  const sent = send(page, service.address, names);

  for (let count = 0; count < KILLS; count += 1) {
    await sleep(Math.random() * MAX_PAUSE);
    await extension.stopWorker();
    // Starts the next background.
    await readSettled(page);
  }
  await sent;
  const all = await settledWhen(page, TASKS);

  const requests = names.map((name) => service.requests.get(name) ?? []);
  const total = requests.flat().length;
  console.log(`measured: ${inject('browserName')}: ${JSON.stringify({ TASKS, KILLS, total })}`);
  expect(all).toEqual(Object.fromEntries(names.map((name) => [name, { done: 1, failed: 0 }])));
  // Each task was requested at least once, and always with the same key.
  expect(requests.map((ofTask) => new Set(ofTask.map(({ key }) => key)).size)).toEqual(names.map(() => 1));
  expect(total).toBeGreaterThan(TASKS);
  expect(await readOpen(page)).toEqual([]);
});

it('sends no second request before the time in `Retry-After`, and does not count the attempt', async () => {
  const service = await startService(async (_name, count) =>
    count === 1 ? { status: 429, retryAfter: 3 } : { status: 200 },
  );
  const extension = await launchTestExtension('event');
  const page = await openPage(extension);
  const names = numbered(5);
  await send(page, service.address, names);
  const waiting = await pollUntil(async () => {
    const open = await readOpen(page);
    return open.every(({ due }) => due > Date.now()) && open;
  }, 'the first answers');

  // The pause lasts longer than this background.
  await extension.stopWorker();
  const all = await settledWhen(page, names.length);

  expect(waiting.map(({ tries }) => tries)).toEqual(names.map(() => 0));
  expect(all).toEqual(Object.fromEntries(names.map((name) => [name, { done: 1, failed: 0 }])));
  for (const name of names) {
    const [first, second, ...more] = service.requests.get(name) ?? [];
    expect((second?.at ?? 0) - (first?.at ?? Infinity)).toBeGreaterThanOrEqual(3_000);
    expect(more).toEqual([]);
  }
});

it('continues with its tasks after a restart of the browser', async () => {
  let isHanging = true;
  const service = await startService(async () => {
    while (isHanging) await sleep(50);
    return { status: 200 };
  });
  let extension = await launchOwnBrowser(await buildTestExtension('event'));
  let page = await openPage(extension);
  const names = numbered(10);
  await send(page, service.address, names);
  await pollUntil(async () => service.requests.size > 0, 'the first request');

  extension = await extension.restart();
  isHanging = false;
  page = await openPage(extension);

  expect(await settledWhen(page, names.length)).toEqual(
    Object.fromEntries(names.map((name) => [name, { done: 1, failed: 0 }])),
  );
  const keys = names.map((name) => new Set(service.requests.get(name)?.map(({ key }) => key)).size);
  expect(keys).toEqual(names.map(() => 1));
});

it('aborts the request of a task that is cancelled, and removes the task', async () => {
  const service = await startService(() => new Promise(() => {}));
  const extension = await launchTestExtension('event');
  const page = await openPage(extension);
  const [id = ''] = await send(page, service.address, ['hanging']);
  await pollUntil(async () => service.requests.size === 1, 'the request');

  await page.evaluate((task) => eventful.mutate('request.cancel', task), id);

  await pollUntil(async () => service.aborted() === 1, 'the end of the request');
  expect(await readOpen(page)).toEqual([]);
  expect(await readSettled(page)).toEqual({});
  expect(await extension.readConsole()).toEqual([]);
});

it('moves a task to the quarantine whose data no longer fits its schema after an update', async () => {
  const extension = await launchTestExtension('event');
  const page = await openPage(extension);
  await extension.stopWorker();
  // An older version has stored it, whose data had other members.
  const record = {
    task: 'request',
    data: { url: 'x' },
    at: Date.now(),
    version: '0.9',
    tries: 0,
    due: 0,
    wait: 0,
  };
  const text = JSON.stringify({ ...record, owner: 'older' });
  await page.evaluate(
    (stored) => chrome.storage.local.set({ 'queue/tasks': 1, 'queue/task/000001700000000-older-1': stored }),
    text,
  );

  const [kept] = await page.waitFor(async () => {
    const texts = await eventful.query('unreadable.texts');
    return texts.length === 1 && texts;
  });

  expect(JSON.parse(kept ?? '')).toMatchObject(record);
  expect(await readOpen(page)).toEqual([]);
  const texts = (await extension.readConsole()).map(({ text: line }) => line);
  expect(texts).toEqual([
    expect.stringContaining('Error: The task "request" does not fit this version of the extension.'),
  ]);
});

it('wakes the background by an alarm when a task is due', async () => {
  const service = await startService(async () => ({ status: 200 }));
  const extension = await launchTestExtension('event');
  const page = await openPage(extension);
  await send(page, service.address, ['later'], 3_000);
  await page.waitFor(async () => (await chrome.alarms.get('messaging')) !== undefined);
  await extension.stopWorker();

  // The page does not call the background, so only the alarm can wake it.
  await pollUntil(async () => service.requests.size === 1, 'the request');
  await page.waitFor(async () => 'settled/later' in (await chrome.storage.local.get(null)));

  expect(await readSettled(page)).toEqual({ later: { done: 1, failed: 0 } });
  await page.waitFor(async () => (await chrome.alarms.get('messaging')) === undefined);
});

async function openPage(extension: { open(address: string): Promise<View> }): Promise<View> {
  const page = await extension.open('options.html');
  // In Chromium, a worker that is stopped during its registration stays silent. This call waits until it is registered.
  await readSettled(page);
  return page;
}

const numbered = (count: number): string[] => Array.from({ length: count }, (_, index) => `task ${index}`);

/** Enqueues a task for each name. Returns their ids. */
function send(page: View, address: string, names: readonly string[], delay = 0): Promise<string[]> {
  return page.evaluate(
    (all, to, after) => {
      const patient = { timeout: 60_000 };
      return Promise.all(
        all.map((name) => eventful.mutate('request.send', { name, address: to, delay: after }, patient)),
      );
    },
    names,
    address,
    delay,
  );
}

const readSettled = (page: View) =>
  page.evaluate(() => eventful.query('request.settled', undefined, { timeout: 60_000 }));

const readOpen = (page: View) => page.evaluate(() => eventful.query('request.open'));

/** Waits until this many tasks are settled. Returns how often each was. */
function settledWhen(page: View, count: number) {
  return pollUntil(async () => {
    const all = await readSettled(page);
    return Object.keys(all).length >= count && all;
  }, `${count} settled tasks`);
}
