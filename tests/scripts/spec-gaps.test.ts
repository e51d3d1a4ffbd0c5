import { describe, expect, it } from 'vitest';

import { parseSpecGaps, sectionTitles } from '../../scripts/spec-gaps/parse-spec-gaps.ts';
import { gapIds, type SpecGaps } from '../../src/contract/spec-gaps.ts';

/** A short file in the right form. Each section says its number, so that a test can change just one of them. */
const sample = `# Specification gaps

An introduction, in *any* form.

${gapIds.map((id, index) => sampleSection(index + 1, sectionTitles[id])).join('\n')}
## Choices

An introduction to the choices.

- **Colour**: green, like
  \`grass\`.
  - \`SPEC_GAPS.md\`: the value of \`--colour\`.
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
        places: [{ path: 'SPEC_GAPS.md', text: ['the value of ', { code: '--colour' }, '.'] }],
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
    ['with the line ends of Windows', '\r\n\r\nAnswer: Yes,\r\nand no.', [['Yes, and no.']]],
    ['with a bold label', '\n\n**Answer:** Yes.', [['Yes.']]],
    ['of several lines', '\nAnswer: Yes,\nand `no`.', [['Yes, and ', { code: 'no' }, '.']]],
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
const choice = '- **Shape**: round.\n  - `SPEC_GAPS.md`: one file.';

/** Ways to write the file wrongly: what of the sample is replaced by what, what stands at the place, what is expected. */
it.each([
  ['an unknown section', '## 3. Entities and', '## 3. Things and', '## 3. Things', 'the heading "## 3.'],
  ['a section at another depth', '## 3. Ent', '# 3. Ent', '# 3. Ent', 'the heading "## 3.'],
  ['an unknown part', question, `### Open\n\n${question}`, '### Open', 'question 3.1'],
  ['nothing known', 'Known of 3.\n\n', '', '### Questions\n\n**3.1**', 'a paragraph'],
  ['HTML in the prose', 'Known of 3.', 'Known of <b>3</b>.', '<b>3</b>.', 'text or code'],
  ['a number twice', '**3.2**', '**3.1**', '**3.1** (engineer)', 'question 3.2'],
  ['a question without a number', question, '(owner) What of 3?', '(owner) What', 'question 3.1'],
  ['a question with another role', question, '**3.1** (boss) What of 3?', ' (boss)', 'question 3.1'],
  ['a question without text', question, '**3.1** (owner)', ' (owner)', 'question 3.1'],
  ['an answer without text', question, `${question}\n\nAnswer:`, 'Answer:', 'the text of an answer'],
  ['an answer without its label', question, `${question}\n\nYes.`, 'Yes.', '"Answer:" or the next question'],
  ['a rule in an answer', question, `${question}\n\nAnswer: Yes.\n\n***`, '***', 'text, a list, a quotation'],
  ['a section without places', `${place}\n`, '', '## 4. States', 'a list'],
  ['a path that is not code', place, '- SPEC_GAPS.md: all of 3.', 'SPEC_GAPS.md: all', 'a path as code'],
  ['a path without a colon', place, '- `SPEC_GAPS.md` all of 3.', ' all of 3.', 'a path as code'],
  ['a path that does not exist', place, '- `src/3/`: all of 3.', '- `src/3/`', 'a path that exists'],
  ['a choice without a place', choice, '- **Shape**: round.', '- **Shape**', 'a list of places'],
  ['a choice with more', choice, `${choice}\n\n  More.`, 'More.', 'nothing after the places'],
  ['nothing left out', '- Every `wheel`.\n- The boat.\n', '', '', 'a list'],
  ['more at the end', '- The boat.\n', '- The boat.\n\n## More\n', '## More', 'the end of the file'],
])('%s is refused, with its line and column', (_, from, to, found, expected) => {
  const malformed = replaceOnce(from, to);
  const before = malformed.slice(0, malformed.lastIndexOf(found)).split('\n');
  const [line, column] = [before.length, (before.at(-1)?.length ?? 0) + 1];

  const message = expect.stringContaining(`SPEC_GAPS.md:${line}:${column}: expected ${expected}`) as unknown;
  expect(() => parse(malformed)).toThrow(expect.objectContaining({ line, column, message }));
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
