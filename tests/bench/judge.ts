import type { Comparison } from './comparison.ts';
import { quantile } from './quantile.ts';

export interface Verdict {
  /** The ratio, or the median where there is nothing to compare with. */
  readonly result: number;
  readonly holds: boolean;
}

/**
 * The ratio is the median, over the rounds, of the ratio of medians within one round: what slows the machine down for a
 * while slows both sides in the same rounds.
 */
export function judge({ measured, against, isRate = false, goal }: Comparison): Verdict {
  const ratios = measured.rounds.map((samples, round) => {
    const ratio = quantile(samples, 0.5) / (against ? quantile(against.rounds[round] ?? [], 0.5) : 1);
    return isRate ? 1 / ratio : ratio;
  });
  const result = quantile(ratios, 0.5);
  return { result, holds: 'most' in goal ? result <= goal.most : result >= goal.least };
}
