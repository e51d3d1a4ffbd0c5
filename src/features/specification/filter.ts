import { afterLabel, type Gap, isAnswer, type Question } from './spec-gaps.ts';

/**
 * Returns the address of questions, at the point or question that `part` names. It contains the filter, so that a link shows
 * the same questions, and `part`, so that a change of the filter does not move the focus.
 */
export function filterAddress(part: string | undefined, filter: URLSearchParams): string {
  return `#/questions${part === undefined ? '' : `/${part}`}${filter.size > 0 ? `?${filter}` : ''}`;
}

/**
 * Returns the points with the questions that a filter matches, without points that have none. A filter may have a `role`,
 * `start` for the questions that come first, `open` for those without an answer, and words to `search`.
 */
export function findQuestions(gaps: readonly Gap[], filter: URLSearchParams): readonly Gap[] {
  const words = (filter.get('search') ?? '').toLowerCase().split(/\s+/u).filter(Boolean);

  function isShown({ id, text, role, isStart, answer }: Question): boolean {
    if (filter.has('role') && filter.get('role') !== role) return false;
    if ((filter.has('start') && !isStart) || (filter.has('open') && isAnswer(answer))) return false;
    const searched = [id, text, answer].join('\n').toLowerCase();
    return words.every((word) => searched.includes(word));
  }

  return gaps
    .map((gap) => Object.assign({}, gap, { questions: gap.questions.filter(isShown) }))
    .filter(({ questions }) => questions.length > 0);
}

/** Returns questions in the format of `SPEC_GAPS.md`, under the headings of their points. */
export function toMarkdown(gaps: readonly Gap[]): string {
  const blocks = gaps.flatMap(({ number, title, questions }) => [
    `## ${number}. ${title}`,
    ...questions.map(
      ({ id, role, text, answer }) => `**${id}** (${role}) ${text}\n\nAnswer:${afterLabel(answer)}`,
    ),
  ]);
  return `${blocks.join('\n\n')}\n`;
}
