import { expect, it } from 'vitest';

import { pages } from '../../../../src/callers.ts';
import { launchBuiltExtension } from '../../../support/built-extension.ts';
import { launchFilled, openFilled, seeFocus, tabTo, walkByTab } from '../../../support/keyboard.ts';

it('Tab reaches everything in a filtered list', async () => {
  const page = await openFilled(await launchFilled(), `${pages.options}#/questions?role=legal`);

  const { reached, expected } = await walkByTab(page);

  expect(reached).toEqual(expected);
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
  const isThere = options.waitFor(() => document.activeElement?.textContent === '7. The calls it makes');
  expect(await isThere).toBe(true);
});

it('a filter keeps the focus, and the search takes any key', async () => {
  const extension = await launchBuiltExtension();
  const page = await extension.open(`${pages.options}#/questions/7.3`);
  await page.waitFor(() => document.activeElement?.matches('h3'));

  await page.evaluate(() => document.querySelector<HTMLElement>('[type=search]')?.focus());
  await page.press('1', '.', '/');
  await page.waitFor(() => location.hash === '#/questions/7.3?search=1.%2F');
  await page.press('Tab', ' ');
  await page.waitFor(() => location.hash === '#/questions/7.3?search=1.%2F&start=on');

  expect(await page.evaluate(() => document.activeElement?.parentElement?.textContent)).toBe('Start here');
});

it('the first question is on the first screen, after few stops of the Tab key', async () => {
  const extension = await launchBuiltExtension();
  const page = await extension.open(`${pages.options}#/questions`);
  await page.emulate({ viewport: { width: 1_280, height: 900 } });

  const first = await page.waitFor(() => {
    const question = document.querySelector('li[data-answered]');
    const stops = [...document.querySelectorAll('a, button, input, select')];
    return (
      question && {
        top: question.getBoundingClientRect().top,
        stop: stops.findIndex((stop) => question.contains(stop)),
      }
    );
  });

  expect(first.top).toBeLessThan(320);
  expect(first.stop).toBeLessThanOrEqual(12);
});
