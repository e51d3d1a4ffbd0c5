import type { Pause } from '../state/job.ts';
import { ProcedureError } from '../wire/errors.ts';
import { LONGEST_TIMER } from '../wire/waiting.ts';

/** Number of attempts after which an event is given up. The nine pauses between them last 3.4 hours. */
export const ATTEMPTS = 10;

/** Returns a pause of this length in ms. */
export const pauseFor = (wait: number): Pause => ({ due: Date.now() + wait, wait });

/** Returns the length in ms of a pause without network that follows one of another length: 1 s, 4 s and so on, up to an hour. */
export const pauseOffline = (before: number): number => Math.min(Math.max(before, 250) * 4, 3_600_000);

/**
 * Returns the milliseconds that are left of a pause. If more than twice its length is left, the clock was set back by more than
 * that length, and the pause is over. After a smaller step, it lasts longer.
 */
export function timeLeft({ due, wait }: Pause): number {
  const left = due - Date.now();
  return left > 0 && left <= 2 * wait ? left : 0;
}

/** Milliseconds until a store is tried again that has failed as a whole so many times in a row. */
export const pauseOfStore = (failures: number): number => Math.min(1_000 * 2 ** (failures - 1), 60_000);

/** Returns `true` for the error of a store that has refused a write. */
export const isRefusal = (error: unknown): boolean =>
  error instanceof ProcedureError && error.report.code === 'NOT_STORED';

/** Returns a function that runs `work` at a time in ms since 1970, and forgets an earlier time. */
export function createTimer(work: () => void): (time: number) => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  return (time) => {
    clearTimeout(timer);
    if (time !== Infinity) timer = setTimeout(work, Math.min(Math.max(time - Date.now(), 0), LONGEST_TIMER));
  };
}
