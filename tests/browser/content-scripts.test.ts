import { expect, inject, it } from 'vitest';

import type { View } from '../../scripts/browsers/running-extension.ts';
import { act, addOne, launchContent, shows, statusIs } from '../support/content-page.ts';

// tests/browser/senders.test.ts shows which content scripts are answered. Variants are in tests/release/content-scripts.test.ts.

it('resumes the subscriptions of a content script even if a page of the extension keeps its port open', async () => {
  const { extension, page } = await launchContent();
  const listener = await extension.open('options.html');
  // In Chromium, this listener keeps the ports of content scripts open after the death of the worker.
  await listener.evaluate(() => chrome.runtime.onConnect.addListener(() => {}));
  await page.reload();
  await shows(page, '0');
  await extension.stopWorker();

  await addOne(extension);

  expect(await shows(page, '1')).toBe(true);
});

it('resumes subscriptions in private windows and container tabs when the background wakes', async () => {
  const { extension, address } = await launchContent();
  await extension.allowPrivateWindows();
  const options = await extension.open('options.html');
  await options.evaluate(() => localStorage.setItem('mark', 'set'));
  const inPrivate = `${address}private`;
  const pages: View[] = [];
  // In Chromium, pages of the extension open in a normal window, and there are no containers.
  if (inject('browserName') === 'firefox') {
    const tab = { url: `${extension.origin}/options.html?container`, cookieStoreId: 'firefox-container-1' };
    await options.evaluate((created) => chrome.tabs.create(created), tab);
    const url = `${extension.origin}/options.html?private`;
    await options.evaluate((created) => chrome.windows.create(created), { incognito: true, url });
    pages.push(await extension.findView(tab.url), await extension.findView(url));
  }
  await options.evaluate((url) => chrome.windows.create({ incognito: true, url }), inPrivate);
  const script = await extension.findView(inPrivate);
  await shows(script, '0');
  for (const page of pages) await page.waitFor(() => document.title === '0');
  await extension.stopWorker();
  for (const page of pages) await page.waitFor(() => own.connection.state().status === 'asleep');
  await statusIs(script, 'asleep');

  await addOne(extension);

  for (const page of pages) {
    await page.waitFor(() => document.title === '1');
    expect(await page.evaluate(() => localStorage.getItem('mark'))).toBeNull();
  }
  expect(await shows(script, '1')).toBe(true);
  expect(await act(script, 'ask who calls')).toMatchObject([{ isPrivate: true }, { isPrivate: true }]);
});

it('serves a content script again when its page is back from the back/forward cache', async () => {
  const { extension, page, address } = await launchContent();
  await shows(page, '0');
  await page.evaluate(() => {
    addEventListener('pageshow', ({ persisted }) => (document.body.dataset['persisted'] = String(persisted)));
  });

  await page.evaluate((next) => void (location.href = next), `${address}next`);
  await page.waitFor(() => location.pathname === '/next');
  await addOne(extension);
  await page.evaluate(() => history.back());
  await page.waitFor(() => location.pathname === '/' && document.body.dataset['persisted'] === 'true');

  expect(await shows(page, '1')).toBe(true);
  expect(await act(page, 'echo')).toMatchObject({ outcome: 'Hello from content' });
});

it('replaces an old content script and its output after an update', async () => {
  const { extension, page, folder } = await launchContent();
  await addOne(extension);
  await shows(page, '1');

  await extension.installExtension(folder);
  await addOne(extension);

  expect(await shows(page, '2')).toBe(true);
  expect(await page.evaluate(() => document.querySelectorAll('count-output').length)).toBe(1);
});

// Firefox ends the script without notice, and its output stays until the page is loaded again.
it.skipIf(inject('browserName') === 'firefox')(
  'removes the output of a content script that makes no calls when the extension is disabled',
  async () => {
    const { extension, page } = await launchContent();
    await shows(page, '0');
    await statusIs(page, 'awake');

    await extension.disableExtension();

    expect(await page.waitFor(() => document.querySelector('count-output') === null)).toBe(true);
  },
);
