import { expect, it } from 'vitest';

import { SpecGapsError, parseSpecGaps } from '../../../scripts/spec-gaps/parse-spec-gaps.ts';
import { malformedRest } from './malformed-rest.ts';
import { malformedSections } from './malformed-sections.ts';
import { sampleMarkdown } from './sample-markdown.ts';

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
