import { sectionTitles } from '../../../scripts/spec-gaps/parse-spec-gaps.ts';
import { gapIds } from '../../../src/contract/spec-gaps.ts';

/** A short file in the right form. Each section says its number, so that a test can change just one of them. */
export const sampleMarkdown = `# Specification gaps

An introduction, in *any* form.

${gapIds.map((id, index) => sampleSection(index + 1, sectionTitles[id])).join('\n')}
## Choices

An introduction to the choices.

- **Colour**: green, like
  \`grass\`.
  - \`SPEC_GAPS.md\`: the value of \`--colour\`.
  - \`SPEC_GAPS.md\`: the name.
- **Shape**: round.
  - \`SPEC_GAPS.md\`: one file.

## Left out on purpose

- Every \`wheel\`.
- The boat.
`;

function sampleSection(number: number, title: string): string {
  return `## ${number}. ${title}

### Known

Known of ${number}.

### Questions

**${number}.1** (owner, start here) What of ${number}?

**${number}.2** (engineer) What else of ${number}?

### For now

For now in ${number}.

### Where it goes

- \`SPEC_GAPS.md\`: all of ${number}.
`;
}

/** Replaces what occurs once. */
export function replaceOnce(text: string, from: string, to: string): string {
  const parts = text.split(from);
  if (parts.length !== 2) throw new Error(`"${from}" occurs ${parts.length - 1} times`);
  return parts.join(to);
}
