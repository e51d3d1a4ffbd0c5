import { describe, expect, it } from 'vitest';

import { parseSpecGaps } from '../../../scripts/spec-gaps/parse-spec-gaps.ts';
import type { Gap, SpecGaps } from '../../../src/contract/spec-gaps.ts';
import { replaceOnce, sampleMarkdown } from './sample-markdown.ts';

describe('a well-formed file', () => {
  it('becomes one entry for each of the nine points, in order', () => {
    const { gaps } = parse(sampleMarkdown);

    expect(gaps.map(({ number, id }) => `${number} ${id}`)).toEqual([
      '1 purpose',
      '2 screens',
      '3 entities',
      '4 states',
      '5 validation',
      '6 roles',
      '7 calls',
      '8 errors',
      '9 limits',
    ]);
  });

  it('becomes what is written in a section', () => {
    const { gaps } = parse(sampleMarkdown);

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
      markdown: sampleMarkdown.slice(sampleMarkdown.indexOf('## 3.'), sampleMarkdown.indexOf('## 4.')),
    });
  });

  it('becomes what is written of the choices, with every place', () => {
    const { choices } = parse(sampleMarkdown);

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
  });

  it('becomes what is written of what is left out', () => {
    const { leftOut } = parse(sampleMarkdown);

    expect(leftOut).toEqual([['Every ', { code: 'wheel' }, '.'], ['The boat.']]);
  });

  it('becomes plain text and code, whatever its lines and its emphasis', () => {
    const markdown = sampleMarkdown.replace(
      'Known of 3.',
      '*Two*\nlines with `code`\nin [them](#a).\n\nMore.',
    );

    const { gaps } = parse(markdown);

    expect(gaps[2]?.known).toEqual([['Two lines with ', { code: 'code' }, ' in them.'], ['More.']]);
  });

  it('reads the same with the line ends of Windows', () => {
    const parsed = parse(answered('\n\nAnswer: Yes.').replaceAll('\n', '\r\n'));

    expect(withoutMarkdown(parsed)).toEqual(withoutMarkdown(parse(answered('\n\nAnswer: Yes.'))));
  });
});

describe('an answer', () => {
  it.each([
    ['on the next line', '\nAnswer: Yes.', [['Yes.']]],
    ['in a paragraph of its own', '\n\nAnswer: Yes.', [['Yes.']]],
    ['with a bold label', '\n\n**Answer:** Yes.', [['Yes.']]],
    ['that does not apply', '\n\nAnswer: Does not apply, because … so.', [['Does not apply, because … so.']]],
    ['of several lines', '\nAnswer: Yes,\nand `no`.', [['Yes, and ', { code: 'no' }, '.']]],
    ['of several paragraphs', '\n\nAnswer: Yes.\n\nMore.', [['Yes.'], ['More.']]],
    ['with a list', '\n\nAnswer: Both.\n\n- One\n- Two', [['Both.'], ['• One'], ['• Two']]],
    ['with a quotation', '\n\nAnswer: Both.\n\n> One', [['Both.'], ['One']]],
    ['with a block of code', '\n\nAnswer: Both.\n\n```\none\n```', [['Both.'], [{ code: 'one' }]]],
    ['with bold text', '\n\nAnswer: **3** of them.\n\n**Note** this.', [['3 of them.'], ['Note this.']]],
  ])('%s stays with its question', (_, answer, expected) => {
    const { questions, ...point } = third(answered(answer));

    expect(questions.map((question) => question.answer)).toEqual([expected, []]);
    expect(questions.map(({ text }) => text)).toEqual([['What of 3?'], ['What else of 3?']]);
    expect(point).toMatchObject({ answered: 1, total: 2 });
  });
});

function parse(markdown: string): SpecGaps {
  return parseSpecGaps(markdown, () => true);
}

function third(markdown: string): Gap {
  const gap = parse(markdown).gaps[2];
  if (gap === undefined) throw new Error('There is no third point.');
  return gap;
}

function answered(answer: string): string {
  return replaceOnce(sampleMarkdown, 'What of 3?', `What of 3?${answer}`);
}

function withoutMarkdown({ gaps, ...rest }: SpecGaps): unknown {
  return { ...rest, gaps: gaps.map(({ markdown: _, ...gap }) => gap) };
}
