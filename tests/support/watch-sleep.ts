import { setTimeout as sleep } from 'node:timers/promises';

import { pollUntil } from '../../scripts/browsers/running-extension.ts';
import type { RunningExtension } from '../../scripts/browsers/running-extension.ts';

/** How a worker slept under open pages. */
interface Sleep {
  /** Milliseconds from the last call until the worker was stopped. */
  readonly sleptAfter: number;
  /** Seconds, of those that were watched, at which it ran again. */
  readonly wakeUps: number;
}

/** Waits for the worker to sleep, and then watches for so many seconds whether anything wakes it. */
export async function watchSleep(extension: RunningExtension, seconds: number): Promise<Sleep> {
  const lastCall = performance.now();
  await pollUntil(async () => !(await extension.isWorkerRunning()), 'the worker to sleep');
  const sleptAfter = Math.round(performance.now() - lastCall);

  let wakeUps = 0;
  for (let second = 0; second < seconds; second += 1) {
    await sleep(1_000);
    if (await extension.isWorkerRunning()) wakeUps += 1;
  }
  return { sleptAfter, wakeUps };
}
