import { expect, it } from 'vitest';

import { pages } from '../../src/contract/pages.ts';
import { launchBuiltExtension, withWorkerPrelude } from '../support/built-extension.ts';
import { chooseTheme } from '../support/page-actions.ts';

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
  const stored = await about.evaluate(async () => (await chrome.storage.local.get())['preferences']);
  expect(stored).toMatchObject({ data: { theme: 'dark' } });
});
