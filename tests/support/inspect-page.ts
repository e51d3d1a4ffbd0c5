import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';

import type { View } from '../../scripts/browsers/running-extension.ts';

/**
 * Where the page must be scrolled sideways, where a text is cut off, and where one lies over another. What scrolls by itself,
 * a table say, may be wider than the page. Runs in the page.
 */
export function findLayoutFaults(): string[] {
  const page = document.documentElement;
  const width = page.clientWidth;
  const scope = document.querySelector('dialog[open]') ?? document.body;
  const texts = visibleTexts();
  const faults: string[] = [];

  if (page.scrollWidth > width + 1) faults.push(`The page is ${page.scrollWidth} px wide in ${width} px.`);
  for (const { text, boxes, element } of texts) {
    const isOutside = boxes.some(({ left, right }) => left < -1 || right > width + 1);
    if (isOutside && scrollerOf(element) === undefined) faults.push(`“${text}” lies outside the page.`);
    const clipper = clipperOf(element);
    if (clipper && boxes.some((box) => isCutOff(box, clipper.getBoundingClientRect()))) {
      faults.push(`“${text}” is cut off.`);
    }
  }
  for (const [index, one] of texts.entries()) {
    for (const other of texts.slice(index + 1)) {
      if (
        one.scroller === other.scroller &&
        one.boxes.some((box) => other.boxes.some((also) => overlap(box, also)))
      ) {
        faults.push(`“${one.text}” and “${other.text}” lie over each other.`);
      }
    }
  }
  return faults;

  function visibleTexts(): {
    text: string;
    element: Element;
    boxes: DOMRect[];
    scroller: Element | undefined;
  }[] {
    const found = [];
    const walker = document.createTreeWalker(scope, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      const element = node.parentElement;
      const text = node.textContent?.trim() ?? '';
      if (element === null || text === '' || !isSeen(element)) continue;
      const range = document.createRange();
      range.selectNodeContents(node);
      const boxes = [...range.getClientRects()].filter((box) => box.width > 0 && box.height > 0);
      found.push({ text: text.slice(0, 60), element, boxes, scroller: scrollerOf(element) });
    }
    return found;
  }

  function isSeen(element: Element): boolean {
    if (!element.checkVisibility({ visibilityProperty: true, opacityProperty: true })) return false;
    for (let at: Element | null = element; at !== null; at = at.parentElement) {
      if (getComputedStyle(at).clipPath !== 'none' || at.tagName === 'OPTION') return false;
    }
    return true;
  }

  function scrollerOf(element: Element): Element | undefined {
    for (let at = element.parentElement; at !== null && at !== document.body; at = at.parentElement) {
      if (/auto|scroll/.test(getComputedStyle(at).overflow)) return at;
    }
    return undefined;
  }

  /** What would hide a part of the text for good. */
  function clipperOf(element: Element): Element | undefined {
    for (let at: Element | null = element; at !== null && at !== document.body; at = at.parentElement) {
      const { overflow } = getComputedStyle(at);
      if (/auto|scroll/.test(overflow)) return undefined;
      if (/hidden|clip/.test(overflow)) return at;
    }
    return undefined;
  }

  function isCutOff(box: DOMRect, within: DOMRect): boolean {
    return (
      box.left < within.left - 1 ||
      box.right > within.right + 1 ||
      (box.top + box.bottom) / 2 > within.bottom ||
      (box.top + box.bottom) / 2 < within.top
    );
  }

  function overlap(one: DOMRect, other: DOMRect): boolean {
    const across = Math.min(one.right, other.right) - Math.max(one.left, other.left);
    const down = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top);
    // Boxes of lines reach over each other by the ascenders that they do not have.
    return across > 2 && down > Math.min(one.height, other.height) / 2;
  }
}

/**
 * Controls smaller than 24 by 24 CSS px, with their sizes. A link within a sentence is as high as the sentence's line: the one
 * exception of WCAG 2.2, 2.5.8. Runs in the page.
 */
export function findSmallTargets(): string[] {
  const LEAST = 24;
  const controls = document.querySelectorAll<HTMLElement>(
    'a[href], button, input, select, textarea, summary, [tabindex="0"]',
  );
  const scope = document.querySelector('dialog[open]') ?? document.body;
  return (
    [...controls]
      .filter((control) => scope.contains(control) && control.checkVisibility({ visibilityProperty: true }))
      .filter((control) => !isInSentence(control))
      .map((control) => ({ control, box: (control.closest('label') ?? control).getBoundingClientRect() }))
      // Half a pixel, as zooming rounds.
      .filter(({ box }) => box.width < LEAST - 0.5 || box.height < LEAST - 0.5)
      .map(({ control, box }) => `${nameOf(control)} is ${box.width} × ${box.height} px`)
  );

  function isInSentence(control: HTMLElement): boolean {
    const block = control.parentElement;
    return (
      getComputedStyle(control).display === 'inline' &&
      block !== null &&
      [...block.childNodes].some(
        (node) => node.nodeType === Node.TEXT_NODE && node.textContent?.trim() !== '',
      )
    );
  }

  function nameOf(control: HTMLElement): string {
    return `${control.tagName.toLowerCase()} “${(control.textContent || control.getAttribute('aria-label') || '').trim()}”`;
  }
}

const axeSource = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** What axe finds in the page as it is now: the rule and the element. */
export async function findViolations(page: View): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.inject(axeSource);
  return page.evaluate(runAxe);
}

/** Runs in the page. */
async function runAxe(): Promise<string[]> {
  const { axe } = globalThis as unknown as { axe: { run: () => Promise<AxeResults> } };
  const { violations } = await axe.run();
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id} ${html}`));
}

/** Runs in a page: numbers what Tab has to reach, in the order in which it is to be reached, and gives it by name. */
export function listStops(): string[] {
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
    control.dataset['stop'] = String(index);
    return `${index} ${(control.closest('label') ?? control).textContent.trim()}`;
  });
}

interface Focused {
  /** As `listStops` names it; without a number it is none of them. */
  readonly stop: string;
  /** What keeps the person from seeing where the focus is. */
  readonly hidden: string | undefined;
}

/** Runs in a page: what has the focus, and whether that can be seen. */
export function describeFocus(): Focused {
  const element = document.activeElement ?? document.body;
  const shown = element.closest('label') ?? element;
  const number = element instanceof HTMLElement ? element.dataset['stop'] : undefined;
  return {
    stop: `${number ?? element.tagName} ${element === document.body ? '' : shown.textContent.trim()}`.trimEnd(),
    hidden: whatHides(),
  };

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
    const x = (left + right) / 2;
    const y = (top + bottom) / 2;
    return shown.contains(document.elementFromPoint(x, y)) ? undefined : 'covered';
  }
}

/**
 * Runs in a page: collects what a screen reader reads out by itself from now on, as `status: Saved.` in `data-announced` of the
 * body, one a line. What fills a region that was not there before, or was not rendered, is `unheard`: many readers say nothing
 * of it.
 */
export function watchAnnouncements(): void {
  const REGIONS = '[role=status], [aria-live]';
  const last = new Map<Element, string>();
  const announced: string[] = [];
  const look = (): void => {
    for (const region of document.querySelectorAll(REGIONS)) {
      const text = region.textContent;
      const before = last.get(region);
      if (text !== '' && text !== before) {
        announced.push(`${before === undefined ? 'unheard' : region.getAttribute('role')}: ${text}`);
      }
      if (region.checkVisibility()) last.set(region, text);
    }
    document.body.dataset['announced'] = announced.join('\n');
  };

  look();
  announced.length = 0;
  new MutationObserver(look).observe(document.querySelector('#root') ?? document.body, {
    subtree: true,
    childList: true,
    characterData: true,
  });
}
