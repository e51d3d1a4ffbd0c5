import { gapIds } from '../../src/contract/spec-gaps.ts';
import type { Choice, Gap, Paragraph } from '../../src/contract/spec-gaps.ts';
import { MarkdownReader } from './markdown-reader.ts';
import { parseChoices } from './parse-choices.ts';
import { parseGap } from './parse-gap.ts';
import { parseItem } from './parse-item.ts';

/** What `SPEC_GAPS.md` says, as data. */
export interface SpecGaps {
  /** The nine points, in the order of the specification. */
  readonly gaps: readonly Gap[];
  readonly choices: readonly Choice[];
  readonly leftOut: readonly Paragraph[];
}

/**
 * Reads the text of `SPEC_GAPS.md`. `file` is the name that errors carry.
 *
 * Throws a `SpecGapsError` at the first place where the text is not in the form that its introduction describes.
 */
export function parseSpecGaps(markdown: string, file = 'SPEC_GAPS.md'): SpecGaps {
  const reader = new MarkdownReader(markdown, file);
  reader.heading(1, 'Specification gaps', 'at the top');
  reader.skipTo(2);

  const gaps = gapIds.map((id, index) => parseGap(reader, id, index + 1));

  reader.heading(2, 'Choices made to have something that runs', 'after the nine sections');
  const choices = parseChoices(reader);

  reader.heading(2, 'Left out on purpose', 'after the choices');
  const leftOut = reader
    .list('bulleted', 'a bulleted list of what was left out')
    .map((item) => parseItem(reader, item, 'what was left out'));

  reader.end();
  return { gaps, choices, leftOut };
}
