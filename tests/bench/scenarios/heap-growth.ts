import type { Heaps } from '../bench-browser.ts';
import type { Comparison, Scenario } from '../comparison.ts';
import { contenderFor } from '../contender-for.ts';

/** How much more page and worker hold after 20,000 calls. As many go before, so that all code is warm and compiled. */
export const heapGrowth: Scenario = async ({ client, measureHeaps }) => {
  if (measureHeaps === undefined) return [];

  const { run } = contenderFor('core', client, 'echo', {
    bytes: 100,
    samples: 20,
    callsPerSample: 1_000,
    inFlight: 64,
  });
  await run();
  // Reading opens a session, of which the first leaves something behind.
  await measureHeaps();
  await run();
  const before = await measureHeaps();
  await run();
  const after = await measureHeaps();

  return (['page', 'worker'] satisfies (keyof Heaps)[]).map((side): Comparison => ({
    scenario: 'heap after 20,000 calls',
    unit: 'kB',
    measured: { name: side, rounds: [[(after[side] - before[side]) / 1_000]] },
    goal: { most: 64 },
  }));
};
