/** What ends by itself when its time is over. */
interface Mortal {
  /** As `performance.now` counts, or `Infinity`. */
  readonly deadline: number;
  readonly giveUp: (reason: 'TIMEOUT') => void;
}

/**
 * Gives up whatever is in `calls` when its deadline passes. All share one timer: one of its own would be what costs a
 * quick call most. Gives what has to be told the deadline of every new call.
 */
export function watchDeadlines(calls: ReadonlyMap<number, Mortal>): (deadline: number) => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let wakesAt = Infinity;

  /** A call that ends leaves the timer as it is: nearly all end in time, and the next one's deadline comes later. */
  function wakeAt(deadline: number): void {
    if (deadline >= wakesAt) return;
    clearTimeout(timer);
    wakesAt = deadline;
    timer = setTimeout(look, deadline - performance.now());
  }

  function look(): void {
    const now = performance.now();
    wakesAt = Infinity;
    for (const { deadline, giveUp } of calls.values()) {
      if (deadline <= now) giveUp('TIMEOUT');
      else wakeAt(deadline);
    }
  }

  return wakeAt;
}
