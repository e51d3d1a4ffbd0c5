import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { AxeResults, RunOptions } from 'axe-core';

import type { View } from '../../scripts/browsers/running-extension.ts';

/** The surroundings of an element. */
interface Place {
  /** `true` if the element is only for screen readers, or in a closed list. */
  readonly isHidden?: boolean;
  /** The nearest element around it that scrolls. */
  readonly scroller?: Element;
  /** The nearest element inside the scroller that clips its content. */
  readonly clipper?: Element;
}

interface Text extends Place {
  readonly text: string;
  /** One box for each line. */
  readonly boxes: readonly DOMRect[];
}

/**
 * Finds layout faults: a page that must be scrolled sideways, a text that is cut off, and texts that overlap. An element that
 * scrolls, such as a table, may be wider than the page. Runs in the page.
 */
export function findLayoutFaults(): string[] {
  const page = document.documentElement;
  const width = page.clientWidth;
  const scope = document.querySelector('dialog[open]') ?? document.body;
  const places = new Map<Element, Place>();

  function visibleTexts(): Text[] {
    const found: Text[] = [];
    const walker = document.createTreeWalker(scope, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      const element = node.parentElement;
      const text = node.textContent?.trim() ?? '';
      if (element === null || text === '') continue;
      const { isHidden, ...place } = placeOf(element);
      if (isHidden || !element.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue;
      const range = document.createRange();
      range.selectNodeContents(node);
      const boxes = [...range.getClientRects()].map((box) => shownPart(box, place.clipper));
      const visible = boxes.filter((box) => box.width > 0 && box.height > 0);
      found.push({ text: text.slice(0, 60), boxes: visible, ...place });
    }
    return found;
  }

  /** Returns the visible part of a line that ends in an ellipsis, or the whole line. */
  function shownPart(box: DOMRect, clipper: Element | undefined): DOMRect {
    if (clipper === undefined || getComputedStyle(clipper).textOverflow !== 'ellipsis') return box;
    const within = clipper.getBoundingClientRect();
    const [left, right] = [Math.max(box.left, within.left), Math.min(box.right, within.right)];
    return new DOMRect(left, box.top, Math.max(0, right - left), box.height);
  }

  function placeOf(element: Element | null): Place {
    if (element === null || element === document.body) return {};
    const known = places.get(element);
    if (known !== undefined) return known;
    const around = placeOf(element.parentElement);
    const { clipPath, overflow } = getComputedStyle(element);
    const isHidden = around.isHidden === true || clipPath !== 'none' || element.tagName === 'OPTION';
    const place = /auto|scroll/.test(overflow)
      ? { isHidden, scroller: element }
      : { ...around, isHidden, ...(/hidden|clip/.test(overflow) && { clipper: element }) };
    places.set(element, place);
    return place;
  }

  function isOutside({ boxes, scroller }: Text): boolean {
    return scroller === undefined && boxes.some(({ left, right }) => left < -1 || right > width + 1);
  }

  function isCutOff({ boxes, clipper }: Text): boolean {
    const within = clipper?.getBoundingClientRect();
    return boxes.some((box) => {
      if (within === undefined) return false;
      const middle = (box.top + box.bottom) / 2;
      const isCutAtSide = box.left < within.left - 1 || box.right > within.right + 1;
      return isCutAtSide || middle > within.bottom || middle < within.top;
    });
  }

  function overlap(one: Text, other: Text): boolean {
    if (one.scroller !== other.scroller) return false;
    return one.boxes.some((a) =>
      other.boxes.some((b) => {
        const across = Math.min(a.right, b.right) - Math.max(a.left, b.left);
        const down = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
        // The boxes of two lines may overlap a little although their letters do not.
        return across > 2 && down > Math.min(a.height, b.height) / 2;
      }),
    );
  }

  const texts = visibleTexts();
  return [
    ...(page.scrollWidth > width + 1 ? [`The page is ${page.scrollWidth} px wide in ${width} px.`] : []),
    ...texts.filter(isOutside).map(({ text }) => `“${text}” lies outside the page.`),
    ...texts.filter(isCutOff).map(({ text }) => `“${text}” is cut off.`),
    ...texts.flatMap((one, index) =>
      texts
        .slice(index + 1)
        .filter((other) => overlap(one, other))
        .map((other) => `“${one.text}” and “${other.text}” lie over each other.`),
    ),
  ];
}

/** Source that adds `axe` to a page. */
export const axeSource = await readFile(
  createRequire(import.meta.url).resolve('axe-core/axe.min.js'),
  'utf8',
);

/** Returns the violations that axe finds in the page: the rule and the element of each. */
export async function findViolations(page: View): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.inject(axeSource);
  return page.evaluate(runAxe);
}

/** Runs in a page that has `axe`. Tests all rules, or only the given ones. */
export async function runAxe(rules?: readonly string[]): Promise<string[]> {
  const { axe } = globalThis as unknown as { axe: { run(options: RunOptions): Promise<AxeResults> } };
  // Without these options most of the time is spent on results that are not used.
  const { violations } = await axe.run({
    resultTypes: ['violations'],
    selectors: false,
    preload: false,
    // The rule for the size of targets (WCAG 2.2) is off by default.
    ...(rules ? { runOnly: [...rules] } : { rules: { 'target-size': { enabled: true } } }),
  });
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id} ${html}`));
}

/**
 * Runs in a page. From now on it records each text that a screen reader announces by itself, such as `status: Saved.`, as one
 * line in `data-announced` of the body. Many screen readers do not announce a region that appears together with its text;
 * such a text is recorded as `unheard`.
 */
export function watchAnnouncements(): void {
  const REGIONS = '[role=status], [aria-live]';
  const last = new Map<Element, string>();
  const announced: string[] = [];
  const look = (): void => {
    for (const region of document.querySelectorAll(REGIONS)) {
      const text = region.textContent.trim();
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

/** Waits until a text is announced. Returns all announcements since `watchAnnouncements`. */
export async function heard(page: View, text: string): Promise<readonly string[]> {
  const announced = await page.waitFor((sentence) => {
    const all = document.body.dataset['announced'] ?? '';
    return all.includes(sentence) && all;
  }, text);
  return announced.split('\n');
}
