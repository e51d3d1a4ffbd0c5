import { pollUntil, type RunningExtension, type View } from '../../scripts/browsers/running-extension.ts';
import { pages } from '../../src/callers.ts';
import { launchBuiltExtension } from './built-extension.ts';

/** Starts the built extension with preferences that cannot be read, so that every page shows a notice. */
export async function launchFilled(): Promise<RunningExtension> {
  const extension = await launchBuiltExtension();
  const page = await extension.open(pages.popup);
  await page.waitFor(() => document.body.textContent.includes('Ready'));
  await page.evaluate(() => chrome.storage.local.set({ preferences: { version: 1, data: 'eaten' } }));
  await page.close();
  // A background does not notice data that something else stores, but the next background reads it.
  await extension.stopWorker();
  return extension;
}

/** Opens a view of that extension in a window of a usual size, and waits until everything in it is loaded. */
export async function openFilled(extension: RunningExtension, address: string): Promise<View> {
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

/**
 * Presses Tab to the end of a page, then Shift+Tab to its start and out of it, and waits until each focused element is
 * visible. Returns the elements that had the focus, and those that should have had it: all that can be operated, in the order
 * of the document.
 */
export async function walkByTab(
  page: View,
): Promise<{ readonly reached: readonly string[]; readonly expected: readonly string[] }> {
  await page.evaluate(() => document.querySelector<HTMLElement>('button, a')?.focus());
  const [first, ...others] = await page.evaluate(listStops);
  if (first === undefined || others.length === 0) throw new Error('The page has nothing to reach by Tab');
  await page.evaluate(noteStops);

  for (const _ of others) {
    await page.press('Tab');
    await seeFocus(page);
  }
  await page.press(...others.map(() => 'Shift+Tab'));
  const reached = await page.evaluate(() => document.body.dataset['reached']?.split('\n') ?? []);
  await page.press('Shift+Tab');
  const { stop: beyond } = await page.evaluate(describeFocus);

  const back = [first, ...others].toReversed().slice(1);
  return {
    reached: [...reached, beyond === first ? beyond : 'outside'],
    expected: [...others, ...back, 'outside'],
  };
}

/** Waits until the focused element is visible, because a page scrolls to it after a moment. Returns its description. */
export async function seeFocus(page: View): Promise<string> {
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
 * Presses Tab until the element with this name has the focus. The element must come after the present focus: past the end
 * of the page the browser itself has the focus, and Firefox then treats the page like a window in the background.
 *
 * @param name the whole name, or a pattern for a part of it
 */
export async function tabTo(page: View, name: string | RegExp): Promise<void> {
  const passed: string[] = [];
  for (let presses = 0; presses < 60; presses += 1) {
    await page.press('Tab');
    const { name: focused } = await page.evaluate(describeFocus);
    if (typeof name === 'string' ? focused === name : name.test(focused)) return;
    passed.push(focused.slice(0, 40));
  }
  throw new Error(`Tab does not reach ${name}, but: ${passed.join(', ')}`);
}

/** Runs in a page. Numbers the elements that Tab must reach, in their order. Returns their numbers and names. */
function listStops(): string[] {
  const scope = document.querySelector('dialog[open]') ?? document.body;
  const candidates = scope.querySelectorAll<HTMLElement>(
    'a[href], button, input, select, textarea, summary, [tabindex="0"]',
  );
  const stops = [...candidates].filter(
    (control) =>
      control.checkVisibility({ visibilityProperty: true }) &&
      !control.matches(':disabled, [tabindex="-1"]') &&
      // Tab reaches only the chosen one of a group of radio buttons. The arrow keys reach the others.
      (!control.matches('input[type=radio]') || control.matches(':checked')),
  );
  return stops.map((control, index) => {
    const name = `${index} ${(control.closest('label') ?? control).textContent.trim()}`;
    control.dataset['stop'] = name;
    return name;
  });
}

/** Runs in a page. From now on it records each element that gets the focus, as one line in `data-reached` of the body. */
function noteStops(): void {
  addEventListener('focusin', ({ target }) => {
    const { reached } = document.body.dataset;
    const stop = target instanceof HTMLElement ? target.dataset['stop'] : undefined;
    document.body.dataset['reached'] = reached === undefined ? stop : `${reached}\n${stop}`;
  });
}

interface Focus {
  /** The element that has the focus, as `listStops` names it. */
  readonly stop: string;
  /** The element's text, or the text of its label. */
  readonly name: string;
  /** The reason why the focus is not visible, if it is not. */
  readonly hidden: string | undefined;
}

/** Runs in a page: describes the element that has the focus. */
function describeFocus(): Focus {
  const element = document.activeElement ?? document.body;
  const shown = element.closest('label') ?? element;
  const number = element instanceof HTMLElement ? element.dataset['stop'] : undefined;
  const name = element === document.body ? '' : (element.ariaLabel ?? shown.textContent.trim());

  function findObstacle(): string | undefined {
    const hasRing = [element, shown].some((candidate) => {
      const { outlineStyle, outlineWidth } = getComputedStyle(candidate);
      // With `auto` the browser draws its default ring, whose width is unknown.
      return outlineStyle === 'auto' || (outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 2);
    });
    if (!hasRing) return 'no ring';
    // A link that wraps has a box for each line.
    const box = element.getClientRects()[0] ?? element.getBoundingClientRect();
    // If an element is larger than the window, a part of it is visible.
    const [left, right] = [Math.max(box.left, 0), Math.min(box.right, innerWidth)];
    const [top, bottom] = [Math.max(box.top, 0), Math.min(box.bottom, innerHeight)];
    if (left >= right || top >= bottom) return 'outside the window';
    const hit = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
    return shown.contains(hit) ? undefined : 'covered';
  }

  return { stop: number ?? `${element.tagName} ${name}`.trimEnd(), name, hidden: findObstacle() };
}
