/** Work that is measured, and work to compare it with. */
export interface Comparison {
  readonly name: string;
  /** Name of the work to compare with. */
  readonly against: string;
  readonly unit: 'ms' | 'MB';
  /** The highest multiple of `byHand` that is allowed, or `null` if the row is only reported. */
  readonly limit: number | null;
  readonly rounds: number;
  /** Work before the first round. */
  readonly before?: () => Promise<unknown>;
  /** Each returns one sample. */
  readonly contenders: Readonly<Partial<Record<Contender, () => Promise<number>>>>;
}

export type Contender = 'ours' | 'byHand' | 'cached';

/** The samples of each contender, in the order of the rounds. */
type Samples = Readonly<Record<Contender, number[]>>;

export interface Result extends Pick<Comparison, 'name' | 'against' | 'unit' | 'limit'> {
  readonly samples: Samples;
}

/** Measures the contenders in turn, because a slow phase of the machine then affects all. Each round begins with another one. */
export async function runRounds({ contenders, rounds, before, ...row }: Comparison): Promise<Result> {
  await before?.();
  const samples: Samples = { ours: [], byHand: [], cached: [] };
  const all = Object.entries(contenders) as [Contender, () => Promise<number>][];
  // In the first rounds, which do not count, code is compiled.
  for (let round = -Math.floor(rounds / 4); round < rounds; round += 1) {
    const first = Math.abs(round) % all.length;
    const order = [...all.slice(first), ...all.slice(0, first)];
    // The order is reversed in every other round. Otherwise each of three contenders would always follow the same one.
    for (const [name, run] of round % 2 === 0 ? order : order.toReversed()) {
      const sample = await run();
      if (round >= 0) samples[name].push(sample);
    }
  }
  return { ...row, samples };
}

/** Merges the results of several browsers. Each has the samples of all. */
export function merge(results: readonly Result[]): readonly Result[] {
  const merged = new Map<string, Result>();
  for (const result of results) {
    const key = `${result.name} ${result.against}`;
    const before = merged.get(key);
    if (before === undefined) merged.set(key, result);
    else
      for (const name of ['ours', 'byHand', 'cached'] as const)
        before.samples[name].push(...result.samples[name]);
  }
  return [...merged.values()];
}

/** Returns the median of the rounds' ratios, or `NaN` if one side was not measured. */
const ratioTo = (others: readonly number[], { ours }: Samples): number =>
  median(ours.map((sample, round) => sample / (others[round] ?? Number.NaN)));

export const isMissed = ({ samples, limit }: Result): boolean =>
  limit !== null && ratioTo(samples.byHand, samples) > limit;

/** Returns a result as a row of a table. */
export function describe(result: Result) {
  const { name, against, unit, limit, samples } = result;
  const show = (value: number, text: string): string => (Number.isNaN(value) ? '–' : text);
  const value = (some: readonly number[]): string =>
    show(median(some), `${median(some).toPrecision(3)} ${unit}`);
  const ratio = (others: readonly number[]): string =>
    show(ratioTo(others, samples), ratioTo(others, samples).toFixed(2));
  return {
    name,
    core: value(samples.ours),
    against,
    p50: value(samples.byHand),
    ratio: ratio(samples.byHand),
    limit: limit ?? '–',
    '': isMissed(result) ? 'missed' : '',
    'with a cache': ratio(samples.cached),
  };
}

function median(samples: readonly number[]): number {
  const sorted = samples.toSorted((a, b) => a - b);
  return sorted[Math.floor((sorted.length - 1) / 2)] ?? Number.NaN;
}
