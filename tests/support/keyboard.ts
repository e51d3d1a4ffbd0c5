import { pollUntil, type RunningExtension, type View } from '../../scripts/browsers/running-extension.ts';
import { pages } from '../../src/callers.ts';
import { launchBuiltExtension } from './built-extension.ts';

/** Starts the built extension with data that could not be read, about which every page has something to say. */
export async function launchFilled(
  stored: Readonly<Record<string, unknown>> = {},
): Promise<RunningExtension> {
  const extension = await launchBuiltExtension();
  const page = await extension.open(pages.popup);
  await page.waitFor(() => document.body.textContent.includes('Ready'));
  await page.evaluate((items) => chrome.storage.local.set(items), {
    preferences: { version: 1, data: 'eaten' },
    ...stored,
  });
  await page.close();
  // The background assumes that nothing else writes.
  await extension.stopWorker();
  return extension;
}

/** Opens a view of that extension, in a window of a usual size, and waits until it shows everything that it has. */
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
 * Goes by Tab to the end of a page, back to its start and out of it, and sees each stop while it has the focus. Returns what
 * had the focus, and what should have had it: all that can be operated, in the order of the document.
 *
 * @param seen stops that need not be seen again; those of this page are added
 */
export async function walkByTab(
  page: View,
  seen = new Set<string>(),
): Promise<{ readonly reached: readonly string[]; readonly expected: readonly string[] }> {
  await page.evaluate(() => document.querySelector<HTMLElement>('button, a')?.focus());
  const [first, ...others] = await page.evaluate(listStops);
  if (first === undefined || others.length === 0) throw new Error('The page has nothing to reach by Tab');
  await page.evaluate(noteStops);

  for (const stop of others) {
    await page.press('Tab');
    const text = stop.replace(/^\d+ /, '');
    if (!seen.has(text)) await seeFocus(page);
    seen.add(text);
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

/** The stop that has the focus, as soon as it can be seen: the page takes a moment to scroll there. */
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
 * Presses Tab until the element with this name has the focus. It has to lie ahead: past the end the focus is the
 * browser's, and Firefox then gives the page keys as to a window in the background.
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

interface Focus {
  /** The stop that has the focus, as `listStops` names it. */
  readonly stop: string;
  /** Its text, or that of its label. */
  readonly name: string;
  /** The reason why the person cannot see it. */
  readonly hidden: string | undefined;
}

/** Runs in a page: describes the element that has the focus. */
export function describeFocus(): Focus {
  const element = document.activeElement ?? document.body;
  const shown = element.closest('label') ?? element;
  const number = element instanceof HTMLElement ? element.dataset['stop'] : undefined;
  const name = element === document.body ? '' : (element.ariaLabel ?? shown.textContent.trim());

  function findObstacle(): string | undefined {
    const hasRing = [element, shown].some((candidate) => {
      const { outlineStyle, outlineWidth } = getComputedStyle(candidate);
      // `auto` is the browser's own ring, whose width is not given.
      return outlineStyle === 'auto' || (outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 2);
    });
    if (!hasRing) return 'no ring';
    // A link over two lines has two boxes.
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
