import type { Malformation } from './malformation.ts';

const known = 'Known of 3.';
const question = '1. What of 3?';
const place = '- `src/3/`: all of 3.';

/** Ways to write one of the nine sections wrongly, from its heading down. */
export const malformedSections: readonly Malformation[] = [
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
