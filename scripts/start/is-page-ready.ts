/**
 * Whether a page shows what it has to show: the one place where that is decided. It has text from the start, and React
 * has taken it over when it knows of the worker. Runs inside the page.
 */
export function isPageReady(): boolean {
  const text = document.querySelector<HTMLElement>('main')?.innerText.trim();
  return Boolean(text) && document.querySelector('[data-mark=open]') === null;
}
