import { describe, expect, it } from 'vitest';

import { mergeAnswers } from '../../../src/features/specification/build/merge-answers.ts';
import { QuestionnaireError } from '../../../src/features/specification/build/open-file.ts';
import { isWhole, parseQuestions } from '../../../src/features/specification/build/read-questions.ts';
import { gaps, markdown as file } from '../../../SPEC_GAPS.md';

const questions = parseQuestions(file, 'SPEC_GAPS.md');
/** The questionnaire without any answers. */
const markdown = questions.reduce((text, question) => text.replace(question.markdown, question.asked), file);
const [first = '', , third = '', fourth = ''] = questions.map(({ asked }) => asked);

describe('a part of the questionnaire can be handed back alone', () => {
  it.each<[what: string, handedBack: string, ids: readonly string[]]>([
    ['one question', first, ['1.1']],
    ['some questions', `${fourth}\n\n${first}\n`, ['1.4', '1.1']],
    ['some questions under new headings', `# Owner\n\n${first}\n\n# Mine\n\n${third}`, ['1.1', '1.3']],
    ...gaps.map(
      (gap) =>
        [`point ${gap.number}`, gap.markdown, gap.questions.map(({ id }) => id)] satisfies [
          string,
          string,
          string[],
        ],
    ),
    ['all points', gaps.map((gap) => gap.markdown).join('\n'), questions.map(({ id }) => id)],
    ['the whole file', file, questions.map(({ id }) => id)],
  ])('%s', (_, handedBack, ids) => {
    expect(parseQuestions(handedBack, 'part.md').map(({ id }) => id)).toEqual(ids);
    expect(isWhole(handedBack, 'part.md')).toBe(handedBack === file);
  });

  it('is refused with the name of its file if it has no question', () => {
    expect(() => parseQuestions('# Notes\n\nHello', 'notes.md')).toThrow(
      'notes.md:1:1: There is no question in this file.',
    );
  });

  it('is refused if an answer is not below a question', () => {
    const handedBack = `${first}\n\n## Start here\n\n- **1.1** More\n\n  Answer: Yes.`;

    expect(() => parseQuestions(handedBack, 'part.md')).toThrow('Move it below the question that it answers');
  });

  it('is refused if a question is in it twice', () => {
    const handedBack = `${first}\n\nAnswer: Yes.\n\n# Again\n\n${first}\n\nAnswer: No.`;

    expect(() => parseQuestions(handedBack, 'part.md')).toThrow('Question 1.1 is in this file twice');
  });

  it('is refused if an answer has a heading', () => {
    const handedBack = `${first}\n\nAnswer: Yes.\n\n## Details\n\nMore.\n\n${third}`;

    expect(() => parseQuestions(handedBack, 'part.md')).toThrow('type it in bold: **Details**');
  });
});

it('each question has an empty label for its answer, which leaves it open', () => {
  const unlabelled = questions.filter(({ markdown: each }) => !/^Answer:/mu.test(each));
  const [question] = parseQuestions(`${first}\n\n**Answer:**\n`, 'part.md');

  expect(unlabelled).toEqual([]);
  expect([question?.answer, question?.answered]).toEqual([[], '']);
});

describe('an answer moves into SPEC_GAPS.md', () => {
  it('below its question, whose text there does not change', () => {
    const changed = first.replace('original', '“original”').replaceAll(' ', '\u00A0');
    const handedBack = `${changed}\r\n\r\nAnswer: Yes,\r\n\r\n- one\r\n\r\n${third} Answer: It does.\r\n`;

    const merged = mergeAnswers(
      markdown,
      handedBack.replace('**\u00A0(owner)\u00A0', '** (owner) '),
      'part.md',
    );

    expect(merged).toEqual({
      moved: ['1.1', '1.3'],
      markdown: markdown
        .replace(first, () => `${first}\n\nAnswer: Yes,\n\n- one`)
        .replace(third, () => `${third}\n\nAnswer: It does.`),
    });
  });

  it('and replaces one that is unfinished, but not if it is unfinished itself', () => {
    const begun = markdown.replace(first, () => `${first}\n\nAnswer: TBD`);
    const handedBack = `${first}\n\nAnswer: Yes.\n\n${third}\n\nAnswer: ?`;

    const merged = mergeAnswers(begun, handedBack, 'part.md');

    expect(merged).toEqual({
      moved: ['1.1'],
      markdown: markdown.replace(first, () => `${first}\n\nAnswer: Yes.`),
    });
  });

  it('at the right place in a file with a byte-order mark', () => {
    const handedBack = `${first}\n\nAnswer: Yes.`;

    expect(mergeAnswers(`\uFEFF${markdown}`, handedBack, 'part.md')).toEqual(
      mergeAnswers(markdown, handedBack, 'part.md'),
    );
  });

  it('once', () => {
    const handedBack = `${first}\n\nAnswer: Yes.`;
    const { markdown: merged } = mergeAnswers(markdown, handedBack, 'part.md');

    expect(mergeAnswers(merged, handedBack, 'part.md')).toEqual({ moved: [], markdown: merged });
  });

  it.each([
    ['an unknown question', '**1.99** (owner) What?', 'There is no question 1.99 in SPEC_GAPS.md'],
    ['another question', '**1.2** (owner) What?', 'Question 1.2 asks something else in SPEC_GAPS.md'],
    ['another answer', `${first}\n\nAnswer: No.`, 'Question 1.1 has another answer in SPEC_GAPS.md'],
  ])('and is refused with %s', (_, handedBack, wrong) => {
    const answered = markdown.replace(first, () => `${first}\n\nAnswer: Yes.`);

    expect(() => mergeAnswers(answered, `Hello\n\n${handedBack}`, 'part.md')).toThrow(
      expect.objectContaining({
        constructor: QuestionnaireError,
        message: expect.stringContaining(`part.md:3:1: ${wrong}`),
      }),
    );
  });
});
