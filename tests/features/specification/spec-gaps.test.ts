import { describe, expect, it } from 'vitest';

import { sectionTitles } from '../../../src/features/specification/build/headings.ts';
import { QuestionnaireError } from '../../../src/features/specification/build/open-file.ts';
import { parseSpecGaps } from '../../../src/features/specification/build/parse-spec-gaps.ts';
import {
  type Block,
  gapIds,
  type Question,
  type SpecGaps,
} from '../../../src/features/specification/spec-gaps.ts';

/** A short file in the right form. The texts of each section have its number, so that a test can change only one of them. */
const sample = `# Specification gaps

An introduction, in *any* form.

## Start here

They take about 15 minutes.

1. **3.2** The other
2. **3.1** The first

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

**${number}.1** (owner) What of ${number}?

**${number}.2** (engineer) What else of ${number}?

### For now

For now in ${number}.

### Where it goes

- \`SPEC_GAPS.md\`: all of ${number}.
`;
}

const first = '**3.1** (owner) What of 3?';
const second = '**3.2** (engineer) What else of 3?';

describe('a well-formed file', () => {
  it('is parsed into data', () => {
    const { start, progressByRole, gaps, choices, leftOut } = parse(sample);

    const intro = [['They take about 15 minutes.']];
    expect(start).toEqual({ intro, minutes: 15, questions: ['3.2', '3.1'], answered: 0, total: 2 });
    expect(progressByRole).toEqual([
      { role: 'owner', answered: 0, total: 9 },
      { role: 'engineer', answered: 0, total: 9 },
    ]);
    expect(gaps.map(({ id }) => id)).toEqual(gapIds);
    expect(gaps[2]).toEqual({
      id: 'entities',
      number: 3,
      title: 'Entities and their fields',
      answered: 0,
      total: 2,
      known: [['Known of 3.']],
      questions: [
        { id: '3.1', text: ['What of 3?'], role: 'owner', isStart: true, answer: [], markdown: first },
        {
          id: '3.2',
          text: ['What else of 3?'],
          role: 'engineer',
          isStart: true,
          answer: [],
          markdown: second,
        },
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

  it('has the number of answers by point, by role and among the questions to start with', () => {
    const { start, progressByRole, gaps } = parse(answerFirst('\n\nAnswer: Yes.'));

    expect(start).toMatchObject({ answered: 1, total: 2 });
    expect(progressByRole).toEqual([
      { role: 'owner', answered: 1, total: 9 },
      { role: 'engineer', answered: 0, total: 9 },
    ]);
    expect(gaps.map(({ answered }) => answered)).toEqual([0, 0, 1, 0, 0, 0, 0, 0, 0]);
  });

  it('keeps the Markdown of each question with its answer', () => {
    const answer = '\n\nAnswer: Yes.\n\n- One\n- Two';

    const [asked, next] = parse(answerFirst(answer)).gaps[2]?.questions ?? [];

    expect(asked?.markdown).toBe(first + answer);
    expect(next?.markdown).toBe(second);
  });
});

const paragraph = (...text: (string | { code: string })[]): Block => ({ type: 'paragraph', text });

describe('an answer is read correctly', () => {
  it.each<[what: string, typed: string, expected: readonly Block[]]>([
    ['below a bold label', '\n\n**Answer:** Yes.', [paragraph('Yes.')]],
    ['below a label whose colon is not bold', '\n\n**Answer**: Yes.', [paragraph('Yes.')]],
    [
      'in bold together with its label',
      '\n\n**Answer: Yes.**',
      [{ type: 'paragraph', text: [{ emphasis: 'Yes.' }] }],
    ],
    ['below a label in small letters', '\n\nanswer: Yes.', [paragraph('Yes.')]],
    ['below a label with a space', '\n\nAnswer : Yes.', [paragraph('Yes.')]],
    ['below a label with a non-breaking space', '\n\nAnswer\u00A0: Yes.', [paragraph('Yes.')]],
    ['below a label with a full-width colon', '\n\nAnswer：Yes.', [paragraph('Yes.')]],
    ['below a label with an escaped colon', '\n\nAnswer\\: Yes.', [paragraph('Yes.')]],
    ['right below its question', '\nAnswer: Yes,\nand `no`.', [paragraph('Yes, and ', { code: 'no' }, '.')]],
    ['on the line of its question', ' Answer: It is.', [paragraph('It is.')]],
    ['below an empty line', '\n\nAnswer:\n\nYes.', [paragraph('Yes.')]],
    ['on the line below its label', '\n\nAnswer:\nYes.', [paragraph('Yes.')]],
    ['behind a tab', '\n\n\tAnswer:\tYes.', [paragraph('Yes.')]],
    ['with tabs before its paragraphs', '\n\nAnswer: Yes.\n\n\tNo.', [paragraph('Yes.'), paragraph('No.')]],
    ['with trailing spaces', '   \n \t\nAnswer: Yes.   \n\t', [paragraph('Yes.')]],
    ['with line breaks', '\n\nAnswer: One  \nTwo\\\nThree', [paragraph('One\nTwo\nThree')]],
    ['with smart quotes', '\n\nAnswer: “It’s” – yes…', [paragraph('“It’s” – yes…')]],
    [
      'with escaped characters',
      '\n\nAnswer: 1\\. \\*a\\* \\#1 x\\_y \\<id\\> 5 \\> 3 \\- \\[b\\]\\!',
      [paragraph('1. *a* #1 x_y <id> 5 > 3 - [b]!')],
    ],
    ['with character references', '\n\nAnswer: A&amp;B&nbsp;C', [paragraph('A&B C')]],
    ['with emoji', '\n\nAnswer: Yes 👩‍🌾🌱', [paragraph('Yes 👩‍🌾🌱')]],
    ['from right to left', '\n\n\u200FAnswer: מורים ותלמידים', [paragraph('מורים ותלמידים')]],
    [
      'that multiplies',
      '\n\nAnswer: 2*3*4, 2**3**4 and 2*3 cm by 4*5',
      [paragraph('2*3*4, 2**3**4 and 2*3 cm by 4*5')],
    ],
    ['with names in snake case', '\n\nAnswer: plant_id_2', [paragraph('plant_id_2')]],
    [
      'with stressed words',
      '\n\nAnswer: **Never** on _Sundays_.',
      [{ type: 'paragraph', text: [{ emphasis: 'Never' }, ' on ', { emphasis: 'Sundays' }, '.'] }],
    ],
    ['that compares', '\n\nAnswer: > 5', [paragraph('> 5')]],
    ['that begins with a number sign', '\n\nAnswer: # 5', [paragraph('# 5')]],
    ['that is a date', '\n\nAnswer: 12. May', [paragraph('12. May')]],
    [
      'with an address',
      '\n\nAnswer: At https://api.example.com/v1.',
      [paragraph('At https://api.example.com/v1.')],
    ],
    [
      'with links',
      '\n\nAnswer: [Our API](https://api.example.com "API") and <mailto:a@b.example>',
      [
        {
          type: 'paragraph',
          text: [
            { text: 'Our API', address: 'https://api.example.com' },
            ' and ',
            { text: 'mailto:a@b.example', address: 'mailto:a@b.example' },
          ],
        },
      ],
    ],
    [
      'with a list',
      '\n\nAnswer: Both.\n\n- One\n- Two',
      [paragraph('Both.'), { type: 'list', items: [[paragraph('One')], [paragraph('Two')]] }],
    ],
    [
      'that is a list',
      '\n\nAnswer:\n- One\n- Two',
      [{ type: 'list', items: [[paragraph('One')], [paragraph('Two')]] }],
    ],
    [
      'that is a list from the line of its label on',
      '\n\nAnswer: 1. One\n2. Two',
      [{ type: 'list', start: 1, items: [[paragraph('One')], [paragraph('Two')]] }],
    ],
    [
      'with a numbered list',
      '\n\nAnswer:\n\n3. One\n4. Two',
      [{ type: 'list', start: 3, items: [[paragraph('One')], [paragraph('Two')]] }],
    ],
    [
      'with a list in a list',
      '\n\nAnswer:\n\n1. One\n   - Two\n     and more\n',
      [
        {
          type: 'list',
          start: 1,
          items: [[paragraph('One'), { type: 'list', items: [[paragraph('Two and more')]] }]],
        },
      ],
    ],
    [
      'with a block of code',
      '\n\nAnswer:\n```json\n{\n  "a": 1\n}\n```',
      [{ type: 'code', text: '{\n  "a": 1\n}' }],
    ],
    [
      'with a table',
      '\n\nAnswer:\n| Call | Limit |\n|---|---:|\n| `list` | |\n| save | 5 |',
      [
        {
          type: 'table',
          head: [['Call'], ['Limit']],
          rows: [
            [[{ code: 'list' }], []],
            [['save'], ['5']],
          ],
        },
      ],
    ],
    [
      'with a quotation',
      '\n\nAnswer: Both.\n\n> One',
      [paragraph('Both.'), { type: 'quote', blocks: [paragraph('One')] }],
    ],
    [
      'that names a reference',
      '\n\nAnswer: See [1].\n\n[1]: https://a.example',
      [paragraph('See [1].'), paragraph('[1]: https://a.example')],
    ],
    ['that speaks of answers', '\n\nAnswer: The answer: 42.', [paragraph('The answer: 42.')]],
  ])('%s', (_, typed, expected) => {
    const [asked, next] = questionsOf(answerFirst(typed));

    expect(asked).toMatchObject({ text: ['What of 3?'], answer: expected });
    expect(next).toMatchObject({ text: ['What else of 3?'], answer: [] });
  });
});

it.each([
  '',
  ' TBD',
  ' tbc.',
  ' TBD by Friday',
  ' TBD\n\nAsk Tom.',
  ' **TODO**',
  ' later',
  ' I don’t know yet.',
  ' to be decided',
  ' ?',
  ' ???',
  ' …',
  '\n\n-',
])('a question with "Answer:%s" stays open', (typed) => {
  expect(parse(answerFirst(`\n\nAnswer:${typed}`)).gaps[2]).toMatchObject({ answered: 0, total: 2 });
});

it('a question is answered by a sentence that begins with the word of a placeholder', () => {
  expect(parse(answerFirst('\n\nAnswer: Todo lists, and later invoices.')).gaps[2]).toMatchObject({
    answered: 1,
  });
});

const answered = answerFirst('\n\nAnswer: Yes,\n\n- and “no”.');

it.each([
  ['with the line ends of Windows', (file: string) => file.replaceAll('\n', '\r\n')],
  ['with the line ends of an old Mac', (file: string) => file.replaceAll('\n', '\r')],
  ['with a byte-order mark', (file: string) => `\uFEFF${file}`],
  ['with trailing spaces', (file: string) => file.replaceAll(/(?<=\S)$/gm, ' ')],
  ['with further empty lines', (file: string) => `\n\n${file.replaceAll('\n\n', '\n\n\n\n')}\n\n`],
  ['without a line end', (file: string) => file.trimEnd()],
  ['with another bullet', (file: string) => file.replaceAll(/^( *)- /gm, '$1* ')],
  ['with escaped dots', (file: string) => file.replaceAll(/^(## \d)\./gm, '$1\\.')],
  ['with bold headings', (file: string) => file.replaceAll(/^(#+) (.*)$/gm, '$1 **$2**')],
  ['with anchors', (file: string) => file.replaceAll(/^(##.*)$/gm, '$1 {#anchor}')],
  ['with non-breaking spaces', (file: string) => file.replaceAll('** (', '**\u00A0(')],
])('a file %s is parsed into the same data', (_, edit) => {
  const withoutMarkdown = (text: string): unknown =>
    JSON.parse(JSON.stringify(parse(text), (key, value: unknown) => (key === 'markdown' ? '' : value)));

  expect(withoutMarkdown(edit(answered))).toEqual(withoutMarkdown(answered));
});

const place = '- `SPEC_GAPS.md`: all of 3.';
const choice = '- **Shape**: round.\n  - `SPEC_GAPS.md`: one file.';
const started = '2. **3.1** The first';

/** Mistakes in the file: the text that is replaced, its replacement with ▮ at the problem, and a part of the advice. */
it.each([
  ['an unknown section', '## 3. Entities and', '▮## 3. Things and', 'Type "## 3. Entities and'],
  ['a section at another depth', '## 3. Ent', '▮# 3. Ent', 'Type "## 3. Entities and'],
  ['a missing part', '### Known\n\nKnown of 3.\n\n', '▮', 'Restore the missing headings'],
  ['an escaped heading', '## Choices', '▮\\## Choices', 'Type "## Choices", without a backslash'],
  ['an answer of no question', 'For now in 3.', '▮Answer: Yes.', 'Move it below the question'],
  ['text above the title', '# Specification', '▮Hello\n\n# Specification', 'Delete it'],
  ['more at the end', '- The boat.\n', '- The boat.\n\n▮## More\n', 'type it in bold: **More**'],
  [
    'a point without questions',
    `${first}\n\n${second}`,
    '▮None.',
    'Type a question first, as in **1.2** (owner)',
  ],
  ['nothing known', '### Known\n\nKnown of 3.', '▮### Known', 'Type a paragraph below it'],
  ['a list of what is known', 'Known of 3.', '▮- Known', 'Type it as a paragraph'],
  ['HTML in the prose', 'Known of 3.', 'Known of ▮<b>3</b>.', 'as in `<b>`'],
  ['a number twice', second, '▮**3.1** (engineer) What?', 'Restore question 3.2'],
  ['a question without a number', first, '▮(owner) What of 3?', 'Type a question first'],
  [
    'a number without bold',
    first,
    '▮3.1 (owner) What of 3?',
    'Type **3.1**, with two asterisks on each side',
  ],
  ['an escaped number', second, '▮\\*\\*3.2\\*\\* (engineer) What?', 'Type **3.2**, with two asterisks'],
  ['a role with a capital', first, '**3.1**▮ (Owner) What?', '(owner), (designer), (engineer), (legal)'],
  ['no role', second, '▮**3.2** What else?', '(owner), (designer), (engineer), (legal)'],
  ['no question mark', first, '**3.1** (owner) ▮What', 'Type ? at the end'],
  ['a question without text', first, '**3.1** (owner)▮', 'Type ? at the end'],
  ['no label', first, `${first}\n\n▮Yes.`, 'Begin the answer with "Answer:"'],
  ['no label on the question’s line', first, `${first} ▮Yes.`, 'Begin the answer with "Answer:"'],
  ['no label on the next line', first, `${first}\n▮Yes.`, 'Begin the answer with "Answer:"'],
  ['a label in a list', first, `${first}\n\n▮- Answer: Yes.`, 'at the start of a line'],
  ['a second label', first, `${first}\n\nAnswer: A.\n\n▮Answer: B.`, 'Delete the second "Answer:"'],
  ['a second label on the next line', first, `${first}\nAnswer: A.\n▮Answer: B.`, 'Delete the second'],
  ['a heading', first, `${first}\n\nAnswer: A.\n\n▮### Details`, 'type it in bold: **Details**'],
  ['a heading in a list', first, `${first}\n\nAnswer:\n\n- ▮# Details`, 'Type it in bold: **Details**'],
  ['a dividing line', first, `${first}\n\nAnswer: A.\n\n▮***`, 'Delete it, and leave an empty line'],
  ['a line of dashes', first, `${first}\n\nAnswer: A.\n▮---`, 'Delete it, and leave an empty line'],
  ['a bold number', first, `${first}\n\nAnswer: A.\n\n▮**2.5** kg`, 'type 2.5 without the asterisks'],
  ['a bold number first', first, `${first}\n\nAnswer:\n▮**2.5** kg`, 'type 2.5 without the asterisks'],
  [
    'the number of a question',
    first,
    `${first}\n\nAnswer: As\n▮**1.2** says.`,
    'type 1.2 without the asterisks',
  ],
  ['a joined question', `${first}\n`, `${first}\nAnswer: A.▮`, 'Leave an empty line above **3.2**'],
  ['a question joined to a list', `${first}\n`, `${first}\nAnswer:\n- A▮`, 'Leave an empty line above'],
  ['HTML', first, `${first}\n\nAnswer: ▮<b>A`, 'Type it between backticks, as in `<b>`; type **bold**'],
  ['a block of HTML', first, `${first}\n\nAnswer: A.\n\n▮<div>A`, 'between backticks, as in `<div>`'],
  ['what looks like HTML', first, `${first}\n\nAnswer: /plants/▮<id>`, 'between backticks, as in `<id>`'],
  ['a picture', first, `${first}\n\nAnswer: ▮![A](a.png)`, 'Type the address where it can be seen'],
  ['a table on the label’s line', first, `${first}\n\nAnswer: ▮|a|b|\n|-|-|`, 'Begin it on a new line'],
  ['code that does not end', first, `${first}\n\nAnswer:\n▮\`\`\`\nA`, 'Type ``` on a separate line'],
  ['code that ends too late', first, `${first}\n\nAnswer:\n▮~~~\nA\n\n${first}\n~~~`, 'Type ```'],
  ['another encoding', '# Specification', '▮\u0000#\u0000 Specification', 'Save the file as UTF-8'],
  ['a section without places', `### Where it goes\n\n${place}`, '▮### Where it goes', 'Type a list below it'],
  ['a path that is not code', place, '▮- SPEC_GAPS.md: all of 3.', 'Type it as in - `manifest.json`: '],
  ['a path without a colon', place, '▮- `SPEC_GAPS.md` all of 3.', 'Type it as in - `manifest.json`: '],
  ['a path that does not exist', place, '▮- `src/3/`: all of 3.', 'Type a path that exists'],
  ['a choice without a place', choice, '▮- **Shape**: round.', 'Type a list of paths below it'],
  ['a choice with more', choice, choice.replace('  -', '  ▮-') + '\n\n  More.', 'and nothing after that'],
  [
    'nothing left out',
    '## Left out on purpose\n\n- Every `wheel`.\n- The boat.',
    '▮## Left out on purpose',
    'Type a list',
  ],
  ['no time to start with', 'They take about 15 minutes', '▮They take time', 'as in "about 50 minutes"'],
  [
    'an unknown question to start with',
    started,
    '▮2. **3.9** More',
    'Type the number of a question that exists',
  ],
  ['a question twice to start with', started, `${started}\n▮3. **3.2** More`, 'Delete one of the two'],
  ['an item without a number to start with', started, '▮2. More', 'as in - **1.2** The name'],
  ['an answer on a line to start with', started, `▮${started} of them is lost for good`, 'at most 6 words'],
  ['an answer under a line to start with', started, `▮${started}\n   It is lost`, 'in its point'],
  ['an answer to start with', started, `▮${started}\n\n   Answer: A`, 'below question 3.1, in its point'],
])('%s is refused with its position and with advice', (_, from, to, instead) => {
  const [before = '', after = ''] = replaceOnce(from, to).split('▮');
  const lines = before.split('\n');
  // For joined questions, the problem begins after the line end.
  const isJoined = after.startsWith('\n**');
  const line = lines.length + (isJoined ? 1 : 0);
  const column = isJoined ? 1 : (lines.at(-1)?.length ?? 0) + 1;

  const [problem] = problemsOf(before + after);

  expect(problem).toEqual({
    line,
    column,
    wrong: expect.any(String),
    instead: expect.stringContaining(instead),
  });
});

it('a file in which every mark is escaped is refused once', () => {
  const escaped = sample.replaceAll(/^#/gm, '\\#').replaceAll('**', '\\*\\*');

  expect(problemsOf(escaped)).toEqual([
    {
      line: 1,
      column: 1,
      wrong: 'Every mark has a backslash before it, so it is read as text.',
      instead: 'Save the file as plain text instead, or remove the backslashes.',
    },
  ]);
});

it('all problems are reported at once, in two lines each and in the order of the file', () => {
  const malformed = replaceOnce(first, '**3.1** (boss) What of 3?\n\nYes.').replace(
    'Known of 9.',
    '<i>9</i>',
  );

  expect(() => parse(malformed)).toThrow(
    new QuestionnaireError('SPEC_GAPS.md', [
      {
        line: 60,
        column: 8,
        wrong: 'Question 3.1 has the unknown role "boss".',
        instead: 'Type one of (owner), (designer), (engineer), (legal).',
      },
      {
        line: 62,
        column: 1,
        wrong: 'This text below question 3.1 is not marked as its answer.',
        instead: 'Begin the answer with "Answer:", at the start of a line.',
      },
      {
        line: 178,
        column: 1,
        wrong: '"<i>" is read as HTML, which cannot be shown.',
        instead: 'Type it between backticks, as in `<i>`; type **bold** for bold text.',
      },
      {
        line: 178,
        column: 5,
        wrong: '"</i>" is read as HTML, which cannot be shown.',
        instead: 'Type it between backticks, as in `</i>`; type **bold** for bold text.',
      },
    ]),
  );
});

function parse(markdown: string): SpecGaps {
  return parseSpecGaps(markdown, (path) => path === 'SPEC_GAPS.md');
}

function questionsOf(markdown: string): readonly Question[] {
  return parse(markdown).gaps[2]?.questions ?? [];
}

function problemsOf(markdown: string): QuestionnaireError['problems'] {
  try {
    parse(markdown);
    return [];
  } catch (error) {
    if (error instanceof QuestionnaireError) return error.problems;
    throw error;
  }
}

/** Returns the sample with this text directly after question 3.1. */
function answerFirst(typed: string): string {
  return replaceOnce(first, first + typed);
}

/** Returns the sample with one text replaced, which must occur exactly once. */
function replaceOnce(from: string, to: string): string {
  const parts = sample.split(from);
  if (parts.length !== 2) throw new Error(`"${from}" occurs ${parts.length - 1} times`);
  return parts.join(to);
}
