import type { ProcedureError } from './errors.ts';

/** Runs `work`. Settles as it does, or rejects with the signal's reason as soon as the signal is aborted. */
export function untilAborted<T>(signal: AbortSignal, work: () => T | PromiseLike<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const onAbort = (): void => reject(signal.reason as ProcedureError);
    signal.addEventListener('abort', onAbort);
    // `work` may return a thenable that is not a promise.
    const working = new Promise<T>((settle) => settle(work()));
    working.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}

/** Milliseconds up to which a timer of the browser works. A longer one ends at once. */
export const LONGEST_TIMER = 2 ** 31 - 1;

/** Returns a function that does work once. If it fails, the next call tries again. */
export function once<Arguments extends unknown[], T>(
  work: (...values: Arguments) => Promise<T>,
): (...values: Arguments) => Promise<T> {
  let result: Promise<T> | undefined;
  return (...values) => {
    result ??= work(...values).catch((error: unknown) => {
      result = undefined;
      throw error;
    });
    return result;
  };
}

export function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
}

/**
 * Lets `return()` of a generator end what the generator waits for. By itself, a generator returns only after its pending
 * `next()` has settled, which may take hours if it waits for a change.
 *
 * @param start creates the generator, which ends when its signal is aborted
 */
export function endOnReturn<T>(
  signal: AbortSignal | undefined,
  start: (signal: AbortSignal) => AsyncGenerator<T, void>,
): AsyncGenerator<T, void> {
  const ended = new AbortController();
  const values = start(signal === undefined ? ended.signal : AbortSignal.any([ended.signal, signal]));
  const end = values.return.bind(values);
  values.return = (value) => {
    ended.abort();
    return end(value);
  };
  return values;
}

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
