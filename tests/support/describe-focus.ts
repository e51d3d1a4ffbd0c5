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
    const x = (box.left + box.right) / 2;
    const y = (box.top + box.bottom) / 2;
    if (x < 0 || y < 0 || x > innerWidth || y > innerHeight) return 'outside the window';
    return shown.contains(document.elementFromPoint(x, y)) ? undefined : 'covered';
  }
}
