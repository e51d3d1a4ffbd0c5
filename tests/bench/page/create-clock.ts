/** Chromium's stopwatch for benchmarks. */
interface ChromiumInterval {
  readonly start: () => void;
  /** Since `start`. */
  readonly microseconds: () => number;
}

export interface Clock {
  /** Milliseconds since some moment. */
  readonly now: () => number;
  /** Milliseconds by which `now` rises at least. */
  readonly step: number;
}

/** The finest clock that the page has: browsers let `performance.now` step by 0.1 ms or more. */
export function createClock(): Clock {
  // There under `--enable-benchmarking-api`.
  const { Interval } = chrome as unknown as { readonly Interval?: new () => ChromiumInterval };
  if (Interval === undefined) return { now: () => performance.now(), step: findStep() };

  const interval = new Interval();
  interval.start();
  return { now: () => interval.microseconds() / 1_000, step: 0.001 };
}

function findStep(): number {
  let smallest = Infinity;
  for (let rises = 0; rises < 10; rises += 1) {
    const before = performance.now();
    let after = before;
    while (after === before) after = performance.now();
    smallest = Math.min(smallest, after - before);
  }
  return smallest;
}
