/** One of those that are measured beside each other. */
export interface Contender<Sample = number> {
  readonly name: string;
  /** Gives the samples of one round. */
  readonly run: () => Promise<readonly Sample[]>;
}

/** What one contender took, round by round. */
export interface Series<Sample = number> {
  readonly name: string;
  readonly rounds: readonly (readonly Sample[])[];
}

/**
 * Lets the contenders take turns, each round from another one on.
 *
 * @param warmUps rounds before these that do not count, in which code is compiled
 */
export async function runRounds<Sample>(
  contenders: readonly Contender<Sample>[],
  count: number,
  warmUps = 1,
): Promise<Series<Sample>[]> {
  for (let round = 0; round < warmUps; round += 1) {
    for (const { run } of contenders) await run();
  }

  const series = contenders.map(({ name, run }) => ({ name, run, rounds: [] as (readonly Sample[])[] }));
  for (let round = 0; round < count; round += 1) {
    const first = round % series.length;
    const order = [...series.slice(first), ...series.slice(0, first)];
    // Turned round every other time, or one of three would always come after the same other.
    for (const { run, rounds } of round % 2 === 0 ? order : order.toReversed()) rounds.push(await run());
  }
  return series;
}
