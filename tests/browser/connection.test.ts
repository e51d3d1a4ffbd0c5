import { expect, it } from 'vitest';

import { buildWatchedExtension, launchBuiltExtension, launchWatched } from '../support/built-extension.ts';
import { everyCall } from '../support/every-call.ts';
import { followCounter } from '../support/page-actions.ts';

it('serves pages after the extension was updated under them, with the state there was', async () => {
  const folder = await buildWatchedExtension();
  const extension = await launchBuiltExtension(folder);
  const before = await extension.open('options.html');
  await before.evaluate(() => watched.mutate('counter.add', 3));

  await extension.installExtension(folder);
  const after = await extension.open('options.html');

  expect(await after.evaluate(() => watched.query('counter.read'))).toBe(3);
  expect(await after.evaluate(() => watched.mutate('counter.add', 1))).toBe(4);
  // The browser closes the old page, or the page is served, or it says that it must be reloaded; it never waits without end.
  const old = await before
    .evaluate(async () =>
      watched.query('counter.read', undefined, { timeout: 2_000 }).then(
        () => 'answered',
        () => watched.connection.state().status,
      ),
    )
    .catch(() => 'closed');
  expect(['answered', 'failed', 'closed']).toContain(old);
});

it('takes calls that are together too large for one message, rejects one that is by itself, and continues', async () => {
  const page = await (await launchWatched()).open('options.html');

  const { together, alone } = await page.evaluate(async () => {
    const ask = (name: 'text.echo' | 'blob.echo', text: string): Promise<unknown> =>
      watched.query(name, text, { timeout: 600_000 }).then(
        ({ length }) => length,
        (error: unknown) => {
          const { code, delivery } = error as { code: string; delivery: string };
          return [code, delivery];
        },
      );
    // 72 MiB, of 64 that Chromium takes as one. Each is more than the procedure takes, so that the answers are small.
    const text = '€'.repeat(4 * 1024 * 1024 - 2);
    return {
      together: await Promise.all(Array.from({ length: 6 }, () => ask('text.echo', text))),
      // 72 MiB on Chromium's wire, then 24 Mi and 1.5 Mi characters of JSON.
      alone: [
        await ask('blob.echo', '\u0001'.repeat(12 * 1024 * 1024)),
        await ask('blob.echo', '\u0001'.repeat(2 ** 22)),
        await ask('blob.echo', '\u0001'.repeat(2 ** 18)),
      ],
    };
  });

  // With `not-sent` the page would have refused it: all of them came through.
  expect(together).toEqual(Array.from({ length: 6 }, () => [expect.any(String), 'handled']));
  expect(alone).toEqual([['TOO_LARGE', 'not-sent'], ['TOO_LARGE', 'not-sent'], 2 ** 18]);
});

it('leaves a port of another name alone', async () => {
  const page = await (await launchWatched()).open('options.html');
  await page.evaluate(() => watched.query('counter.read'));

  const { lost, received } = await page.evaluate(async (call) => {
    const outcome = { lost: false, received: 0 };
    // As a page opens one for another part of its extension, which answers later or never.
    const port = chrome.runtime.connect({ name: 'other' });
    port.onDisconnect.addListener(() => (outcome.lost = true));
    port.onMessage.addListener(() => (outcome.received += 1));
    port.postMessage([call]);
    // The background has seen the port by the time it answers these.
    for (let count = 0; count < 20; count += 1) await watched.query('counter.read');
    return outcome;
  }, everyCall[0]);

  expect({ lost, received }).toEqual({ lost: false, received: 0 });
});

it('resumes subscriptions when the background wakes, also under a page that listens to `onConnect`', async () => {
  const extension = await launchWatched();
  const listener = await extension.open('options.html');
  // In Chromium, this page keeps the ports of other pages open.
  await listener.evaluate(() => chrome.runtime.onConnect.addListener(() => {}));
  const page = await extension.open('options.html');
  await page.evaluate(followCounter);
  await page.waitFor(() => document.title === '0');
  await extension.stopWorker();

  const other = await extension.open('options.html');
  await other.evaluate(() => watched.mutate('counter.add', 1));
  await page.waitFor(() => document.title === '1');
  const status = await page.evaluate(() => watched.connection.state().status);
  await extension.stopWorker();
  const added = await page.evaluate(() => watched.mutate('counter.add', 1));

  expect([status, added]).toEqual(['awake', 2]);
});

it('resumes subscriptions when the background wakes, without a message that other listeners hear', async () => {
  const extension = await launchWatched();
  const page = await extension.open('options.html');
  await page.evaluate(() => {
    const heard: string[] = [];
    chrome.runtime.onMessage.addListener((message: unknown) => void heard.push(JSON.stringify(message)));
    Object.assign(globalThis, { heard });
  });
  await page.evaluate(followCounter);
  await page.waitFor(() => document.title === '0');
  await extension.stopWorker();
  await page.waitFor(() => watched.connection.state().status === 'asleep');

  const other = await extension.open('options.html');
  await other.evaluate(() => watched.mutate('counter.add', 1));
  await page.waitFor(() => document.title === '1');

  expect(await page.evaluate(() => (globalThis as unknown as { heard: string[] }).heard)).toEqual([]);
  expect(await extension.readConsole()).toEqual([]);
});
