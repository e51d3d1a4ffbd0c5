import { afterSleep, compare, contenderFor, type Installed } from './contender.ts';
import { type Comparison, median, runRounds, type Series } from './measure.ts';
import type { Load } from './page-bench.ts';

/** The two extensions that are compared, in one browser: over the browser's own API, and over the core. */
export interface Pair {
  readonly raw: Installed;
  readonly client: Installed;
}

/**
 * Measures one thing in a browser.
 *
 * @param effort share of the full number of rounds: 1 or less
 */
export type Scenario = (pair: Pair, effort: number) => Promise<Comparison[]>;

/**
 * Measures a call that starts its worker. Both workers are stopped before every sample.
 *
 * @param what which of the two workers load webextension-polyfill
 */
export const coldWake =
  (what: string): Scenario =>
  async ({ raw, client }, effort) => {
    const load = { bytes: 100, samples: 1 };
    const contenders = [
      contenderFor('core', client.page, 'echo', load),
      contenderFor('sendMessage', raw.page, 'message', load),
    ].map((contender) => afterSleep(contender, raw.extension, client.extension));
    const series = await runRounds(contenders, Math.ceil(100 * effort));
    return compare(`cold wake, ${what}`, series, [1.15]);
  };

const CROWDS = [1, 8, 64, 256];

/**
 * Measures the same query with more and more clients, which call in turn. Each has its own port and a live subscription. A
 * client cannot be removed, so the crowds cannot be measured in turn. Instead each crowd is measured against the single raw
 * port, and its samples are multiples of that.
 */
const growth: Scenario = async ({ client, raw }, effort) => {
  const load = { bytes: 100, samples: 256 };
  const contenders = [
    contenderFor('clients', client.page, 'crowd', load),
    contenderFor('raw port', raw.page, 'port', load),
  ];
  const crowds: Series[] = [];
  for (const size of CROWDS) {
    await client.page.evaluate((count) => openClients(count), size);
    const [crowd, port] = await runRounds(contenders, Math.ceil(12 * effort), 4);
    const rounds = (crowd?.rounds ?? []).map((samples, round) => {
      const unit = median(port?.rounds[round] ?? []);
      return samples.map((sample) => sample / unit);
    });
    crowds.push({ name: `${size} clients`, rounds });
  }
  const [one, ...others] = crowds;
  return others.flatMap((crowd) => (one ? compare('growth', [crowd, one], [1.2], '× raw port') : []));
};

/** Measures the growth of both heaps by 20,000 calls. 40,000 calls are made before, so that all code is compiled. */
const heapGrowth: Scenario = async ({ client }) => {
  const load = { bytes: 100, samples: 20, callsPerSample: 1_000, inFlight: 64 };
  const { run } = contenderFor('core', client.page, 'echo', load);
  const measure = async () => [await client.page.measureHeap(), await client.extension.measureWorkerHeap()];
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

/** A scenario for its own browsers, because the others change its ratio. */
export const records = compareCalls({
  scenario: '1 MB of small records',
  call: 'any',
  load: { bytes: 1_000_000, shape: 'records', samples: 1 },
  rounds: 40,
  warmUps: 5,
  goals: [{ name: 'raw port', call: 'port', goal: 1.3 }],
});

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
  return async ({ client, raw }, effort) => {
    const contenders = [
      contenderFor('core', client.page, call, load),
      ...goals.map((goal) => contenderFor(goal.name, raw.page, goal.call, load)),
    ];
    const series = await runRounds(contenders, Math.ceil(rounds * effort), warmUps);
    return compare(
      scenario,
      series,
      goals.map(({ goal }) => goal),
    );
  };
}
