import { realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createServer } from 'vite';
import { describe, expect, it, onTestFinished } from 'vitest';

import { parseSpecGaps, sectionTitles } from '../../scripts/spec-gaps/parse-spec-gaps.ts';
import { specGapsPlugin } from '../../scripts/spec-gaps/spec-gaps-plugin.ts';
import { gapIds } from '../../src/contract/spec-gaps.ts';
import type { SpecGaps } from '../../src/contract/spec-gaps.ts';
import { createTemporaryFolder } from '../support/temporary-folder.ts';

/** A short file in the right form. Each section says its number, so that a test can change just one of them. */
const sample = `# Specification gaps

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

describe('a well-formed file', () => {
  it('becomes what is written in it', () => {
    const { gaps, choices, leftOut } = parse(sample);

    expect(gaps.map(({ id }) => id)).toEqual(gapIds);
    expect(gaps[2]).toEqual({
      id: 'entities',
      number: 3,
      title: 'Entities and their fields',
      answered: 0,
      total: 2,
      known: [['Known of 3.']],
      questions: [
        { id: '3.1', text: ['What of 3?'], role: 'owner', isStart: true, answer: [] },
        { id: '3.2', text: ['What else of 3?'], role: 'engineer', isStart: false, answer: [] },
      ],
      forNow: [['For now in 3.']],
      places: [{ path: 'SPEC_GAPS.md', text: ['all of 3.'] }],
      markdown: sample.slice(sample.indexOf('## 3.'), sample.indexOf('## 4.')),
    });
    expect(choices).toEqual([
      {
        name: 'Colour',
        text: ['green, like ', { code: 'grass' }, '.'],
        places: [
          { path: 'SPEC_GAPS.md', text: ['the value of ', { code: '--colour' }, '.'] },
          { path: 'SPEC_GAPS.md', text: ['the name.'] },
        ],
      },
      { name: 'Shape', text: ['round.'], places: [{ path: 'SPEC_GAPS.md', text: ['one file.'] }] },
    ]);
    expect(leftOut).toEqual([['Every ', { code: 'wheel' }, '.'], ['The boat.']]);
  });

  it('becomes plain text and code, whatever its lines and its emphasis', () => {
    const { gaps } = parse(replaceOnce('Known of 3.', '*Two*\nlines with `code`\nin [them](#a).\n\nMore.'));

    expect(gaps[2]?.known).toEqual([['Two lines with ', { code: 'code' }, ' in them.'], ['More.']]);
  });

  it.each([
    ['on the next line', '\nAnswer: Yes.', [['Yes.']]],
    ['in a paragraph of its own', '\n\nAnswer: Yes.', [['Yes.']]],
    ['with the line ends of Windows', '\r\n\r\nAnswer: Yes,\r\nand no.', [['Yes, and no.']]],
    ['with a bold label', '\n\n**Answer:** Yes.', [['Yes.']]],
    ['of several lines', '\nAnswer: Yes,\nand `no`.', [['Yes, and ', { code: 'no' }, '.']]],
    ['of several paragraphs', '\n\nAnswer: Yes.\n\nMore.', [['Yes.'], ['More.']]],
    ['with a list', '\n\nAnswer: Both.\n\n- One\n- Two', [['Both.'], ['• One'], ['• Two']]],
    ['with a quotation', '\n\nAnswer: Both.\n\n> One', [['Both.'], ['One']]],
    ['with a block of code', '\n\nAnswer: Both.\n\n```\none\n```', [['Both.'], [{ code: 'one' }]]],
    ['with bold text', '\n\nAnswer: **3** of them.\n\n**Note** this.', [['3 of them.'], ['Note this.']]],
  ])('keeps an answer %s with its question', (_, answer, expected) => {
    const point = parse(replaceOnce('What of 3?', `What of 3?${answer}`)).gaps[2];

    expect(point).toMatchObject({
      answered: 1,
      total: 2,
      questions: [
        { text: ['What of 3?'], answer: expected },
        { text: ['What else of 3?'], answer: [] },
      ],
    });
  });
});

const question = '**3.1** (owner, start here) What of 3?';
const place = '- `SPEC_GAPS.md`: all of 3.';
const known = '### Known\n\nKnown of 3';
const point = sample.slice(sample.indexOf('## 3.'), sample.indexOf('## 4.'));
const asked = sample.slice(sample.indexOf(question), sample.indexOf('### For now\n\nFor now in 3'));
const choice = '- **Shape**: round.\n  - `SPEC_GAPS.md`: one file.';

/** Ways to write the file wrongly: what of the sample is replaced by what, what stands at the place, what is expected. */
it.each([
  ['a missing title', '# Specification gaps\n', '', 'An introduction', 'the heading "# Specification gaps"'],
  ['an unknown section', '## 3. Entities and', '## 3. Things and', '## 3. Things', '"## 3. Entities and'],
  ['a section at another depth', '## 3. Ent', '# 3. Ent', '# 3. Ent', '"## 3. Entities and'],
  ['a missing section', point, '', '## 4. States', '"## 3. Entities and'],
  ['a tenth section', '## Choices', '## 10. More\n\n## Choices', '## 10. More', '"## Choices"'],
  ['a misspelt part', known, known.replace('Known', 'Knwn'), '### Knwn', '"### Known"'],
  ['an unknown part', question, `### Open\n\n${question}`, '### Open', 'question 3.1'],
  ['a heading in an answer', question, `${question}\n\nAnswer: Yes.\n\n#### A`, '#### A', '"### For now"'],
  ['a missing part', '### For now\n\nFor now in 3.\n\n', '', '### Where it goes', '"### For now"'],
  ['nothing known', 'Known of 3.\n\n', '', '### Questions', 'a paragraph'],
  ['HTML in the prose', 'Known of 3.', 'Known of <b>3</b>.', '<b>3</b>.', 'text or code'],
  ['a section without questions', asked, '', '### For now', 'question 3.1'],
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
  ['a rule in an answer', question, `${question}\n\nAnswer: Yes.\n\n***`, '***', 'text, a list, a quotation'],
  ['a section without places', `${place}\n`, '', '## 4. States', 'a list'],
  ['an empty place', place, '-', '-\n', 'a path as code'],
  ['a path that is not code', place, '- SPEC_GAPS.md: all of 3.', 'SPEC_GAPS.md: all', 'a path as code'],
  ['a path without a colon', place, '- `SPEC_GAPS.md` all of 3.', ' all of 3.', 'a path as code'],
  ['a path alone', place, '- `SPEC_GAPS.md`', '`SPEC_GAPS.md`\n\n## 4', 'a path as code'],
  ['a path that does not exist', place, '- `src/3/`: all of 3.', '- `src/3/`', 'a path that exists'],
  ['choices without a word', 'An introduction to the choices.\n\n', '', '- **Colour**', 'a paragraph'],
  ['a choice without a name', choice, choice.replace('**Shape**', 'Shape'), 'Shape: round', 'a name in bold'],
  ['a choice without a place', choice, '- **Shape**: round.', '- **Shape**', 'a list of places'],
  ['a choice with more', choice, `${choice}\n\n  More.`, 'More.', 'nothing after the places'],
  ['nothing left out', '- Every `wheel`.\n- The boat.\n', '', '', 'a list'],
  ['more at the end', '- The boat.\n', '- The boat.\n\n## More\n', '## More', 'the end of the file'],
])('%s is refused, with its line and column', (_, from, to, found, expected) => {
  const malformed = replaceOnce(from, to);
  const lines = malformed.split('\n');

  let message = '';
  try {
    parse(malformed);
  } catch (error) {
    message = String(error);
  }

  const [, line, column] = /^Error: SPEC_GAPS\.md:(\d+):(\d+): expected /u.exec(message) ?? [];
  const rest = lines.slice(Number(line) - 1).join('\n');
  expect(message).toContain(expected);
  expect(rest.slice(Number(column) - 1).slice(0, found.length)).toBe(found);
});

it('is imported as a whole or as its points, as the file is now, and fails with the line of what is malformed', async () => {
  const root = realpathSync(await createTemporaryFolder('spec-gaps'));
  const file = join(root, 'SPEC_GAPS.md');
  writeFileSync(file, sample);
  const server = await createServer({
    root,
    configFile: false,
    logLevel: 'silent',
    plugins: [specGapsPlugin()],
    server: { middlewareMode: true, ws: false },
  });
  onTestFinished(() => server.close());

  const whole = await server.ssrLoadModule('/SPEC_GAPS.md');
  const points = await server.ssrLoadModule('/SPEC_GAPS.md?points');
  writeFileSync(file, replaceOnce('What of 3?', 'What now of 3?'));
  await expect
    .poll(() => server.ssrLoadModule('/SPEC_GAPS.md'))
    .toHaveProperty('gaps.2.questions.0.text', ['What now of 3?']);
  writeFileSync(file, replaceOnce('## 3. Entities and', '## 3. Things and'));

  expect(whole).toHaveProperty('gaps.2.questions.0.text', ['What of 3?']);
  expect(points).toHaveProperty('points.2.title', 'Entities and their fields');
  expect(JSON.stringify(points)).not.toContain('What of 3?');
  await expect
    .poll(() => server.ssrLoadModule('/SPEC_GAPS.md').catch((error: unknown) => error))
    .toMatchObject({
      plugin: 'spec-gaps',
      loc: { file, line: 45 },
      message: expect.stringContaining('SPEC_GAPS.md:45:1: expected the heading'),
    });
});

function parse(markdown: string): SpecGaps {
  return parseSpecGaps(markdown, (path) => path === 'SPEC_GAPS.md');
}

/** The sample with another text in the place of one that occurs once. */
function replaceOnce(from: string, to: string): string {
  const parts = sample.split(from);
  if (parts.length !== 2) throw new Error(`"${from}" occurs ${parts.length - 1} times`);
  return parts.join(to);
}
