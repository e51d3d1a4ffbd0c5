import fc from 'fast-check';
import { afterEach, expect, it, vi } from 'vitest';

import { histories } from './model/histories.ts';
import { play } from './model/play.ts';
import { violationsOf } from './model/violations.ts';

/**
 * Plays random histories of three pages, of events and of tasks in the memory world, and compares the outcome of each with
 * the stored state. `RUNS` is the number of histories, 1,500 in `npm run test:soak`. A failure prints a seed for `SEED`.
 */
const RUNS = Number(process.env['RUNS'] ?? 10);
const SEED = process.env['SEED'];

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

it(
  `a model of pages, events, tasks, dying workers, faulty disks and a clock that jumps holds in ${RUNS} random histories`,
  async () => {
    const sums = { histories: 0, calls: 0, events: 0, tasks: 0, deaths: 0, quarantined: 0 };
    await fc.assert(
      fc.asyncProperty(histories, async (history) => {
        const result = await play(history);
        expect(violationsOf(result)).toEqual([]);
        const events = result.made.filter(({ isEvent }) => isEvent).length;
        sums.histories += 1;
        sums.calls += result.made.length - events;
        sums.events += events;
        sums.tasks += result.settled.length;
        sums.deaths += result.deaths;
        sums.quarantined += result.quarantined.length;
      }),
      {
        numRuns: RUNS,
        // A failure that depends on time may not appear again in a smaller history, and shrinking would search for a while.
        endOnFailure: SEED === undefined,
        plugins: [fc.interruptAfterTimeLimit(RUNS * 5_000)],
        ...(SEED !== undefined && { seed: Number(SEED) }),
      },
    );
    console.log(`measured: model: ${JSON.stringify(sums)}`);
  },
  RUNS * 2_000,
);
