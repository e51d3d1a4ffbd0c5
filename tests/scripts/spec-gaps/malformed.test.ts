import { expect, it } from 'vitest';

import { parseSpecGaps, SpecGapsError } from '../../../scripts/spec-gaps/parse-spec-gaps.ts';
import { sampleMarkdown } from './sample-markdown.ts';

/** One way to write the file wrongly, and what the writer is told. */
interface Malformation {
  readonly name: string;
  /** What of the sample is replaced; occurs in it once. */
  readonly from: string;
  readonly to: string;
  readonly message: string;
}

const known = 'Known of 3.';
const question = '1. What of 3?';
const place = '- `src/3/`: all of 3.';

/** Ways to write one of the nine sections wrongly, from its heading down. */
const malformedSections: readonly Malformation[] = [
  {
    name: 'a misspelt section',
    from: '## 3. Entities and their fields',
    to: '## 3. Entities',
    message:
      'SPEC_GAPS.md:49:1: expected the heading "## 3. Entities and their fields" of the specification, found the heading "## 3. Entities"',
  },
  {
    name: 'a section with another number',
    from: '## 3. Entities',
    to: '## 4. Entities',
    message:
      'SPEC_GAPS.md:49:1: expected the heading "## 3. Entities and their fields" of the specification, found the heading "## 4. Entities and their fields"',
  },
  {
    name: 'a section at another depth',
    from: '## 3. Entities',
    to: '# 3. Entities',
    message:
      'SPEC_GAPS.md:49:1: expected the heading "## 3. Entities and their fields" of the specification, found the heading "# 3. Entities and their fields"',
  },
  {
    name: 'a misspelt part',
    from: `### Known\n\n${known}`,
    to: `### Knwn\n\n${known}`,
    message: 'SPEC_GAPS.md:55:1: expected the heading "### Known" in section 3, found the heading "### Knwn"',
  },
  {
    name: 'a missing part',
    from: '### Meanwhile\n\nMeanwhile in 3.\n\n',
    to: '',
    message:
      'SPEC_GAPS.md:63:1: expected the heading "### Meanwhile" in section 3, found the heading "### Where it goes"',
  },
  {
    name: 'parts in another order',
    from: `### Known\n\n${known}\n\n### To be answered\n\n${question}`,
    to: `### To be answered\n\n${question}\n\n### Known\n\n${known}`,
    message:
      'SPEC_GAPS.md:55:1: expected the heading "### Known" in section 3, found the heading "### To be answered"',
  },
  {
    name: 'a word before the first part',
    from: '## 3. Entities and their fields\n',
    to: '## 3. Entities and their fields\n\nA word.\n',
    message: 'SPEC_GAPS.md:51:1: expected the heading "### Status" in section 3, found a paragraph',
  },
  {
    name: 'an unknown status',
    from: `\`open\`\n\n### Known\n\n${known}`,
    to: `\`closed\`\n\n### Known\n\n${known}`,
    message: 'SPEC_GAPS.md:53:1: expected the status "open" or "specified" in section 3, found "closed"',
  },
  {
    name: 'a missing status',
    from: `\`open\`\n\n### Known\n\n${known}`,
    to: `### Known\n\n${known}`,
    message:
      'SPEC_GAPS.md:53:1: expected the status "open" or "specified" in section 3, found the heading "### Known"',
  },
  {
    name: 'nothing known',
    from: `${known}\n\n`,
    to: '',
    message:
      'SPEC_GAPS.md:57:1: expected a paragraph below "Known" in section 3, found the heading "### To be answered"',
  },
  {
    name: 'a list in place of prose',
    from: known,
    to: `- ${known}`,
    message: 'SPEC_GAPS.md:57:1: expected a paragraph below "Known" in section 3, found a bulleted list',
  },
  {
    name: 'a code block in the prose',
    from: known,
    to: `${known}\n\n\`\`\`\ncode\n\`\`\``,
    message: 'SPEC_GAPS.md:59:1: expected a paragraph below "Known" in section 3, found a code block',
  },
  {
    name: 'bold text in the prose',
    from: known,
    to: 'Known\nof **3**.',
    message: 'SPEC_GAPS.md:58:4: expected plain text or code, found bold text',
  },
  {
    name: 'a link in the prose',
    from: known,
    to: 'Known of [3](https://example.invalid).',
    message: 'SPEC_GAPS.md:57:10: expected plain text or code, found a link',
  },
  {
    name: 'HTML in the prose',
    from: known,
    to: 'Known of <b>3</b>.',
    message: 'SPEC_GAPS.md:57:10: expected plain text or code, found HTML',
  },
  {
    name: 'an open section without questions',
    from: `${question}\n\n`,
    to: '',
    message:
      'SPEC_GAPS.md:61:1: expected a numbered list of questions in section 3, whose status is "open", found the heading "### Meanwhile"',
  },
  {
    name: 'an open section with nothing to be answered',
    from: question,
    to: 'Nothing.',
    message:
      'SPEC_GAPS.md:61:1: expected a numbered list of questions in section 3, whose status is "open", found a paragraph',
  },
  {
    name: 'questions without numbers',
    from: question,
    to: '- What of 3?',
    message:
      'SPEC_GAPS.md:61:1: expected a numbered list of questions in section 3, whose status is "open", found a bulleted list',
  },
  {
    name: 'an empty question',
    from: question,
    to: `${question}\n2.`,
    message: 'SPEC_GAPS.md:62:1: expected a question in section 3, found an empty list item',
  },
  {
    name: 'a question of two paragraphs',
    from: question,
    to: `${question}\n\n   More.`,
    message: 'SPEC_GAPS.md:63:4: expected a question in section 3 in one paragraph, found a paragraph',
  },
  {
    name: 'a question that is a list',
    from: question,
    to: '1. - What of 3?',
    message: 'SPEC_GAPS.md:61:4: expected a question in section 3, found a bulleted list',
  },
  {
    name: 'a word after the questions',
    from: question,
    to: `${question}\n\nMore.`,
    message: 'SPEC_GAPS.md:63:1: expected the heading "### Meanwhile" in section 3, found a paragraph',
  },
  {
    name: 'a specified section with a question',
    from: `\`open\`\n\n### Known\n\n${known}`,
    to: `\`specified\`\n\n### Known\n\n${known}`,
    message:
      'SPEC_GAPS.md:61:1: expected "Nothing." below "To be answered" in section 3, whose status is "specified", found a numbered list',
  },
  {
    name: 'a specified section with something to be answered',
    from: `\`open\`\n\n### Known\n\n${known}\n\n### To be answered\n\n${question}`,
    to: `\`specified\`\n\n### Known\n\n${known}\n\n### To be answered\n\nLittle.`,
    message:
      'SPEC_GAPS.md:61:1: expected "Nothing." below "To be answered" in section 3, whose status is "specified", found "Little."',
  },
  {
    name: 'nothing meanwhile',
    from: 'Meanwhile in 3.\n\n',
    to: '',
    message:
      'SPEC_GAPS.md:65:1: expected a paragraph below "Meanwhile" in section 3, found the heading "### Where it goes"',
  },
  {
    name: 'a section without places',
    from: `${place}\n`,
    to: '',
    message:
      'SPEC_GAPS.md:70:1: expected a bulleted list of paths below "Where it goes" in section 3, found the heading "## 4. States and transitions"',
  },
  {
    name: 'an empty place',
    from: place,
    to: '-',
    message:
      'SPEC_GAPS.md:69:1: expected a path as code, a colon and what goes there in section 3, found an empty list item',
  },
  {
    name: 'a path that is not code',
    from: place,
    to: '- src/3/: all of 3.',
    message:
      'SPEC_GAPS.md:69:3: expected a path as code, a colon and what goes there in section 3, found text',
  },
  {
    name: 'a path without a colon',
    from: place,
    to: '- `src/3/` all of 3.',
    message:
      'SPEC_GAPS.md:69:11: expected a path as code, a colon and what goes there in section 3, found no colon after the label',
  },
  {
    name: 'a path alone',
    from: place,
    to: '- `src/3/`',
    message:
      'SPEC_GAPS.md:69:3: expected a path as code, a colon and what goes there in section 3, found no colon after the label',
  },
  {
    name: 'a path with nothing after the colon',
    from: place,
    to: '- `src/3/`:',
    message:
      'SPEC_GAPS.md:69:11: expected a path as code, a colon and what goes there in section 3, found nothing after the colon',
  },
  {
    name: 'a place of two paragraphs',
    from: place,
    to: `${place}\n\n  More.`,
    message: 'SPEC_GAPS.md:71:3: expected one paragraph for each place in section 3, found a paragraph',
  },
];

const third = sampleMarkdown.slice(sampleMarkdown.indexOf('## 3.'), sampleMarkdown.indexOf('## 4.'));
const fourth = sampleMarkdown.slice(sampleMarkdown.indexOf('## 4.'), sampleMarkdown.indexOf('## 5.'));
const placeOfShape = '  - `src/shape/`: one file.';

/** Ways to write wrongly what stands around the nine sections. */
const malformedRest: readonly Malformation[] = [
  {
    name: 'a missing title',
    from: '# Specification gaps\n',
    to: '',
    message: 'SPEC_GAPS.md:2:1: expected the heading "# Specification gaps" at the top, found a paragraph',
  },
  {
    name: 'a missing section',
    from: third,
    to: '',
    message:
      'SPEC_GAPS.md:49:1: expected the heading "## 3. Entities and their fields" of the specification, found the heading "## 4. States and transitions"',
  },
  {
    name: 'sections in another order',
    from: third + fourth,
    to: fourth + third,
    message:
      'SPEC_GAPS.md:49:1: expected the heading "## 3. Entities and their fields" of the specification, found the heading "## 4. States and transitions"',
  },
  {
    name: 'a tenth section',
    from: '## Choices made',
    to: '## 10. Colours\n\n## Choices made',
    message:
      'SPEC_GAPS.md:203:1: expected the heading "## Choices made to have something that runs" after the nine sections, found the heading "## 10. Colours"',
  },
  {
    name: 'choices without an introduction',
    from: 'An introduction to the choices.\n\n',
    to: '',
    message: 'SPEC_GAPS.md:205:1: expected an introduction to the choices, found a bulleted list',
  },
  {
    name: 'choices that are not a list',
    from: '- **Colour**',
    to: '**Colour**',
    message: 'SPEC_GAPS.md:207:1: expected a bulleted list of choices, found a paragraph',
  },
  {
    name: 'a choice without a name',
    from: '**Shape**: round',
    to: 'Round',
    message: 'SPEC_GAPS.md:210:3: expected a name in bold, a colon and the choice, found text',
  },
  {
    name: 'a choice without a place',
    from: `${placeOfShape}\n`,
    to: '',
    message: 'SPEC_GAPS.md:210:1: expected a list with the one place where "Shape" is changed, found none',
  },
  {
    name: 'a choice with prose in place of the place',
    from: `${placeOfShape}\n`,
    to: '\n  More.\n',
    message:
      'SPEC_GAPS.md:212:3: expected a list with the one place where "Shape" is changed, found a paragraph',
  },
  {
    name: 'a choice with a place that is no path',
    from: placeOfShape,
    to: '  - one file.',
    message:
      'SPEC_GAPS.md:211:5: expected a path as code, a colon and what goes there where "Shape" is changed, found text',
  },
  {
    name: 'a choice with two places',
    from: placeOfShape,
    to: `${placeOfShape}\n  - \`src/form/\`: one file.`,
    message:
      'SPEC_GAPS.md:212:3: expected a list with the one place where "Shape" is changed, found a second place',
  },
  {
    name: 'a choice with more after its place',
    from: placeOfShape,
    to: `${placeOfShape}\n\n  More.`,
    message:
      'SPEC_GAPS.md:213:3: expected nothing after the place where "Shape" is changed, found a paragraph',
  },
  {
    name: 'a missing list of what is left out',
    from: '- Every `wheel`.\n- The boat.\n',
    to: '',
    message: 'SPEC_GAPS.md:215:1: expected a bulleted list of what was left out, found the end of the file',
  },
  {
    name: 'a misspelt last section',
    from: '## Left out on purpose',
    to: '## Left out',
    message:
      'SPEC_GAPS.md:213:1: expected the heading "## Left out on purpose" after the choices, found the heading "## Left out"',
  },
  {
    name: 'more after the last section',
    from: '- The boat.\n',
    to: '- The boat.\n\n## More\n',
    message: 'SPEC_GAPS.md:218:1: expected the end of the file, found the heading "## More"',
  },
  {
    name: 'an empty file',
    from: sampleMarkdown,
    to: '',
    message:
      'SPEC_GAPS.md:1:1: expected the heading "# Specification gaps" at the top, found the end of the file',
  },
];

it.each([...malformedSections, ...malformedRest])('names the line of $name', ({ from, to, message }) => {
  const malformed = replaceOnce(sampleMarkdown, from, to);

  const error = catchError(() => parseSpecGaps(malformed));

  expect(error.message).toBe(message);
});

it('carries file, line, column, what was expected and what was found', () => {
  const malformed = replaceOnce(sampleMarkdown, 'Known of 3.', 'Known\nof **3**.');

  const error = catchError(() => parseSpecGaps(malformed, 'docs/GAPS.md'));

  expect(error).toMatchObject({
    name: 'SpecGapsError',
    file: 'docs/GAPS.md',
    line: 58,
    column: 4,
    expected: 'plain text or code',
    found: 'bold text',
  });
});

it('says which line is meant as an editor counts them', () => {
  const malformed = replaceOnce(sampleMarkdown, 'Known of 3.', 'Known of <b>3</b>.');

  const { line, column } = catchError(() => parseSpecGaps(malformed));

  expect(malformed.split('\n')[line - 1]?.slice(column - 1)).toBe('<b>3</b>.');
});

function replaceOnce(text: string, from: string, to: string): string {
  const parts = text.split(from);
  if (parts.length !== 2) throw new Error(`"${from}" occurs ${parts.length - 1} times`);
  return parts.join(to);
}

function catchError(run: () => unknown): SpecGapsError {
  try {
    run();
  } catch (error) {
    if (error instanceof SpecGapsError) return error;
    throw error;
  }
  throw new Error('nothing was thrown');
}
