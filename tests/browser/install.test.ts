import { expect, it } from 'vitest';

import { launchBuiltExtension, launchOwnBrowser } from '../support/built-extension.ts';

it('opens the popup from the toolbar and the options page in a tab, and neither complains', async () => {
  const extension = await launchBuiltExtension();

  const options = await extension.open('src/options/index.html');
  const popup = await extension.openPopup();

  expect(await options.waitFor(() => document.querySelector('h1')?.textContent)).toBeTruthy();
  expect(await popup.waitFor(() => document.querySelector('h1')?.textContent)).toBeTruthy();
  expect(await popup.url()).toMatch(`${extension.origin}/src/popup/`);
  expect(await extension.readConsole()).toEqual([]);
});

it('keeps what it stored when the browser is started again', async () => {
  const extension = await launchOwnBrowser();
  const before = await extension.open('src/options/index.html');
  await before.evaluate(() => chrome.storage.local.set({ kept: 'yes' }));

  const restarted = await extension.restart();
  const after = await restarted.open('src/options/index.html');

  expect(restarted.origin).toBe(extension.origin);
  expect(await after.evaluate(() => chrome.storage.local.get('kept'))).toEqual({ kept: 'yes' });
});
