import { expect, it } from 'vitest';

import type { View } from '../../scripts/browsers/running-extension.ts';
import { pages } from '../../src/contract/pages.ts';
import { launchBuiltExtension, withWorkerPrelude } from '../support/built-extension.ts';
import { chooseTheme, openPreferences, pickTheme } from '../support/page-actions.ts';

it('carries a preference from the options page to an open popup, over a dead worker', async () => {
  const extension = await launchBuiltExtension();
  const options = await openPreferences(extension);
  const popup = await extension.openPopup();
  await popup.waitFor(() => document.documentElement.dataset['theme'] === 'system');

  await pickTheme(options, 'Dark');
  for (const page of [popup, options]) await shows(page, 'dark');
  expect(await stored(options)).toMatchObject({ version: 1, data: { theme: 'dark' } });

  await extension.stopWorker();
  await pickTheme(options, 'Light');
  await shows(popup, 'light');
  expect(await stored(options)).toMatchObject({ version: 1, data: { theme: 'light' } });
  expect(await extension.readConsole()).toEqual([]);
});

/** Leaves a background only what browsers had before they gave promises: `chrome`, with callbacks. */
const CALLBACKS_ALONE = `
  Object.defineProperty(globalThis, 'browser', { value: undefined });
  for (const [area, ...names] of [
    [chrome.storage.local, 'get', 'set', 'remove'],
    [chrome.permissions, 'getAll'],
    [chrome.action, 'setPopup'],
  ]) {
    for (const name of names) {
      const own = area[name].bind(area);
      area[name] = (...args) => void own(...args);
    }
  }
`;

it('works on an API without promises, which webextension-polyfill makes of its callbacks', async () => {
  const extension = await launchBuiltExtension(await withWorkerPrelude(CALLBACKS_ALONE));

  await chooseTheme(extension, 'Dark');

  const about = await extension.open(`${pages.options}#/about`);
  await about.waitFor(() => document.querySelector('dl')?.textContent.includes('storage') === true);
  expect(await stored(about)).toMatchObject({ data: { theme: 'dark' } });
});

function shows(page: View, theme: string): Promise<boolean> {
  return page.waitFor((expected) => document.documentElement.dataset['theme'] === expected, theme);
}

function stored(page: View): Promise<unknown> {
  return page.evaluate(async () => (await chrome.storage.local.get('preferences'))['preferences']);
}
