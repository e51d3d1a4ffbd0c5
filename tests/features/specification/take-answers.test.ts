import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { parseSpecGaps } from '../../../src/features/specification/build/parse-spec-gaps.ts';
import { readQuestionnaire } from '../../../src/features/specification/build/read-questionnaire.ts';
import { takeAnswers } from '../../../src/features/specification/build/take-answers.ts';
import { isAnswer } from '../../../src/features/specification/spec-gaps.ts';
import { withoutAnswers as questionnaire } from './without-answers.ts';

/** Question 1.6 as the file has it, up to its answer. */
const ASKED = '**1.6** (owner) What is it called, and who publishes it?\n\n';
const NEXT = '\n\n**1.9** (owner) Which browsers, devices and languages must it support?\n\nAnswer:';

const ANSWERED = questionnaire.replace(/^(\*\*9\.4.*\n\nAnswer:)$/mu, '$1 EUR');

describe('an answer is taken as it was typed:', () => {
  it.each([
    ['lines', '\nKiosk\nExample Ltd\n1 Example Street'],
    ['an indented first line', '\n    if (x)\n      y();'],
    ['a line below empty ones', '\n\n\n    if (x)'],
    ['asterisks', ' https://*.example.org/* and **all**'],
    ['asterisks right after the colon', '*.example.org'],
    ['backslashes', ' \\\\server\\share, ^\\d+$'],
    ['a sign that quotes', '\n> 3 months, < 10 000 EUR'],
    ['markup', ' <b>&amp;</b> <!-- x -->'],
    ['a heading that the file does not have', ' a\n\n## Prices\n\nb'],
    ['a plain number', ' Kiosk\n\n1.3 says the same'],
    ['a bold number without an answer', ' see\n**1.3** says it'],
    ['a number of a version', '\n1.6.2 (owner) and 1.10'],
    ['Arabic with marks of direction', ' \u202Bكشك\u202C'],
    ['a very long line', ` ${'Kiosk '.repeat(20_000)}.`],
  ])('%s', (_what, typed) => {
    const answers = { 1.6: typed.replace(/^(?: |\n+(?=\n))/u, ''), 1.9: 'b' };
    const result = take(`${ASKED}Answer:${typed}${NEXT} b`);

    expect(answersOf(result.taken)).toEqual(answers);
    expect(result.notTaken).toEqual([]);
    expect(answersIn(result.markdown)).toEqual(answers);
  });

  it('any lines', () => {
    const line = fc.string({ unit: fc.constantFrom(...Array.from('ab 1.>#*_|`\\:(–ß🙂\t')) });
    fc.assert(
      fc.property(fc.array(line, { minLength: 1 }), (lines) => {
        const typed = lines.join('\n');
        const { markdown, taken } = take(`${ASKED}Answer:\n${typed}`);

        expect(taken.map(({ text }) => text.trim())).toEqual(isAnswer(typed) ? [typed.trim()] : []);
        expect(answersIn(markdown)).toEqual(answersOf(taken));
      }),
      // Each is a whole file.
      { numRuns: 30 },
    );
  });
});

describe('nothing but the answer is taken from a whole file', () => {
  it.each<[how: string, change: (text: string) => string]>([
    ['as it is', (text) => text],
    ['with a backslash before each mark', (text) => text.replaceAll(/[*#()_.`[\]-]/gu, '\\$&')],
    ['without marks', (text) => text.replaceAll(/[*`]|^#+ /gmu, '')],
    ['with each paragraph in one line', (text) => text.replaceAll(/(?<=\S)\n *(?=[a-z(])/gu, ' ')],
  ])('%s', (_how, change) => {
    const { taken, notTaken } = take(change(ANSWERED));

    expect([answersOf(taken), notTaken]).toEqual([{ 9.4: 'EUR' }, []]);
  });
});

describe('a question is found', () => {
  it.each([
    ['with escaped marks', '\\*\\*1.6\\*\\* \\(owner\\) What?\n\nAnswer: Kiosk'],
    ['with an escaped full stop', '1\\.6\\. \\(owner\\) What?\n\nAnswer\\: Kiosk'],
    ['with a full stop inside its marks', '**1.6.** (owner) What?\n\nAnswer: Kiosk'],
    ['without marks', '1.6 (Owner) What?\nAnswer: Kiosk'],
    ['with its role in bold', '**1.6** **(owner)** What?\n\n**Answer:** Kiosk'],
    ['with all in bold', '__1.6 (owner) What?__\n\n__Answer__: Kiosk'],
    ['without its role', '**1.6** What?\n\nAnswer: Kiosk'],
    ['with a translated role and text', '**1.6** (Eigentümer) Wie heißt es?\n\nAnswer: Kiosk'],
    ['with its answer in the same line', `${ASKED.trim()} Answer: Kiosk`],
    ['with its answer in the same line in lower case', `${ASKED.trim()} answer: Kiosk`],
    ['with a full-width colon', `${ASKED}ANSWER：Kiosk`],
    ['with a space before the colon', `${ASKED}Answer : Kiosk`],
    ['with CRLF', `\uFEFF${ASKED}Answer: Kiosk\n`.replaceAll('\n', '\r\n')],
    ['with CR', `${ASKED}Answer: Kiosk\n`.replaceAll('\n', '\r')],
    ['with invisible characters before it', '\u200B**1.6** (owner) What?\n\n\u200BAnswer: Kiosk'],
    ['with its answer in bold', `${ASKED}**Answer: Kiosk**`],
    ['as an item of a list', '- **1.6** (owner) What?\n  - Answer: Kiosk'],
    ['as a heading', '### **1.6** (owner) What?\n\nAnswer: Kiosk'],
    ['with a separator of lines in it', '**1.6** (owner) What\u2028is it? Answer: Kiosk'],
    ['before a question in another language', `${ASKED}Answer: Kiosk\n\n**1.9** (Alle) Was?\n\nAntwort: ja`],
    ['before a heading with an anchor', `${ASKED}Answer: Kiosk\n\n### For now {#for-now}\n`],
    ['before a title that has lost its number', `${ASKED}Answer: Kiosk\n\n## Screens and routes\n`],
    ['before a heading of the file', `${ASKED}Answer: Kiosk\n\n### For now\n`],
    ['before a heading without its mark', `${ASKED}Answer: Kiosk\n\nFor now\n`],
  ])('%s', (_how, returned) => {
    expect(answersOf(take(returned).taken)).toEqual({ 1.6: 'Kiosk' });
  });
});

it.each<[what: string, returned: string, lines: readonly string[]]>([
  [
    'text without “Answer:”',
    `**1.5** (owner) Which one?\n\nAnswer:\n\n${ASKED.replace('**1.6**', '**1.6.**')}Kiosk`,
    ['a.md:1 Which one?', 'a.md:7 Kiosk'],
  ],
  [
    'an answer in the line of the question',
    `${ASKED.trim()} Kiosk`,
    ['a.md:1 What is it called, and who publishes it? Kiosk'],
  ],
  [
    'a comment below another heading',
    `### Known\n\nThis is wrong.\n\n${ASKED}Answer:\n\n### For now\n\nCall it Stand.`,
    ['a.md:3 This is wrong.', 'a.md:11 Call it Stand.'],
  ],
  ['a short word in another section', '### For now\n\nno\n\n### Known\n\n✔', ['a.md:3 no', 'a.md:7 ✔']],
  [
    'an answer in the list of the first questions',
    '## Start here\n\n1. **1.1** The original product\n   It is Kiosk',
    ['a.md:4 It is Kiosk'],
  ],
  [
    'a mail around a question',
    `Hi Ben,\n\n> thanks\n\n${ASKED}Answer:`,
    ['a.md:1 Hi Ben,', 'a.md:3 > thanks'],
  ],
  ['words that leave a question open', `${ASKED}Answer: TBD.${NEXT} ?`, ['a.md:1 TBD.', 'a.md:5 ?']],
  [
    'a line that begins as a question in an answer',
    `${ASKED}Answer:\n\n1.9 (owner) is an example`,
    ['a.md:5 is an example'],
  ],
  ['a mark below a question', `${ASKED.trim()}\n👍\n\nAnswer:`, ['a.md:2 👍']],
  ['a changed question', '**1.6** (owner) How is it called?\n\nAnswer:', ['a.md:1 How is it called?']],
  [
    'a question that a program has wrapped',
    '**1.6** (owner) What is it called,\nand who publishes it?\n\nAnswer:',
    [],
  ],
])('lists %s as not taken', (_what, returned, lines) => {
  const { notTaken, taken } = take(returned);

  expect(notTaken.map(({ place, text }) => `${place} ${text}`)).toEqual(lines);
  expect(taken).toEqual([]);
});

it('takes everything except a question that it does not know, which it names', () => {
  const { taken, unknown } = take(
    '**1.3** (owner) What?\n\nAnswer: Reads\n\n**1.99** (owner) Who tests it?\n\nAnswer: Ben',
  );

  expect(answersOf(taken)).toEqual({ 1.3: 'Reads' });
  expect(unknown).toEqual([{ id: '1.99', place: 'a.md:5', text: 'Ben' }]);
});

it('lists an answer that differs from another one with both, and takes it only to replace that', () => {
  const own = readQuestionnaire(questionnaire, 'SPEC_GAPS.md');
  const returned = ['Kiosk', 'Kiosk', 'Stand'].flatMap((answer, index) =>
    readQuestionnaire(`${ASKED}Answer: ${answer}`, `${index}.md`),
  );
  const different = [{ id: '1.6', place: '2.md:1', text: 'Stand', old: { place: '0.md:1', text: 'Kiosk' } }];

  const kept = takeAnswers(own, returned);
  const replaced = takeAnswers(own, returned, true);

  expect([kept.different, replaced.different]).toEqual([different, different]);
  expect([kept, replaced].map(({ markdown }) => answersIn(markdown))).toEqual([
    { 1.6: 'Kiosk' },
    { 1.6: 'Stand' },
  ]);
});

it('changes no other text of the questionnaire', () => {
  const long = take(`${ASKED}Answer:\na\n\nb\n\n\nc\n`);
  const short = take(`${ASKED}Answer: d`, long.markdown);

  expect(short.markdown).toBe(questionnaire.replace(`${ASKED}Answer:`, `${ASKED}Answer: d`));
});

it.each([
  [
    'a control character',
    `${ASKED}Answer: Kiosk\u000BStand`,
    'a.md:3: This line has a control character (U+000B). Delete it, or type a line break instead.',
  ],
  [
    'a quoted question above an answer',
    `>> **1.6** (owner) What?\n\nKiosk`,
    'a.md:1: A mail program has quoted this text.',
  ],
  [
    'a quotation below the answers',
    `${ASKED}Answer: Kiosk\n\nOn Monday:\n> ${ASKED}`,
    'a.md:6: A mail program has quoted this text.',
  ],
  [
    'an answer whose question is not marked',
    `${ASKED}Answer: Kiosk\n\n1.7 What does it need?\nAnswer: Tabs`,
    'a.md:6: This is a second "Answer:" below question 1.6.',
  ],
  [
    'an answer in the line of a question that is not marked',
    `${ASKED}Answer: Kiosk\n1.7 What does it need? Answer: Tabs`,
    'a.md:4: This is a second "Answer:" below question 1.6.',
  ],
])('refuses %s with its line', (_what, returned, problem) => {
  expect(() => take(returned)).toThrow(problem);
});

const open = ['', ' \n', '\u200B', '** **', 'TBD', 'tba', 'TBC.', 'Todo!', '**TBD**', 'open', 'Pending…'];

it.each([...open, '?', '？', '???', '…', '...', '-', '–', '---', '______'])(
  'the answer "%s" leaves its question open',
  (answer) => {
    expect(isAnswer(answer)).toBe(false);
  },
);

it.each(['*', '**', '/', '0', 'no', 'N/A', 'n.a.', 'none', 'TBD by Friday', 'open source', '- a', '(TBD)'])(
  'the answer "%s" is one',
  (answer) => {
    expect(isAnswer(answer)).toBe(true);
  },
);

/** Takes the answers of a file, also those that differ. */
function take(returned: string, own = questionnaire) {
  return takeAnswers(readQuestionnaire(own, 'SPEC_GAPS.md'), readQuestionnaire(returned, 'a.md'), true);
}

function answersOf(taken: readonly { readonly id: string; readonly text: string }[]): Record<string, string> {
  return Object.fromEntries(taken.map(({ id, text }) => [id, text]));
}

/** Returns the answers of `SPEC_GAPS.md` as the build reads them. */
function answersIn(markdown: string): Record<string, string> {
  const gaps = parseSpecGaps(markdown);
  const answered = gaps.flatMap(({ questions }) => questions).filter(({ answer }) => isAnswer(answer));
  return Object.fromEntries(answered.map(({ id, answer }) => [id, answer]));
}
