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
