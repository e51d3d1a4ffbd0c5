import { expect, it } from 'vitest';

import { pollUntil } from '../../scripts/browsers/running-extension.ts';
import type { View } from '../../scripts/browsers/running-extension.ts';
import { auditedViews, isInState, launchInState } from '../support/audit.ts';
import { launchBuiltExtension } from '../support/built-extension.ts';
import { describeFocus, listStops } from '../support/inspect-page.ts';
import { catchDownloads } from '../support/page-actions.ts';

it('reaches everything in every view by Tab alone, forwards and backwards, and gets out again', async () => {
  const extension = await launchInState('filled', 'english');

  for (const { name, address } of auditedViews) {
    const page = await extension.open(address);
    await page.waitFor(isInState, 'filled');
    if (name === 'preferences') await page.waitFor(() => document.querySelector('input:checked') !== null);
    if (name === 'messages') await pause(page);
    await page.evaluate(() => document.querySelector<HTMLElement>('button, a')?.focus());
    const stops = await page.evaluate(listStops);

    const forwards = [await lookAtFocus(page), ...(await walk(page, 'Tab', stops.length - 1))];
    const backwards = [forwards.at(-1), ...(await walk(page, 'Shift+Tab', stops.length - 1))];
    await page.press('Shift+Tab');
    const beyond = await page.evaluate(describeFocus);

    expect(stops.length, name).toBeGreaterThan(9);
    expect(
      forwards.map(({ stop }) => stop),
      name,
    ).toEqual(stops);
    expect(
      backwards.map((focused) => focused?.stop),
      name,
    ).toEqual(stops.toReversed());
    expect(beyond.stop, name).not.toBe(stops[0]);
    await page.close();
  }
});

it('reaches everything in the real popup, and opens a point with Enter', async () => {
  const extension = await launchBuiltExtension();
  const popup = await extension.openPopup();
  await popup.waitFor(() => document.querySelector('[data-mark=solid]') !== null);
  const stops = await popup.evaluate(listStops);

  const reached = await walk(popup, 'Tab', stops.length);
  await popup.press('Shift+Tab', 'Shift+Tab');
  // The popup closes under the key, which is then never released.
  await popup.press('Enter').catch(() => undefined);
  const options = await extension.findView('src/options/index.html#/specification/calls');

  expect(stops).toHaveLength(10);
  expect(reached.map(({ stop }) => stop)).toEqual(stops);
  await options.waitFor(() => document.activeElement?.textContent === 'The calls it makes');
});

it.each(['src/popup/index.html', 'src/options/index.html'])(
  'moves between the cells of %s by arrow keys, as they stand',
  async (address) => {
    const extension = await launchInState('filled', 'english');
    const page = await extension.open(address);
    await page.emulate({ viewport: { width: 1_280, height: 800 } });
    await page.waitFor(() => document.querySelector('[data-mark=solid]') !== null);
    await page.evaluate(() => document.querySelector<HTMLElement>('[aria-keyshortcuts="1"]')?.focus());
    const focused = (): string | null | undefined =>
      document.activeElement?.getAttribute('aria-keyshortcuts');
    const reached: unknown[] = [];

    for (const key of ['ArrowRight', 'ArrowDown', 'ArrowLeft', 'ArrowUp', 'ArrowUp']) {
      await page.press(key);
      reached.push(await page.evaluate(focused));
    }

    expect(reached).toEqual(['2', '5', '4', '1', '1']);
  },
);

it('opens a point by its number, and the search by a slash', async () => {
  const extension = await launchInState('filled', 'english');
  const page = await extension.open('src/options/index.html#/about');
  await page.waitFor(() => document.querySelector('[data-mark=solid]') !== null);

  await page.press('7');
  await page.waitFor(() => document.activeElement?.textContent === 'The calls it makes');
  const heading = await page.evaluate(describeFocus);
  await page.press('/');
  await page.waitFor(() => document.activeElement?.matches('input[type=search]'));
  await page.press('7');
  await page.waitFor(() => document.querySelector<HTMLInputElement>('input[type=search]')?.value === '7');

  expect(heading.hidden).toBeUndefined();
});

it('operates the preferences by keys alone', async () => {
  const extension = await launchInState('filled', 'english');
  const page = await extension.open('src/options/index.html#/preferences');
  await page.waitFor(() => document.querySelectorAll('input[name=theme]').length === 3);
  await page.evaluate(catchDownloads);

  await page.evaluate(() => document.querySelector<HTMLElement>('button')?.focus());
  await page.press('Enter');
  const skippedTo = await page.evaluate(() => document.activeElement?.tagName);
  await focus(page, 'Match system');
  await page.press('ArrowDown', 'ArrowDown');
  await page.waitFor(() => document.documentElement.dataset['theme'] === 'dark');
  await focus(page, 'Save a copy');
  await page.press('Enter');
  await page.waitFor(() => document.body.dataset['saved']);
  await focus(page, 'Remove…');
  await page.press('Enter');
  await page.waitFor(() => document.querySelector('dialog[open]') !== null);
  const inDialog = [await page.evaluate(describeFocus), ...(await walk(page, 'Tab', 1))];
  await page.press('Escape');
  await page.waitFor(() => document.querySelector('dialog') === null);
  const afterwards = await page.evaluate(describeFocus);
  await page.press(' ');
  await page.waitFor(() => document.querySelector('dialog[open]') !== null);
  await page.press('Tab', 'Enter');

  await page.waitFor(() => document.body.textContent.includes('The unreadable data was removed.'));
  expect(skippedTo).toBe('MAIN');
  expect(inDialog).toEqual([
    { stop: 'BUTTON Cancel', hidden: undefined },
    { stop: 'BUTTON Remove', hidden: undefined },
  ]);
  expect(afterwards).toEqual({ stop: 'BUTTON Remove…', hidden: undefined });
});

it('operates the messages by keys alone', async () => {
  const extension = await launchInState('filled', 'english');
  const popup = await extension.open('src/popup/index.html');
  await popup.waitFor(() => document.querySelector('[data-mark=solid]') !== null);
  const page = await extension.open('src/options/index.html#/messages');
  await popup.reload();
  await pause(page);

  await focus(page, 'questions.count');
  await page.press('Enter');
  const opened = await page.waitFor(
    () => document.activeElement?.tagName === 'H2' && document.activeElement.textContent,
  );
  await page.press('Escape');
  await page.waitFor(() => document.querySelector('section ol') === null);
  const closed = await page.evaluate(describeFocus);
  await page.evaluate(() => document.querySelector<HTMLElement>('search select')?.focus());
  await page.press('p');
  await page.waitFor(() => document.querySelector<HTMLSelectElement>('search select')?.value === 'popup');
  await page.evaluate(() => document.querySelector<HTMLElement>('[role=rowgroup][tabindex]')?.focus());
  await page.press('End');
  await page.evaluate(() => document.querySelector<HTMLElement>('search input')?.focus());
  await focus(page, 'Clear');
  await page.press('Enter');

  await page.waitFor(() => document.body.textContent.includes('Nothing recorded yet.'));
  await page.evaluate(() => document.querySelector<HTMLElement>('h1')?.focus());
  await focus(page, 'Record messages');
  await page.press(' ');
  await page.waitFor(() => document.querySelector('input[type=checkbox]:checked') === null);
  expect(opened).toBe('questions.count');
  expect(closed).toEqual({ stop: 'BUTTON questions.count', hidden: undefined });
});

/** Presses the key so often, and returns where the focus was after each time. */
async function walk(page: View, key: string, steps: number): Promise<ReturnType<typeof describeFocus>[]> {
  const reached = [];
  for (let step = 0; step < steps; step += 1) {
    await page.press(key);
    reached.push(await lookAtFocus(page));
  }
  return reached;
}

/** What has the focus, when the page has had a moment to scroll there. */
async function lookAtFocus(page: View): Promise<ReturnType<typeof describeFocus>> {
  const look = async (): Promise<ReturnType<typeof describeFocus> | undefined> => {
    const focused = await page.evaluate(describeFocus);
    return focused.hidden === undefined ? focused : undefined;
  };
  return pollUntil(
    look,
    async () => `the focus to be seen: ${JSON.stringify(await page.evaluate(describeFocus))}`,
  );
}

/**
 * Goes on by Tab until something with that text has the focus. It has to lie ahead: past the end the focus is the browser's,
 * and Firefox then gives the page keys as to a window in the background.
 */
async function focus(page: View, text: string): Promise<void> {
  for (let presses = 0; presses < 60; presses += 1) {
    await page.press('Tab');
    const { stop } = await page.evaluate(describeFocus);
    if (stop.endsWith(` ${text}`)) return;
  }
  throw new Error(`Tab does not reach ${text}`);
}

/** Stops the messages of the page itself from coming in under the keys, once there are some. */
async function pause(page: View): Promise<void> {
  await page.waitFor(() => document.querySelector('[role=row] button') !== null);
  await page.waitFor(() => {
    const buttons = [...document.querySelectorAll('button')];
    buttons.find(({ textContent }) => textContent === 'Pause')?.click();
    return buttons.some(({ textContent }) => textContent === 'Resume');
  });
}
