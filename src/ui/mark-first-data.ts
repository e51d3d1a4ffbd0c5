const MARK = 'first-data';

/**
 * To be the `ref` of what shows the worker's first answer: notes in the page's timeline when that was there.
 * `npm run bench` reads it.
 */
export function markFirstData(element: Element | null): void {
  if (element !== null && performance.getEntriesByName(MARK).length === 0) performance.mark(MARK);
}
