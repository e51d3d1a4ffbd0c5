/** Default and maximum timeout of a call, in ms. A journal entry is kept longer, so that a resent mutation still finds it. */
export const DEFAULT_TIMEOUT = 10_000;
const MAX_TIMEOUT = 10 * 60_000;

/**
 * Starts a deadline. Returns a function that returns the milliseconds left. It reads two clocks and believes the one on
 * which more time has passed: `performance.now` may stop while the machine sleeps, and the wall clock can be changed.
 *
 * @param timeout milliseconds: at most 600,000; a number below 1 counts as 1
 * @param sentAt the start by the wall clock, in ms since 1970
 */
export function startDeadline(timeout: number, sentAt = Date.now()): () => number {
  const duration = timeout >= 1 ? Math.min(timeout, MAX_TIMEOUT) : 1;
  const start = performance.now();
  return () => duration - Math.max(performance.now() - start, Math.abs(Date.now() - sentAt));
}
