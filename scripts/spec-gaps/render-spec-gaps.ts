import { parseSpecGaps } from './parse-spec-gaps.ts';
import { specGapsParts } from './spec-gaps-parts.ts';

/**
 * The JavaScript that `SPEC_GAPS.md` stands for: one export if one is wanted, otherwise all of them.
 *
 * A bundler shares modules between entries, not exports: from one module the worker would get the long texts of the
 * pages with it. So the whole only passes on what each `SPEC_GAPS.md?export=…` holds.
 */
export function renderSpecGaps(markdown: string, wanted: string | undefined): string {
  const parts = Object.entries(specGapsParts(parseSpecGaps(markdown)));
  if (wanted === undefined) {
    return parts.map(([name]) => `export { ${name} } from './SPEC_GAPS.md?export=${name}';`).join('\n');
  }
  return parts
    .filter(([name]) => name === wanted)
    .map(([name, value]) => `export const ${name} = ${JSON.stringify(value)};`)
    .join('\n');
}
