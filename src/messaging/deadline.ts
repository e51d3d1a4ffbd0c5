import type { ProcedureError } from './errors.ts';

/** Milliseconds that a call has by default, and at most: far less than a journal entry is kept. */
export const DEFAULT_TIMEOUT = 10_000;
const MAX_TIMEOUT = 10 * 60_000;

/**
 * Starts a deadline and returns a function that returns the ms left, by the clock that says less: `performance.now` stops
 * while a page is frozen or the machine sleeps, and the wall clock can be set.
 *
 * @param timeout ms from 1 to 600,000; anything else counts as 1
 * @param sentAt when it started by the wall clock, in ms since 1970
 */
export function startDeadline(timeout: number, sentAt = Date.now()): () => number {
  const duration = timeout >= 1 ? Math.min(timeout, MAX_TIMEOUT) : 1;
  const start = performance.now();
  return () => duration - Math.max(performance.now() - start, Math.abs(Date.now() - sentAt));
}

/** Settles as `work` does, or rejects with the signal's reason as soon as it is aborted. */
export function untilAborted<T>(signal: AbortSignal, work: () => T | PromiseLike<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const onAbort = (): void => reject(signal.reason as ProcedureError);
    signal.addEventListener('abort', onAbort);
    // Adopts thenables that are not promises as well.
    const working = new Promise<T>((settle) => settle(work()));
    working.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}
