/** One of several contenders that are measured in turn. */
export interface Contender<Sample = number> {
  readonly name: string;
  /** Measures one round. Returns its samples. */
  readonly run: () => Promise<readonly Sample[]>;
}

/** The samples of one contender, in rounds. */
export interface Series<Sample = number> {
  readonly name: string;
  readonly rounds: readonly (readonly Sample[])[];
}

/** A measured series, an optional series to compare it with, and a goal. */
export interface Comparison {
  readonly scenario: string;
  /** Unit of the samples. */
  readonly unit: 'ms' | 'kB' | 'shift' | '× raw port';
  readonly measured: Series;
  /** The series to compare with. Without it, the goal is in `unit`. */
  readonly against?: Series;
  /** The highest result that is allowed: a multiple of `against`, or a value in `unit`. */
  readonly goal: number;
}

/**
 * Measures the contenders in turn. Each round begins with another contender.
 *
 * @param warmUps number of rounds before these that do not count, in which code is compiled
 */
export async function runRounds<Sample>(
  contenders: readonly Contender<Sample>[],
  count: number,
  warmUps = 1,
): Promise<Series<Sample>[]> {
  const series = contenders.map(({ name, run }) => ({ name, run, rounds: [] as (readonly Sample[])[] }));
  for (let round = -warmUps; round < count; round += 1) {
    const first = Math.abs(round) % series.length;
    const order = [...series.slice(first), ...series.slice(0, first)];
    // The order is reversed in every other round. Otherwise each of three contenders would always follow the same one.
    for (const { run, rounds } of round % 2 === 0 ? order : order.toReversed()) {
      const samples = await run();
      if (round >= 0) rounds.push(samples);
    }
  }
  return series;
}

/** Merges repetitions of the same comparisons. Each result has the rounds of all repetitions. */
export function mergeComparisons([first = [], ...rest]: readonly (readonly Comparison[])[]): Comparison[] {
  return first.map((comparison, index) => {
    const same = [comparison, ...rest.flatMap((run) => run[index] ?? [])];
    const { measured, against } = comparison;
    const all = same.flatMap((each) => each.measured.rounds);
    const allAgainst = same.flatMap((each) => each.against?.rounds ?? []);
    return {
      ...comparison,
      measured: { ...measured, rounds: all },
      ...(against && { against: { ...against, rounds: allAgainst } }),
    };
  });
}

/**
 * Returns the result of a comparison, and whether the goal is reached. In each round, the median of one side is divided by that
 * of the other, because a slow phase of the machine affects both. The result is the median of these ratios, or of the rounds'
 * medians if there is no series to compare with.
 */
export function judge({ measured, against, goal }: Comparison) {
  const ratios = measured.rounds.map(
    (samples, round) => median(samples) / (against ? median(against.rounds[round] ?? []) : 1),
  );
  const result = median(ratios);
  return { result, holds: result <= goal };
}

export function median(samples: readonly number[]): number {
  return quantile(samples, 0.5);
}

/** Returns the smallest sample that is not exceeded by at least this share of the samples (0 to 1). */
export function quantile(samples: readonly number[], share: number): number {
  const sorted = samples.toSorted((a, b) => a - b);
  return sorted[Math.max(Math.ceil(sorted.length * share) - 1, 0)] ?? Number.NaN;
}

/** Returns a comparison as a row of a table. */
export function describe(comparison: Comparison) {
  const { scenario, unit, measured, against, goal } = comparison;
  const { result, holds } = judge(comparison);
  const spread = ({ name, rounds }: Series): string => {
    const samples = rounds.flat();
    const values = [0.5, 0.95, 0.99].map((share) => quantile(samples, share).toPrecision(3));
    return samples.length === 1 ? name : `${name}: ${values.join(' / ')} ${unit}`;
  };
  return {
    scenario,
    'measured: p50 / p95 / p99': spread(measured),
    'against: p50 / p95 / p99': against === undefined ? '' : spread(against),
    result: `${result.toFixed(2)}${against === undefined ? ` ${unit}` : '×'}`,
    goal,
    holds,
  };
}
