import { describe, expect, it } from 'vitest';

import { parseSpecGaps } from '../../../scripts/spec-gaps/parse-spec-gaps.ts';
import { sampleMarkdown } from './sample-markdown.ts';

describe('a well-formed file', () => {
  it('becomes one entry for each of the nine points, in order', () => {
    const { gaps } = parseSpecGaps(sampleMarkdown);

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

  it('becomes what was written in a section', () => {
    const { gaps } = parseSpecGaps(sampleMarkdown);

    expect(gaps[2]).toEqual({
      id: 'entities',
      number: 3,
      title: 'Entities and their fields',
      status: 'open',
      known: [['Known of 3.']],
      questions: [['What of 3?']],
      meanwhile: [['Meanwhile in 3.']],
      places: [{ path: 'src/3/', text: ['all of 3.'] }],
    });
  });

  it('becomes what was written of the choices', () => {
    const { choices } = parseSpecGaps(sampleMarkdown);

    expect(choices).toEqual([
      {
        name: 'Colour',
        text: ['green, like ', { code: 'grass' }, '.'],
        place: { path: 'src/colour.css', text: ['the value of ', { code: '--colour' }, '.'] },
      },
      { name: 'Shape', text: ['round.'], place: { path: 'src/shape/', text: ['one file.'] } },
    ]);
  });

  it('becomes what was written of what is left out', () => {
    const { leftOut } = parseSpecGaps(sampleMarkdown);

    expect(leftOut).toEqual([['Every ', { code: 'wheel' }, '.'], ['The boat.']]);
  });

  it('keeps paragraphs and code apart and joins lines', () => {
    const markdown = sampleMarkdown.replace('Known of 3.', 'Two\nlines with `some\ncode`\nin them.\n\nMore.');

    const { gaps } = parseSpecGaps(markdown);

    expect(gaps[2]?.known).toEqual([['Two lines with ', { code: 'some code' }, ' in them.'], ['More.']]);
  });

  it('takes a place whose text begins with code', () => {
    const markdown = sampleMarkdown.replace(': all of 3.', ': `all` of 3.');

    const { gaps } = parseSpecGaps(markdown);

    expect(gaps[2]?.places).toEqual([{ path: 'src/3/', text: [{ code: 'all' }, ' of 3.'] }]);
  });

  it('reads the same with the line ends of Windows', () => {
    const parsed = parseSpecGaps(sampleMarkdown.replaceAll('\n', '\r\n'));

    expect(parsed).toEqual(parseSpecGaps(sampleMarkdown));
  });
});

describe('a specified section', () => {
  const specified = sampleMarkdown
    .replace('`open`\n\n### Known\n\nKnown of 3.', '`specified`\n\n### Known\n\nAll of 3.')
    .replace('1. What of 3?', 'Nothing.');

  it('has no question left', () => {
    const { gaps } = parseSpecGaps(specified);

    expect(gaps[2]).toMatchObject({ status: 'specified', known: [['All of 3.']], questions: [] });
  });
});
