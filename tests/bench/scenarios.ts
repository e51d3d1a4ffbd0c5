import { setTimeout as sleep } from 'node:timers/promises';

import type { BenchExtension, BenchPage } from './bench-browser.ts';
import { type Comparison, type Contender, median, runRounds, type Series } from './measure.ts';
import type { Load } from './page-bench.ts';

/** The two extensions that are compared, in one browser. */
export interface Pair {
  /** The extension over the browser's own API, and its page. */
  readonly raw: BenchExtension;
  readonly rawPage: BenchPage;
  /** The extension over the core, and its page. */
  readonly client: BenchExtension;
  readonly clientPage: BenchPage;
}

/**
 * Measures one thing in a browser.
 *
 * @param effort share of the full number of rounds: 1 or less
 */
export type Scenario = (pair: Pair, effort: number) => Promise<Comparison[]>;

/** Milliseconds for the browser to finish its work after a worker has ended. */
const REST = 200;

/**
 * Measures a call that starts its worker. Both workers are stopped before every sample.
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
 * Measures the same query with more and more clients, which call in turn. Each has its own port and a live subscription. A
 * client cannot be removed, so the crowds cannot be measured in turn. Instead each crowd is measured against the single raw
 * port, and its samples are multiples of that.
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

/** Measures the growth of both heaps by 20,000 calls. 40,000 calls are made before, so that all code is compiled. */
const heapGrowth: Scenario = async ({ client, clientPage }) => {
  const load = { bytes: 100, samples: 20, callsPerSample: 1_000, inFlight: 64 };
  const { run } = contenderFor('core', clientPage, 'echo', load);
  const measure = async () => [await clientPage.measureHeap(), await client.measureWorkerHeap()];
  await run();
  // The first measurement opens a session, which needs memory itself.
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

/** Scenarios in the order of each browser. Parallel calls are first, because they compile code soonest. Clients stay open. */
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
    // Parallel calls need few messages, so the code for messages is not warm yet.
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

/** Scenarios with many small records. They run in their own browsers, because earlier scenarios change the ratio. */
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
  /** Name of the call over the core. */
  readonly call: string;
  readonly load: Load;
  readonly rounds: number;
  /** The `warmUps` of `runRounds`. */
  readonly warmUps: number;
  /** Calls of the raw page, each with the goal for the core against it. */
  readonly goals: readonly (Pick<Comparison, 'goal'> & { readonly name: string; readonly call: string })[];
}

/** Creates a scenario that makes the same calls over the core and over the browser's own API. */
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

/** Creates a contender that makes the calls of a round in the page. */
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
