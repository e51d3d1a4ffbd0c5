import type { Comparison, Scenario } from '../comparison.ts';
import { contenderFor } from '../contender-for.ts';
import type { Load } from '../page/page-bench.ts';
import { runRounds } from '../run-rounds.ts';

interface CallsToCompare {
  readonly scenario: string;
  /** The client's call. */
  readonly call: string;
  readonly load: Load & { readonly inFlight?: number };
  readonly rounds: number;
  /** As of `runRounds`. */
  readonly warmUps?: number;
  /** Calls of the raw page, and what the client's is to reach beside each. */
  readonly goals: readonly (Pick<Comparison, 'goal'> & { readonly name: string; readonly call: string })[];
}

/** A scenario that makes the same calls over the core and over the browser's own API. */
export function compareCalls({ scenario, call, load, rounds, warmUps, goals }: CallsToCompare): Scenario {
  return async (browser, effort) => {
    const contenders = [
      contenderFor('core', browser.client, call, load),
      ...goals.map((goal) => contenderFor(goal.name, browser.raw, goal.call, load)),
    ];
    const [measured, ...others] = await runRounds(contenders, Math.ceil(rounds * effort), warmUps);
    if (measured === undefined) return [];

    return others.map((against, index) => ({
      scenario,
      unit: 'ms',
      measured,
      against,
      isRate: load.inFlight !== undefined,
      goal: goals[index]?.goal ?? { most: 1 },
    }));
  };
}
