import { expect, it } from 'vitest';

import { pages } from '../../../../src/callers.ts';
import { launchBuiltExtension } from '../../../support/built-extension.ts';
import {
  describeFocus,
  launchFilled,
  openFilled,
  seeFocus,
  tabTo,
  walkByTab,
} from '../../../support/keyboard.ts';

it('Tab reaches everything in a point and in a filtered list', async () => {
  const extension = await launchFilled();

  for (const part of ['questions/calls', 'questions?role=legal']) {
    const page = await openFilled(extension, `${pages.options}#/${part}`);
    const { reached, expected } = await walkByTab(page);
    expect(reached, part).toEqual(expected);
    await page.close();
  }
});

it('Enter opens a point from the real popup', async () => {
  const extension = await launchBuiltExtension();
  const popup = await extension.openPopup();
  await popup.waitFor(() => document.querySelector('[data-mark=solid]') !== null);

  await tabTo(popup, /The calls it makes/);
  await seeFocus(popup);
  // The popup closes before the key is released, so `press` may fail.
  await popup.press('Enter').catch(() => undefined);

  const options = await extension.findView(`${pages.options}#/questions/calls`);
  const isThere = options.waitFor(() => document.activeElement?.textContent === 'The calls it makes');
  expect(await isThere).toBe(true);
});

it('arrow keys move between the cells of both pages, a number opens a point, and a slash opens the search', async () => {
  const extension = await launchBuiltExtension();

  for (const address of [pages.popup, `${pages.options}#/questions/purpose`]) {
    const page = await extension.open(address);
    await page.emulate({ viewport: { width: 1_280, height: 800 } });
    await page.waitFor(() => document.querySelector('[data-mark=solid]') !== null);
    await page.evaluate(() => document.querySelector<HTMLElement>('[aria-keyshortcuts="1"]')?.focus());
    const reached: unknown[] = [];
    for (const key of ['ArrowRight', 'ArrowDown', 'ArrowLeft', 'ArrowUp', 'ArrowUp']) {
      await page.press(key);
      reached.push(await page.evaluate(() => document.activeElement?.getAttribute('aria-keyshortcuts')));
    }
    expect(reached, address).toEqual(['2', '5', '4', '1', '1']);
  }
  const page = await extension.findView(`${pages.options}#/questions/purpose`);
  await page.press('7');
  await page.waitFor(() => document.activeElement?.textContent === 'The calls it makes');
  expect((await page.evaluate(describeFocus)).hidden).toBeUndefined();
  await page.evaluate(() => (location.hash = '#/questions'));
  await page.waitFor(() => document.activeElement?.textContent === '7. The calls it makes');
  await page.press('/');
  await page.waitFor(() => document.activeElement?.matches('input[type=search]'));
  await page.press('7');
  await page.waitFor(() => document.querySelector<HTMLInputElement>('input[type=search]')?.value === '7');
});

it('the questions and a point show a first heading on the first screen at 400 %', async () => {
  const extension = await launchBuiltExtension();

  for (const [address, text] of [
    ['#/questions', 'Save the questions'],
    ['#/questions/calls', 'Known'],
  ] as const) {
    const page = await extension.open(pages.options + address);
    // A window of 1,280 by 1,024 px at 400 % zoom.
    await page.emulate({ viewport: { width: 320, height: 256 } });
    const bottom = await page.waitFor((title) => {
      const heading = [...document.querySelectorAll('h2')].find(({ textContent }) => textContent === title);
      return heading?.getBoundingClientRect().bottom;
    }, text);

    expect(bottom, address).toBeLessThan(256);
    expect(await page.evaluate(() => scrollY), address).toBe(0);
  }
});
