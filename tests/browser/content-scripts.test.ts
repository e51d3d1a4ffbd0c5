import { expect, inject, it } from 'vitest';

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
  // Chromium logs a port that it closes, unless the background reads the reason (bitwarden/clients#21206).
  expect(await extension.readConsole()).toEqual([]);
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
