import type { Scenario } from '../comparison.ts';
import { compareCalls } from './compare-calls.ts';
import { growth } from './growth.ts';
import { heapGrowth } from './heap-growth.ts';
import { recorderOff } from './recorder-off.ts';

/** In this order in each browser: many calls at once have code compiled soonest, and clients that were opened stay. */
export const scenarios: readonly Scenario[] = [
  compareCalls({
    scenario: '100 bytes, 64 in flight',
    call: 'echo',
    load: { bytes: 100, samples: 1, callsPerSample: 500, inFlight: 64 },
    rounds: 60,
    warmUps: 20,
    goals: [
      { name: 'raw port', call: 'port', goal: { least: 2 } },
      { name: 'sendMessage', call: 'message', goal: { least: 2.8 } },
    ],
  }),
  compareCalls({
    scenario: '100 bytes, one after the other',
    call: 'echo',
    load: { bytes: 100, samples: 25 },
    rounds: 120,
    // Many calls at once travel in few messages, which leaves code for messages cold.
    warmUps: 200,
    goals: [
      { name: 'raw port', call: 'port', goal: { most: 1.15 } },
      { name: 'sendMessage', call: 'message', goal: { most: 0.65 } },
    ],
  }),
  ...[10_000, 1_000_000, 2_500_000].map((bytes) =>
    compareCalls({
      scenario: `${bytes / 1_000} kB of small records`,
      call: 'any',
      load: { bytes, shape: 'records', samples: 1, callsPerSample: bytes > 100_000 ? 1 : 20 },
      rounds: 40,
      warmUps: 5,
      goals: [{ name: 'raw port', call: 'port', goal: { most: 1.3 } }],
    }),
  ),
  compareCalls({
    scenario: '1 MB in one text',
    call: 'blob',
    load: { bytes: 1_000_000, samples: 1, callsPerSample: 1 },
    rounds: 60,
    warmUps: 5,
    goals: [{ name: 'raw port', call: 'port', goal: { most: 1.05 } }],
  }),
  compareCalls({
    scenario: 'mutation',
    call: 'add',
    load: { bytes: 100, samples: 10 },
    rounds: 100,
    warmUps: 100,
    goals: [{ name: 'raw port and one set', call: 'stored', goal: { most: 2 } }],
  }),
  recorderOff,
  growth,
  heapGrowth,
];
