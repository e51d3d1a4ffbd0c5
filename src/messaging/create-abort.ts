import type { ErrorCode } from './call-error.ts';
import { Refusal } from './refusal.ts';

/**
 * The end of a call before its time. An `AbortController` of its own would cost a quick call as much as all else that
 * the worker does for it, so one is made only when somebody looks at the signal.
 */
export interface Abort {
  readonly signal: AbortSignal;
  readonly abort: (reason: ErrorCode) => void;
  /** Why it was aborted, if it was. */
  readonly reason: () => ErrorCode | undefined;
  /**
   * What `work` gives, or a rejection as soon as it is aborted: nobody waits for what nobody asks for any more. One
   * race at a time.
   *
   * @throws Refusal the reason
   */
  readonly race: <T>(work: () => T | Promise<T>) => Promise<T>;
}

export function createAbort(): Abort {
  let controller: AbortController | undefined;
  let reason: ErrorCode | undefined;
  let wake: (() => void) | undefined;

  const aborted = (): Promise<void> => new Promise((resolve) => (wake = resolve));

  return {
    get signal() {
      controller ??= new AbortController();
      if (reason !== undefined) controller.abort();
      return controller.signal;
    },
    abort: (why) => {
      reason = why;
      controller?.abort();
      wake?.();
    },
    reason: () => reason,
    race: async <T>(work: () => T | Promise<T>) => {
      const working = reason === undefined ? work() : undefined;
      const value = working instanceof Promise ? await Promise.race([working, aborted()]) : working;
      if (reason !== undefined) throw new Refusal({ code: reason });
      // Unless it was aborted, it was the work that came first.
      return value as T;
    },
  };
}
