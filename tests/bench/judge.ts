import type { Comparison } from './comparison.ts';
import { quantile } from './quantile.ts';

export interface Verdict {
  /** The ratio, or the median where there is nothing to compare with. */
  readonly result: number;
  readonly holds: boolean;
}

/**
 * The ratio is the median, over the rounds, of the ratio of medians within one round (of means, if the samples come in
 * steps): what slows the machine down for a while slows both sides in the same rounds.
 */
export function judge({ measured, against, isRate = false, isStepped = false, goal }: Comparison): Verdict {
  const middle = isStepped ? mean : median;
  const ratios = measured.rounds.map((samples, round) => {
    const ratio = middle(samples) / (against ? middle(against.rounds[round] ?? []) : 1);
    return isRate ? 1 / ratio : ratio;
  });
  const result = median(ratios);
  return { result, holds: 'most' in goal ? result <= goal.most : result >= goal.least };
}

function median(samples: readonly number[]): number {
  return quantile(samples, 0.5);
}

function mean(samples: readonly number[]): number {
  return samples.reduce((sum, sample) => sum + sample, 0) / samples.length;
}
