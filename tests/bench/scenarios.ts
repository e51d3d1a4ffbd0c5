import { setTimeout as sleep } from 'node:timers/promises';

import type { BenchBrowser, BenchPage, Heaps } from './bench-browser.ts';
import { type Comparison, type Contender, median, runRounds, type Series } from './measure.ts';
import type { Load } from './page-bench.ts';

/**
 * Measures one thing in a browser.
 *
 * @param effort share of the full number of rounds: 1 or less
 */
export type Scenario = (browser: BenchBrowser, effort: number) => Promise<Comparison[]>;

/** Milliseconds for the browser to be done with what it does after the end of a worker. */
const REST = 200;

/**
 * The first call to a worker that must be started for it. Both workers are stopped before every sample.
 *
 * @param what which of the two workers load webextension-polyfill
 */
export const coldWake =
  (what: string): Scenario =>
  async (browser, effort) => {
    const load = { bytes: 100, samples: 1, callsPerSample: 1 };
    const contenders = [
      contenderFor('core', browser.client, 'echo', load),
      contenderFor('sendMessage', browser.raw, 'message', load),
    ].map(({ name, run }) => ({
      name,
      async run() {
        await browser.stopWorkers();
        await sleep(REST);
        return run();
      },
    }));
    const goal = { most: 1.15 };
    return comparePair(`cold wake, ${what}`, await runRounds(contenders, Math.ceil(100 * effort)), goal);
  };

/** The same query to a server with a recorder that is off and to one without. */
const recorderOff: Scenario = async (browser, effort) => {
  const load = { bytes: 100, samples: 25 };
  const contenders = [
    contenderFor('recorder off', browser.recorded, 'echo', load),
    contenderFor('no recorder', browser.client, 'echo', load),
  ];
  const series = await runRounds(contenders, Math.ceil(80 * effort), 16);
  return comparePair('recording off', series, { most: 1.05 });
};

const CROWDS = [1, 8, 64, 256];

/**
 * The same query with ever more clients, each with a port and a live subscription of its own, that take turns in asking.
 * A client cannot be taken away again, so the crowds cannot take turns as contenders: each is compared with the raw
 * port, whose one port stays alone, and in units of it.
 */
const growth: Scenario = async (browser, effort) => {
  const load = { bytes: 100, samples: 256 };
  const contenders = [
    contenderFor('clients', browser.client, 'crowd', load),
    contenderFor('raw port', browser.raw, 'port', load),
  ];

  const crowds: Series[] = [];
  for (const size of CROWDS) {
    await browser.client.evaluate((count) => openClients(count), size);
    const [crowd, raw] = await runRounds(contenders, Math.ceil(12 * effort), 4);
    if (crowd === undefined || raw === undefined) continue;
    const rounds = crowd.rounds.map((samples, round) => {
      const unit = median(raw.rounds[round] ?? []);
      return samples.map((sample) => sample / unit);
    });
    crowds.push({ name: `${size} clients`, rounds });
  }

  const [one, ...others] = crowds;
  if (one === undefined) return [];
  return others.map((measured) => ({
    scenario: 'growth',
    unit: '× raw port',
    measured,
    against: one,
    goal: { most: 1.2 },
  }));
};

/** How much more page and worker hold after 20,000 calls. As many go before, so that all code is warm and compiled. */
const heapGrowth: Scenario = async ({ client, measureHeaps }) => {
  if (measureHeaps === undefined) return [];

  const load = { bytes: 100, samples: 20, callsPerSample: 1_000, inFlight: 64 };
  const { run } = contenderFor('core', client, 'echo', load);
  await run();
  // Reading opens a session, of which the first leaves something behind.
  await measureHeaps();
  await run();
  const before = await measureHeaps();
  await run();
  const after = await measureHeaps();

  return (['page', 'worker'] satisfies (keyof Heaps)[]).map((side) => ({
    scenario: 'heap after 20,000 calls',
    unit: 'kB',
    measured: { name: side, rounds: [[(after[side] - before[side]) / 1_000]] },
    goal: { most: 64 },
  }));
};

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

interface CallsToCompare {
  readonly scenario: string;
  /** The client's call. */
  readonly call: string;
  readonly load: Load;
  readonly rounds: number;
  /** As of `runRounds`. */
  readonly warmUps: number;
  /** Calls of the raw page, each with the goal of the client's call. */
  readonly goals: readonly (Pick<Comparison, 'goal'> & { readonly name: string; readonly call: string })[];
}

/** A scenario that makes the same calls over the core and over the browser's own API. */
function compareCalls({ scenario, call, load, rounds, warmUps, goals }: CallsToCompare): Scenario {
  const isRate = load.inFlight !== undefined;
  return async ({ client, raw }, effort) => {
    const contenders = [
      contenderFor('core', client, call, load),
      ...goals.map((goal) => contenderFor(goal.name, raw, goal.call, load)),
    ];
    const [core, ...others] = await runRounds(contenders, Math.ceil(rounds * effort), warmUps);
    return goals.flatMap(({ goal }, index) => comparePair(scenario, [core, others[index]], goal, isRate));
  };
}

/** Makes the calls of each round in the page. */
function contenderFor(name: string, page: BenchPage, call: string, load: Load): Contender {
  return { name, run: () => page.evaluate((...[named, sent]) => bench.measure(named, sent), call, load) };
}

function comparePair(
  scenario: string,
  [measured, against]: readonly (Series | undefined)[],
  goal: Comparison['goal'],
  isRate = false,
): Comparison[] {
  if (measured === undefined || against === undefined) return [];
  return [{ scenario, unit: 'ms', measured, against, isRate, goal }];
}
