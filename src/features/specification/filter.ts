import { gaps, start } from '../../../SPEC_GAPS.md';
import { answerText, type Gap, plainText, type Question, type Role, roles } from './spec-gaps.ts';

/** A filter of questions. The address contains it, so that a link shows the same questions. */
export interface QuestionFilter {
  readonly role: Role | undefined;
  /** Only the questions to start with, in the order of their list. */
  readonly isStart: boolean;
  /** Only questions without an answer. */
  readonly isOpen: boolean;
  /** The list instead of the overview, even without another filter. */
  readonly isAll: boolean;
  /** Words that must all occur. */
  readonly search: string;
}

export const noFilter: QuestionFilter = {
  role: undefined,
  isStart: false,
  isOpen: false,
  isAll: false,
  search: '',
};

/** Reads a filter from the query of an address. Unknown parameters are ignored. */
export function parseFilter(query: string): QuestionFilter {
  const values = new URLSearchParams(query);
  return {
    role: roles.find((role) => role === values.get('role')),
    isStart: values.has('start'),
    isOpen: values.has('open'),
    isAll: values.has('all'),
    search: values.get('search') ?? '',
  };
}

/** Returns the address of a filter or, with `part`, of a point or question. The way back from there has the same filter. */
export function questionsAddress(
  { role, isStart, isOpen, isAll, search }: QuestionFilter = noFilter,
  part?: string,
): string {
  const query = [
    ...(role === undefined ? [] : [`role=${role}`]),
    ...(isStart ? ['start'] : []),
    ...(isOpen ? ['open'] : []),
    ...(isAll ? ['all'] : []),
    ...(search.trim() === '' ? [] : [`search=${encodeURIComponent(search.trim())}`]),
  ].join('&');
  return `#/questions${part === undefined ? '' : `/${part}`}${query === '' ? '' : `?${query}`}`;
}

/** Returns the point with this id, or the point of the question with this number. */
export function findGap(part: string | undefined): Gap | undefined {
  return gaps.find(({ id, questions }) => id === part || questions.some((question) => question.id === part));
}

/** A group of questions in a list. */
export interface QuestionGroup {
  /** The point of the questions, or `undefined` for the questions to start with. */
  readonly gap: Gap | undefined;
  readonly questions: readonly Question[];
}

/** Returns `true` if a filter is empty, so that the overview is shown instead of a list. */
export function isOverview({ role, isStart, isOpen, isAll, search }: QuestionFilter): boolean {
  return role === undefined && !isStart && !isOpen && !isAll && search.trim() === '';
}

/** Returns the questions that a filter matches, grouped by point, or `undefined` for the overview. */
export function findQuestions(filter: QuestionFilter): readonly QuestionGroup[] | undefined {
  if (isOverview(filter)) return undefined;
  const { role, isStart, isOpen } = filter;
  const words = filter.search.toLowerCase().split(/\s+/u).filter(Boolean);

  function isShown(question: Question): boolean {
    if (role !== undefined && question.role !== role) return false;
    if (isOpen && question.answer.length > 0) return false;
    const { id, text, answer } = question;
    const searched = [id, plainText(text), answerText(answer)].join('\n').toLowerCase();
    return words.every((word) => searched.includes(word));
  }

  const groups = isStart
    ? [{ gap: undefined, questions: startQuestions }]
    : gaps.map((gap) => ({ gap, questions: gap.questions }));
  return groups
    .map(({ gap, questions }) => ({ gap, questions: questions.filter(isShown) }))
    .filter(({ questions }) => questions.length > 0);
}

const byId = new Map(gaps.flatMap(({ questions }) => questions.map((question) => [question.id, question])));

/** The questions to start with, in the order of their list. */
export const startQuestions: readonly Question[] = start.questions.flatMap((id) => byId.get(id) ?? []);

/** Returns questions in the format of `SPEC_GAPS.md`, under the headings of their points. */
export function toMarkdown(groups: readonly QuestionGroup[]): string {
  const shown = new Set(groups.flatMap(({ questions }) => questions));
  return gaps
    .map((gap) => ({ gap, questions: gap.questions.filter((question) => shown.has(question)) }))
    .filter(({ questions }) => questions.length > 0)
    .map(({ gap, questions }) =>
      [
        `## ${gap.number}. ${gap.title}`,
        '### Questions',
        ...questions.map(({ markdown }) => markdown.trim()),
      ].join('\n\n'),
    )
    .join('\n\n')
    .concat('\n');
}
