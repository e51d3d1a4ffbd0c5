import { expect, it } from 'vitest';

import { launchBuiltExtension } from '../support/built-extension.ts';

it('opens the popup from the toolbar and the options page in a tab, and neither complains', async () => {
  const extension = await launchBuiltExtension();

  const options = await extension.open('src/options/index.html');
  const popup = await extension.openPopup();

  expect(await options.waitFor(() => document.querySelector('h1')?.textContent)).toBeTruthy();
  expect(await popup.waitFor(() => document.querySelector('h1')?.textContent)).toBeTruthy();
  expect(await popup.url()).toMatch(`${extension.origin}/src/popup/`);
  expect(await extension.readConsole()).toEqual([]);
});
