import { gapIds } from '../../../src/contract/spec-gaps.ts';
import { sectionTitles } from '../../../scripts/spec-gaps/parse-spec-gaps.ts';

/** A short file in the right form. Each section says its number, so that a test can change just one of them. */
export const sampleMarkdown = `# Specification gaps

An introduction, in *any* form.

${gapIds.map((id, index) => sampleSection(index + 1, sectionTitles[id])).join('\n')}
## Choices made to have something that runs

An introduction to the choices.

- **Colour**: green, like
  \`grass\`.
  - \`src/colour.css\`: the value of \`--colour\`.
- **Shape**: round.
  - \`src/shape/\`: one file.

## Left out on purpose

- Every \`wheel\`.
- The boat.
`;

function sampleSection(number: number, title: string): string {
  return `## ${number}. ${title}

### Status

\`open\`

### Known

Known of ${number}.

### To be answered

1. What of ${number}?

### Meanwhile

Meanwhile in ${number}.

### Where it goes

- \`src/${number}/\`: all of ${number}.
`;
}
