import { gapIds } from '../contract/spec-gaps.ts';
import { formatDigits } from './format-digits.ts';
import type { Translate } from './translate.ts';

/** How many points are specified, in a sentence. */
export function describeSpecified(count: number, translate: Translate): string {
  return translate('points_specified', {
    number: formatDigits(count, translate),
    total: formatDigits(gapIds.length, translate),
  });
}
