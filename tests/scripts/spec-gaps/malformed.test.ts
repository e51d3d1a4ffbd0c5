import { expect, it } from 'vitest';

import { parseSpecGaps } from '../../../scripts/spec-gaps/parse-spec-gaps.ts';
import { replaceOnce, sampleMarkdown } from './sample-markdown.ts';

const question = '**3.1** (owner, start here) What of 3?';
const place = '- `SPEC_GAPS.md`: all of 3.';
const third = sampleMarkdown.slice(sampleMarkdown.indexOf('## 3.'), sampleMarkdown.indexOf('## 4.'));
const choice = '- **Shape**: round.\n  - `SPEC_GAPS.md`: one file.';

/** Ways to write the file wrongly: what of the sample is replaced by what, what stands at the place, what is expected. */
it.each([
  ['a missing title', '# Specification gaps\n', '', 'An introduction', 'the heading "# Specification gaps"'],
  [
    'an unknown section',
    '## 3. Entities and',
    '## 3. Things and',
    '## 3. Things',
    '"## 3. Entities and their fields"',
  ],
  ['a section at another depth', '## 3. Ent', '# 3. Ent', '# 3. Ent', '"## 3. Entities and their fields"'],
  ['a missing section', third, '', '## 4. States', '"## 3. Entities and their fields"'],
  ['a tenth section', '## Choices', '## 10. More\n\n## Choices', '## 10. More', '"## Choices"'],
  ['a misspelt part', '### Known\n\nKnown of 3', '### Knwn\n\nKnown of 3', '### Knwn', '"### Known"'],
  ['a part that is unknown', question, `### Open\n\n${question}`, '### Open', 'question 3.1'],
  [
    'a heading in an answer',
    question,
    `${question}\n\nAnswer: Yes.\n\n#### More`,
    '#### More',
    '"### For now"',
  ],
  ['a missing part', '### For now\n\nFor now in 3.\n\n', '', '### Where it goes', '"### For now"'],
  ['nothing known', 'Known of 3.\n\n', '', '### Questions', 'a paragraph'],
  ['HTML in the prose', 'Known of 3.', 'Known of <b>3</b>.', '<b>3</b>.', 'text or code'],
  ['a section without questions', /\*\*3\.1[^]*?What else of 3\?\n\n/u, '', '### For now', 'question 3.1'],
  ['a missing question', `${question}\n\n`, '', '**3.2** (engineer)', 'question 3.1'],
  ['a number twice', '**3.2**', '**3.1**', '**3.1** (engineer)', 'question 3.2'],
  ['a number of another point', '**3.2**', '**4.2**', '**4.2** (engineer) What else of 3?', 'question 3.2'],
  ['a question without a number', question, '(owner) What of 3?', '(owner) What', 'question 3.1'],
  ['a question without a role', question, '**3.1** What of 3?', ' What of 3?', 'question 3.1'],
  ['a question with another role', question, '**3.1** (boss) What of 3?', ' (boss)', 'question 3.1'],
  ['a question without text', question, '**3.1** (owner)', ' (owner)', 'question 3.1'],
  ['an answer without text', question, `${question}\n\nAnswer:`, 'Answer:', 'the text of an answer'],
  ['an answer without text below', question, `${question}\nAnswer:`, '**3.1**', 'the text of an answer'],
  ['an answer without its label', question, `${question}\n\nYes.`, 'Yes.', '"Answer:" or the next question'],
  ['a picture in an answer', question, `${question}\n\nAnswer: ![a](b.png)`, '![a](b.png)', 'text or code'],
  [
    'a rule in an answer',
    question,
    `${question}\n\nAnswer: Yes.\n\n***`,
    '***',
    'text, a list, a quotation or code',
  ],
  ['a section without places', `${place}\n`, '', '## 4. States', 'a list'],
  ['an empty place', place, '-', '-\n', 'a path as code'],
  ['a path that is not code', place, '- SPEC_GAPS.md: all of 3.', 'SPEC_GAPS.md: all', 'a path as code'],
  ['a path without a colon', place, '- `SPEC_GAPS.md` all of 3.', ' all of 3.', 'a path as code'],
  ['a path alone', place, '- `SPEC_GAPS.md`', '`SPEC_GAPS.md`\n\n## 4', 'a path as code'],
  ['a path that does not exist', place, '- `src/3/`: all of 3.', '- `src/3/`', 'a path that exists'],
  [
    'choices without an introduction',
    'An introduction to the choices.\n\n',
    '',
    '- **Colour**',
    'a paragraph',
  ],
  ['a choice without a name', choice, choice.replace('**Shape**', 'Shape'), 'Shape: round', 'a name in bold'],
  ['a choice without a place', choice, '- **Shape**: round.', '- **Shape**', 'a list of places'],
  ['a choice with more', choice, `${choice}\n\n  More.`, 'More.', 'nothing after the places'],
  ['nothing left out', '- Every `wheel`.\n- The boat.\n', '', '', 'a list'],
  ['more at the end', '- The boat.\n', '- The boat.\n\n## More\n', '## More', 'the end of the file'],
])('refuses %s, with its line and column', (_, from, to, place_, expected) => {
  const text = typeof from === 'string' ? from : (from.exec(sampleMarkdown)?.[0] ?? '');
  const malformed = replaceOnce(sampleMarkdown, text, to);

  const { message } = catchError(() => parseSpecGaps(malformed, (path) => path === 'SPEC_GAPS.md'));

  const [, line, column] = /^SPEC_GAPS\.md:(\d+):(\d+): expected /u.exec(message) ?? [];
  const rest = malformed
    .split('\n')
    .slice(Number(line) - 1)
    .join('\n')
    .slice(Number(column) - 1);
  expect(message).toContain(expected);
  expect(rest.slice(0, place_.length)).toBe(place_);
});

function catchError(run: () => unknown): Error {
  try {
    run();
  } catch (error) {
    if (error instanceof Error) return error;
  }
  throw new Error('nothing was thrown');
}
