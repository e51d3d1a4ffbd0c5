import type { Choice, Gap, GapId, Paragraph, Point } from '../../src/contract/spec-gaps.ts';
import type { SpecGaps } from './parse-spec-gaps.ts';

/** The exports of `SPEC_GAPS.md` as a module. `src/spec-gaps.d.ts` describes them to whoever imports it. */
export interface SpecGapsParts {
  readonly gaps: readonly Gap[];
  readonly points: readonly Point[];
  readonly specified: readonly GapId[];
  readonly choices: readonly Choice[];
  readonly leftOut: readonly Paragraph[];
}

/** The whole of the data, cut into the parts that are wanted apart from each other. */
export function specGapsParts({ gaps, choices, leftOut }: SpecGaps): SpecGapsParts {
  return {
    gaps,
    points: gaps.map(({ id, number, title, status }) => ({ id, number, title, status })),
    specified: gaps.filter(({ status }) => status === 'specified').map(({ id }) => id),
    choices,
    leftOut,
  };
}
