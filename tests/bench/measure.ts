/** One of the contenders that take turns. */
export interface Contender<Sample = number> {
  readonly name: string;
  /** Gives the samples of one round. */
  readonly run: () => Promise<readonly Sample[]>;
}

/** Times of one contender, one for each round. */
export interface Series<Sample = number> {
  readonly name: string;
  readonly rounds: readonly (readonly Sample[])[];
}

/** A measurement, the contender and the goal. */
export interface Comparison {
  readonly scenario: string;
  /** Of the samples. */
  readonly unit: 'ms' | 'kB' | 'shift' | '× raw port';
  readonly measured: Series;
  /** The goal is a multiple of this. It is left out if the goal is in the unit itself. */
  readonly against?: Series;
  /** The result must be this at most. */
  readonly goal: number;
}

/**
 * Lets the contenders take turns; each round begins with another one.
 *
 * @param warmUps rounds before these that do not count, in which code is compiled
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
    // Turned round every other time, or one of three would always come after the same other.
    for (const { run, rounds } of round % 2 === 0 ? order : order.toReversed()) {
      const samples = await run();
      if (round >= 0) rounds.push(samples);
    }
  }
  return series;
}

/** The same comparisons made several times, as one with the rounds of all. */
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
 * The ratio, or the median where there is nothing to compare with. The ratio is the median, over the rounds, of the ratio
 * of medians within one round: what slows the machine down for a while slows both sides in the same rounds.
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

/** The smallest of the samples that at least this share of them (0 to 1) does not exceed. */
function quantile(samples: readonly number[], share: number): number {
  const sorted = samples.toSorted((a, b) => a - b);
  return sorted[Math.max(Math.ceil(sorted.length * share) - 1, 0)] ?? Number.NaN;
}

/** The comparison as a row of a table. */
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
