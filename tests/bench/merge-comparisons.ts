import type { Comparison } from './comparison.ts';
import type { Series } from './run-rounds.ts';

/** The same comparisons made several times, as one with the rounds of all. */
export function mergeComparisons(runs: readonly (readonly Comparison[])[]): Comparison[] {
  const [first = [], ...rest] = runs;
  return first.map((comparison, index) => rest.flatMap((run) => run[index] ?? []).reduce(merge, comparison));
}

function merge(one: Comparison, other: Comparison): Comparison {
  return {
    ...one,
    measured: join(one.measured, other.measured),
    ...(one.against && other.against && { against: join(one.against, other.against) }),
  };
}

function join({ name, rounds }: Series, more: Series): Series {
  return { name, rounds: [...rounds, ...more.rounds] };
}
