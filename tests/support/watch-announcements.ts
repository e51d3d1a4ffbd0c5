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
