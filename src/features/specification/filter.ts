import { answerLines, type Gap, isAnswer, type Question, type Role, roles } from './spec-gaps.ts';

/** A filter of questions. The address contains it, so that a link shows the same questions. */
export interface QuestionFilter {
  readonly role: Role | undefined;
  /** Only the questions that come first. */
  readonly isStart: boolean;
  /** Only questions without an answer. */
  readonly isOpen: boolean;
  /** Words that must all occur. */
  readonly search: string;
}

/** Reads a filter from the query of an address. Unknown parameters are ignored. */
export function parseFilter(query: string): QuestionFilter {
  const values = new URLSearchParams(query);
  return {
    role: roles.find((role) => role === values.get('role')),
    isStart: values.has('start'),
    isOpen: values.has('open'),
    search: values.get('search') ?? '',
  };
}

/** Returns the address of a filter. It includes `part`, so that a change of the filter does not move the focus. */
export function filterAddress(
  part: string | undefined,
  { role, isStart, isOpen, search }: QuestionFilter,
): string {
  // `URLSearchParams` replaces lone surrogates, which an address cannot contain.
  const query = new URLSearchParams({
    ...(role && { role }),
    ...(isStart && { start: '' }),
    ...(isOpen && { open: '' }),
    ...(search !== '' && { search }),
  });
  return `#/questions${part === undefined ? '' : `/${part}`}${query.size > 0 ? `?${query}` : ''}`;
}

/** Returns the points with the questions that a filter matches, without points that have none. */
export function findQuestions(gaps: readonly Gap[], filter: QuestionFilter): readonly Gap[] {
  const words = filter.search.toLowerCase().split(/\s+/u).filter(Boolean);

  function isShown({ id, text, role, isStart, answer }: Question): boolean {
    if (filter.role !== undefined && filter.role !== role) return false;
    if ((filter.isStart && !isStart) || (filter.isOpen && isAnswer(answer))) return false;
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
    ...questions.flatMap(({ id, role, text, answer }) => [
      `**${id}** (${role}) ${text}`,
      answerLines(answer),
    ]),
  ]);
  return `${blocks.join('\n\n')}\n`;
}
