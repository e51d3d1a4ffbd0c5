import { expect, inject, it } from 'vitest';

import { pages } from '../../src/callers.ts';
import { views } from '../../src/options/views.tsx';
import { launchFilled, openFilled, seeFocus, tabTo, walkByTab } from '../support/keyboard.ts';
import { openPreferences } from '../support/page-actions.ts';

/** Views with many stops. The tests of their features walk through shorter lists in them. */
const LONG: readonly string[] = inject('size') === 'daily' ? ['questions', 'messages'] : [];

/** The addresses of the popup, of the other views, and of none. */
const names = [...views.map(({ name }) => name).filter((name) => !LONG.includes(name)), 'nowhere'];
const addresses = [pages.popup, ...names.map((name) => `${pages.options}#/${name}`)];

it('Tab reaches everything in every view, forwards and backwards, and leaves the page', async () => {
  const extension = await launchFilled();
  for (const address of addresses) {
    const page = await openFilled(extension, address);
    const { reached, expected } = await walkByTab(page);
    expect(reached, address).toEqual(expected);
    await page.close();
  }
});

it('Enter follows links of the real popup to a single tab of the options page', async () => {
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
    // The popup closes before the key is released, so `press` may fail.
    await popup.press('Enter').catch(() => undefined);

    const options = await extension.findView(pages.options + address);
    await options.waitFor(() => document.querySelector('h1') !== null);
    expect(await extension.openPages(), link).toHaveLength(1);
  }
  const options = await extension.findView(`${pages.options}#/preferences`);
  expect(await options.waitFor(() => document.querySelector('h1')?.textContent === 'Preferences')).toBe(true);
});

it('the preferences can be operated by keys alone', async () => {
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

  // The button is gone, and the focus moves to the text that replaces it.
  await page.waitFor(() => document.activeElement?.textContent.includes('The unreadable data was removed.'));
  expect(skippedTo).toBe('MAIN');
  expect(inDialog).toEqual(['BUTTON Cancel', 'BUTTON Remove']);
  expect(afterwards).toBe('BUTTON Remove…');
});
