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

export function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
}
