import { setTimeout as sleep } from 'node:timers/promises';

import type { BenchExtension, BenchPage } from './bench-browser.ts';
import { type Comparison, type Contender, runRounds, type Series } from './measure.ts';
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

/** The first call to a worker that must be started for it. Both workers are stopped before every sample. */
export const coldWake: Scenario = async ({ raw, rawPage, client, clientPage }, effort) => {
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
  return comparePair('cold wake', series, 1.15);
};

/** In this order in each browser: many calls at once have code compiled soonest. */
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
];

/** What tables are made of. In browsers of their own, as what they follow changes the ratio. */
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
  goal: number,
): Comparison[] {
  if (measured === undefined || against === undefined) return [];
  return [{ scenario, measured, against, goal }];
}
