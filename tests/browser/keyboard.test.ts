import { expect, it } from 'vitest';

import { pollUntil, type RunningExtension, type View } from '../../scripts/browsers/running-extension.ts';
import { pages } from '../../src/callers.ts';
import { views } from '../../src/options/views.tsx';
import { launchBuiltExtension } from '../support/built-extension.ts';
import { findLayoutFaults, findViolations } from '../support/inspect-page.ts';
import { openPreferences, pressButton } from '../support/page-actions.ts';

/** Every view of both pages, by its address. */
const addresses = [
  pages.popup,
  ...[...views.map(({ name }) => name), 'questions/calls', 'questions?role=legal', 'nowhere'].map(
    (name) => `${pages.options}#/${name}`,
  ),
];

it('reaches everything in every view by Tab alone, forwards and backwards, and gets out again', async () => {
  const extension = await launchFilled();
  const seen = new Set<string>();

  for (const address of addresses) {
    const page = await openFilled(extension, address);
    if (address.endsWith('/messages')) await pressButton(page, 'Pause');
    await page.evaluate(() => document.querySelector<HTMLElement>('button, a')?.focus());
    const stops = await page.evaluate(listStops);
    await page.evaluate(noteStops);

    for (const stop of stops.slice(1)) {
      await page.press('Tab');
      // What all views have is looked at in the first.
      const text = stop.replace(/^\d+ /, '');
      if (!seen.has(text)) await seeFocus(page);
      seen.add(text);
    }
    await page.press(...stops.slice(1).map(() => 'Shift+Tab'));
    const reached = await page.evaluate(() => document.body.dataset['reached']?.split('\n'));
    await page.press('Shift+Tab');
    const beyond = await page.evaluate(describeFocus);

    expect(stops.length, address).toBeGreaterThan(6);
    expect(reached, address).toEqual([...stops.slice(1), ...stops.slice(0, -1).toReversed()]);
    expect(beyond.stop, address).not.toBe(stops[0]);
    await page.close();
  }
});

it('opens a point from the real popup with Enter', async () => {
  const extension = await launchBuiltExtension();
  const popup = await extension.openPopup();
  await popup.waitFor(() => document.querySelector('[data-mark=solid]') !== null);

  await tabTo(popup, 'The calls it makes');
  await seeFocus(popup);
  // The popup closes under the key, which is then never released.
  await popup.press('Enter').catch(() => undefined);

  const options = await extension.findView(`${pages.options}#/questions/calls`);
  const isThere = options.waitFor(() => document.activeElement?.textContent === 'The calls it makes');
  expect(await isThere).toBe(true);
});

it('moves between the cells of both pages by arrow keys, opens a point by its number from there, and the search by a slash from the questions', async () => {
  const extension = await launchBuiltExtension();

  for (const address of [pages.popup, `${pages.options}#/about`]) {
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
  const page = await extension.findView(`${pages.options}#/about`);
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

it('frames the heading of a view after a key, and not after a click', async () => {
  const extension = await launchBuiltExtension();
  const page = await extension.open(`${pages.options}#/questions`);
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

  // Where the button was.
  await page.waitFor(() => document.activeElement?.textContent.includes('The unreadable data was removed.'));
  expect(skippedTo).toBe('MAIN');
  expect(inDialog).toEqual(['BUTTON Cancel', 'BUTTON Remove']);
  expect(afterwards).toBe('BUTTON Remove…');
});

it('opens and closes a message by keys alone, and has the focus back where it was', async () => {
  const extension = await launchFilled();
  const popup = await extension.open(pages.popup);
  await popup.waitFor(() => document.querySelector('[data-mark=solid]') !== null);
  const page = await extension.open(`${pages.options}#/messages`);
  await popup.reload();
  await page.waitFor(() => document.querySelector('[role=row] button') !== null);
  await pressButton(page, 'Pause');

  await tabTo(page, 'preferences.watch');
  await page.press('Enter');
  await page.waitFor(
    () =>
      document.activeElement?.tagName === 'H2' && document.activeElement.textContent === 'preferences.watch',
  );
  const faults = [...(await findViolations(page)), ...(await page.evaluate(findLayoutFaults))];
  await page.press('Escape');
  await page.waitFor(() => document.querySelector('section ol') === null);

  expect(await seeFocus(page)).toBe('BUTTON preferences.watch');
  expect(faults).toEqual([]);
});

/** Starts the built extension with messages to show and data that could not be read. */
async function launchFilled(): Promise<RunningExtension> {
  const extension = await launchBuiltExtension();
  const page = await extension.open(pages.popup);
  await page.waitFor(() => document.body.textContent.includes('Ready'));
  await page.evaluate(() =>
    chrome.storage.local.set({
      recording: { version: 1, data: { isOn: true } },
      quarantine: { version: 1, data: [{ document: 'preferences', at: 1_700_000_000_000, value: 'eaten' }] },
    }),
  );
  await page.close();
  // The background assumes that nothing else writes.
  await extension.stopWorker();
  return extension;
}

/** Opens a view of that extension, in a window of a usual size, and waits until it shows everything that it has. */
async function openFilled(extension: RunningExtension, address: string): Promise<View> {
  const page = await extension.open(address);
  await page.emulate({ viewport: { width: address === pages.popup ? 360 : 1_280, height: 800 } });
  await page.waitFor(
    () =>
      document.querySelector('[data-mark=solid]') !== null &&
      document.querySelector('[role=alert]:not(:empty)') !== null &&
      !document.body.textContent.includes('Loading…'),
  );
  return page;
}

/** The stop that has the focus, as soon as it can be seen: the page takes a moment to scroll there. */
async function seeFocus(page: View): Promise<string> {
  const look = async (): Promise<string | undefined> => {
    const { stop, hidden } = await page.evaluate(describeFocus);
    return hidden === undefined ? stop : undefined;
  };
  return pollUntil(
    look,
    async () => `the focus to be seen: ${JSON.stringify(await page.evaluate(describeFocus))}`,
  );
}

/**
 * Goes on by Tab until something with that text in it has the focus. It has to lie ahead: past the end the focus is the
 * browser's, and Firefox then gives the page keys as to a window in the background.
 */
async function tabTo(page: View, text: string): Promise<void> {
  for (let presses = 0; presses < 60; presses += 1) {
    await page.press('Tab');
    const { stop } = await page.evaluate(describeFocus);
    if (stop.includes(` ${text}`)) return;
  }
  throw new Error(`Tab does not reach ${text}`);
}

/** Runs in a page: numbers what Tab has to reach, in the order in which it is to be reached, and gives it by name. */
function listStops(): string[] {
  const scope = document.querySelector('dialog[open]') ?? document.body;
  const candidates = scope.querySelectorAll<HTMLElement>(
    'a[href], button, input, select, textarea, summary, [tabindex="0"]',
  );
  const stops = [...candidates].filter(
    (control) =>
      control.checkVisibility({ visibilityProperty: true }) &&
      !control.matches(':disabled, [tabindex="-1"]') &&
      // Of a group of radio buttons the chosen one; the arrow keys reach the others.
      (!control.matches('input[type=radio]') || control.matches(':checked')),
  );
  return stops.map((control, index) => {
    const name = `${index} ${(control.closest('label') ?? control).textContent.trim()}`;
    control.dataset['stop'] = name;
    return name;
  });
}

/** Runs in a page: notes each stop that is reached from now on in `data-reached` of the body, one a line. */
function noteStops(): void {
  addEventListener('focusin', ({ target }) => {
    const { reached } = document.body.dataset;
    const stop = target instanceof HTMLElement ? target.dataset['stop'] : undefined;
    document.body.dataset['reached'] = reached === undefined ? stop : `${reached}\n${stop}`;
  });
}

/** Runs in a page: the stop that has the focus, as `listStops` names it, and what keeps the person from seeing where it is. */
function describeFocus(): { readonly stop: string; readonly hidden: string | undefined } {
  const element = document.activeElement ?? document.body;
  const shown = element.closest('label') ?? element;
  const number = element instanceof HTMLElement ? element.dataset['stop'] : undefined;
  const text = element === document.body ? '' : shown.textContent.trim();
  return { stop: number ?? `${element.tagName} ${text}`.trimEnd(), hidden: whatHides() };

  function whatHides(): string | undefined {
    const hasRing = [element, shown].some((candidate) => {
      const { outlineStyle, outlineWidth } = getComputedStyle(candidate);
      // `auto` is the browser's own ring, of a width of its own.
      return outlineStyle === 'auto' || (outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 2);
    });
    if (!hasRing) return 'no ring';
    // A link over two lines has two boxes.
    const box = element.getClientRects()[0] ?? element.getBoundingClientRect();
    // Of what is larger than the window, a part is seen.
    const [left, right] = [Math.max(box.left, 0), Math.min(box.right, innerWidth)];
    const [top, bottom] = [Math.max(box.top, 0), Math.min(box.bottom, innerHeight)];
    if (left >= right || top >= bottom) return 'outside the window';
    const hit = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
    return shown.contains(hit) ? undefined : 'covered';
  }
}
