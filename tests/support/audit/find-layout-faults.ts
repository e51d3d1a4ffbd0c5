/**
 * Where the page has to be scrolled sideways, where a text is cut off, and where one lies over another. What scrolls by itself,
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
