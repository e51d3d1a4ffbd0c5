import type { ErrorCode } from './call-error.ts';

/**
 * The end of a call before its time. An `AbortController` of its own would cost a quick call as much as all else that
 * the worker does for it, so one is made only when somebody looks at the signal.
 */
export interface Abort {
  readonly signal: AbortSignal;
  readonly abort: (reason: ErrorCode) => void;
  /** Why it was aborted, if it was. */
  readonly reason: () => ErrorCode | undefined;
  /** Waits for it, for one waiter at a time. */
  readonly aborted: () => Promise<void>;
}

export function createAbort(): Abort {
  let controller: AbortController | undefined;
  let reason: ErrorCode | undefined;
  let wake: (() => void) | undefined;

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
    aborted: () =>
      new Promise((resolve) => {
        wake = resolve;
      }),
  };
}
