import { expect, it } from 'vitest';

import { pages } from '../../src/callers.ts';
import { views } from '../../src/options/views.tsx';
import { launchBuiltExtension } from '../support/built-extension.ts';
import { launchFilled, openFilled, seeFocus, tabTo, walkByTab } from '../support/keyboard.ts';
import { openPreferences } from '../support/page-actions.ts';

/** Every view of both pages, by its address. */
const addresses = [
  pages.popup,
  ...[...views.map(({ name }) => name), 'nowhere'].map((name) => `${pages.options}#/${name}`),
];

it('reaches everything in every view by Tab alone, forwards and backwards, and gets out again', async () => {
  const extension = await launchFilled();
  // The parts that all views have are tested in the first.
  const seen = new Set<string>();

  for (const address of addresses) {
    const page = await openFilled(extension, address);
    const { reached, expected } = await walkByTab(page, seen);
    expect(reached, address).toEqual(expected);
    await page.close();
  }
});

it('follows links of the real popup with Enter, to one tab of the options page', async () => {
  const extension = await launchFilled();

  for (const [link, address] of [
    ['Open options', ''],
    ['Save or remove the data', '#/preferences'],
  ] as const) {
    const popup = await extension.openPopup();
    await popup.waitFor(() => document.querySelector('[data-mark=solid]') !== null);
    await popup.waitFor(() => document.querySelector('[role=alert] a') !== null);
    await tabTo(popup, link);
    await seeFocus(popup);
    // The popup closes under the key, which is then never released.
    await popup.press('Enter').catch(() => undefined);

    const options = await extension.findView(pages.options + address);
    await options.waitFor(() => document.querySelector('h1') !== null);
    expect(await extension.openPages(), link).toHaveLength(1);
  }
  const options = await extension.findView(`${pages.options}#/preferences`);
  expect(await options.waitFor(() => document.activeElement?.textContent === 'Preferences')).toBe(true);
});

it('frames the heading of a view after a key, and not after a click', async () => {
  const extension = await launchBuiltExtension();
  const page = await extension.open(`${pages.options}#/preferences`);
  await page.emulate({ viewport: { width: 1_280, height: 800 } });
  await page.waitFor(() => document.querySelector('[data-mark=solid]') !== null);
  const frameOf = (title: string): Promise<string> =>
    page.waitFor((text) => {
      const focused = document.activeElement ?? document.body;
      return focused.matches('h1') && focused.textContent === text && getComputedStyle(focused).outlineStyle;
    }, title);

  await page.click('a[href="#/about"]');
  const afterClick = await frameOf('About');
  await page.press('Shift+Tab');
  await page.evaluate(() => document.querySelector<HTMLElement>('a[href="#/preferences"]')?.focus());
  await page.press('Enter');

  expect(afterClick).toBe('none');
  expect(await frameOf('Preferences')).toBe('solid');
});

it('operates the preferences by keys alone', async () => {
  const page = await openPreferences(await launchFilled());
  await page.evaluate(() => document.querySelector<HTMLElement>('button')?.focus());
  await page.press('Enter');
  const skippedTo = await page.evaluate(() => document.activeElement?.tagName);
  await tabTo(page, 'Match system');
  await page.press('ArrowDown', 'ArrowDown');
  await page.waitFor(() => document.documentElement.dataset['theme'] === 'dark');
  await tabTo(page, 'Remove…');
  await page.press('Enter');
  await page.waitFor(() => document.querySelector('dialog[open]') !== null);
  const inDialog = [await seeFocus(page)];
  await page.press('Tab');
  inDialog.push(await seeFocus(page));
  await page.press('Escape');
  await page.waitFor(() => document.querySelector('dialog') === null);
  const afterwards = await seeFocus(page);
  await page.press(' ');
  await page.waitFor(() => document.querySelector('dialog[open]') !== null);
  await page.press('Tab', 'Enter');

  // The focus moves to the place of the button.
  await page.waitFor(() => document.activeElement?.textContent.includes('The unreadable data was removed.'));
  expect(skippedTo).toBe('MAIN');
  expect(inDialog).toEqual(['BUTTON Cancel', 'BUTTON Remove']);
  expect(afterwards).toBe('BUTTON Remove…');
});
