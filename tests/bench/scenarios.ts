import { setTimeout as sleep } from 'node:timers/promises';

import type { BenchExtension, BenchPage } from './bench-browser.ts';
import { type Comparison, type Contender, median, runRounds, type Series } from './measure.ts';
import type { Load } from './page-bench.ts';

/** The two extensions that are compared, in one browser. */
export interface Pair {
  /** Over the browser's own API, and a page of it. */
  readonly raw: BenchExtension;
  readonly rawPage: BenchPage;
  /** Over the core, and a page of it. */
  readonly client: BenchExtension;
  readonly clientPage: BenchPage;
}

/**
 * Measures one thing in a browser.
 *
 * @param effort share of the full number of rounds: 1 or less
 */
export type Scenario = (pair: Pair, effort: number) => Promise<Comparison[]>;

/** Milliseconds for the browser to be done with what it does after the end of a worker. */
const REST = 200;

/**
 * The first call to a worker that must be started for it. Both workers are stopped before every sample.
 *
 * @param what which of the two workers load webextension-polyfill
 */
export const coldWake =
  (what: string): Scenario =>
  async ({ raw, rawPage, client, clientPage }, effort) => {
    const load = { bytes: 100, samples: 1 };
    const contenders = [
      contenderFor('core', clientPage, 'echo', load),
      contenderFor('sendMessage', rawPage, 'message', load),
    ].map(({ name, run }) => ({
      name,
      async run() {
        await Promise.all([raw.stopWorker(), client.stopWorker()]);
        await sleep(REST);
        return run();
      },
    }));
    const series = await runRounds(contenders, Math.ceil(100 * effort));
    return comparePair(`cold wake, ${what}`, series, 1.15);
  };

const CROWDS = [1, 8, 64, 256];

/**
 * The same query with ever more clients, each with a port and a live subscription of its own, that take turns in asking.
 * A client cannot be taken away again, so the crowds cannot take turns as contenders: each is compared with the raw
 * port, whose one port stays alone, and in units of it.
 */
const growth: Scenario = async ({ clientPage, rawPage }, effort) => {
  const load = { bytes: 100, samples: 256 };
  const contenders = [
    contenderFor('clients', clientPage, 'crowd', load),
    contenderFor('raw port', rawPage, 'port', load),
  ];
  const crowds: Series[] = [];
  for (const size of CROWDS) {
    await clientPage.evaluate((count) => openClients(count), size);
    const [crowd, port] = await runRounds(contenders, Math.ceil(12 * effort), 4);
    const rounds = (crowd?.rounds ?? []).map((samples, round) => {
      const unit = median(port?.rounds[round] ?? []);
      return samples.map((sample) => sample / unit);
    });
    crowds.push({ name: `${size} clients`, rounds });
  }
  const [one, ...others] = crowds;
  const goal = 1.2;
  return others.flatMap((crowd) => comparePair('growth', [crowd, one], goal, { unit: '× raw port' }));
};

/** Growth of the heaps of page and worker by 20,000 calls. As many are made before, so that all code is warm and compiled. */
const heapGrowth: Scenario = async ({ client, clientPage }) => {
  const load = { bytes: 100, samples: 20, callsPerSample: 1_000, inFlight: 64 };
  const { run } = contenderFor('core', clientPage, 'echo', load);
  const measure = async () => [await clientPage.measureHeap(), await client.measureWorkerHeap()];
  await run();
  // Reading opens a session, of which the first leaves something behind.
  await measure();
  await run();
  const before = await measure();
  await run();
  const after = await measure();

  return ['page', 'worker'].map((name, index): Comparison => {
    const measured = { name, rounds: [[((after[index] ?? 0) - (before[index] ?? 0)) / 1_000]] };
    return { scenario: 'heap after 20,000 calls', unit: 'kB', measured, goal: 64 };
  });
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
      { name: 'raw port', call: 'port', goal: 0.5 },
      { name: 'sendMessage', call: 'message', goal: 0.36 },
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
      { name: 'raw port', call: 'port', goal: 1.15 },
      { name: 'sendMessage', call: 'message', goal: 0.65 },
    ],
  }),
  compareCalls({
    scenario: '1 MB in one text',
    call: 'blob',
    load: { bytes: 1_000_000, samples: 1 },
    rounds: 60,
    warmUps: 5,
    goals: [{ name: 'raw port', call: 'port', goal: 1.05 }],
  }),
  compareCalls({
    scenario: 'mutation',
    call: 'add',
    load: { bytes: 100, samples: 10 },
    rounds: 100,
    warmUps: 100,
    goals: [{ name: 'raw port and one set', call: 'stored', goal: 2 }],
  }),
  growth,
  heapGrowth,
];

/** Records, of which tables are made. They have their own browsers, because earlier scenarios change the ratio. */
export const records: readonly Scenario[] = [10_000, 1_000_000, 2_500_000].map((bytes) =>
  compareCalls({
    scenario: `${bytes / 1_000} kB of small records`,
    call: 'any',
    load: { bytes, shape: 'records', samples: 1, callsPerSample: bytes > 100_000 ? 1 : 20 },
    rounds: 40,
    warmUps: bytes > 100_000 ? 5 : 40,
    goals: [{ name: 'raw port', call: 'port', goal: 1.3 }],
  }),
);

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
  return async ({ clientPage, rawPage }, effort) => {
    const contenders = [
      contenderFor('core', clientPage, call, load),
      ...goals.map((goal) => contenderFor(goal.name, rawPage, goal.call, load)),
    ];
    const [core, ...others] = await runRounds(contenders, Math.ceil(rounds * effort), warmUps);
    return goals.flatMap(({ goal }, index) => comparePair(scenario, [core, others[index]], goal));
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
  options: Partial<Comparison> = {},
): Comparison[] {
  if (measured === undefined || against === undefined) return [];
  return [{ scenario, unit: 'ms', measured, against, goal, ...options }];
}
