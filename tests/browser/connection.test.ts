import { expect, it } from 'vitest';

import { buildTestExtension, launchBuiltExtension, launchTestExtension } from '../support/built-extension.ts';
import { followCounter } from '../support/page-actions.ts';

it('serves new pages after an update, with the stored state, and leaves no call of an old page waiting', async () => {
  const folder = await buildTestExtension('core');
  const extension = await launchBuiltExtension(folder);
  const before = await extension.open('options.html');
  await before.evaluate(() => core.mutate('counter.add', 3));

  await extension.installExtension(folder);
  const after = await extension.open('options.html');

  expect(await after.evaluate(() => core.mutate('counter.add', 1))).toBe(4);
  // The old page is closed by the browser, or is served, or its connection has failed. Its call always ends.
  const old = await before
    .evaluate(() =>
      core.query('counter.read', undefined, { timeout: 2_000 }).then(
        () => 'answered',
        () => core.connection.state().status,
      ),
    )
    .catch(() => 'closed');
  expect(['answered', 'failed', 'closed']).toContain(old);
});

it('neither answers nor closes a port with another name', async () => {
  const page = await (await launchTestExtension('core')).open('options.html');

  const heard = await page.evaluate(async () => {
    const events: string[] = [];
    // Such a port is for another part of the extension, which may answer later.
    const port = chrome.runtime.connect({ name: 'other' });
    port.onDisconnect.addListener(() => events.push('disconnect'));
    port.onMessage.addListener(() => events.push('message'));
    port.postMessage([{ kind: 'query', id: 1, name: 'counter.read', attempt: 1, timeout: 60_000 }]);
    // The background has seen the port by the time it answers these.
    for (let count = 0; count < 20; count += 1) await core.query('counter.read');
    return events;
  });

  expect(heard).toEqual([]);
});

it('resumes subscriptions when the background wakes, even if another page listens, and without a message to it', async () => {
  const extension = await launchTestExtension('core');
  const listener = await extension.open('options.html');
  await listener.evaluate(() => {
    // In Chromium, a page with this listener keeps the ports of other pages open.
    chrome.runtime.onConnect.addListener(() => {});
    chrome.runtime.onMessage.addListener(() => (document.title = 'heard'));
  });
  const page = await extension.open('options.html');
  await page.evaluate(followCounter);
  await page.waitFor(() => document.title === '0');
  await extension.stopWorker();

  const other = await extension.open('options.html');
  await other.evaluate(() => core.mutate('counter.add', 1));
  await page.waitFor(() => document.title === '1');
  const status = await page.evaluate(() => core.connection.state().status);
  const title = await listener.evaluate(() => document.title);
  await extension.stopWorker();
  const added = await page.evaluate(() => core.mutate('counter.add', 1));

  expect([status, title, added]).toEqual(['awake', 'ready', 2]);
  expect(await extension.readConsole()).toEqual([]);
});
