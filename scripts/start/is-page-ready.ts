/** Whether a page shows what it has to show: the one place where that is decided. Runs inside the page. */
export function isPageReady(): boolean {
  const text = document.querySelector<HTMLElement>('main')?.innerText.trim();
  return Boolean(text) && document.querySelector('[aria-busy="true"]') === null;
}
