/** The roles of people who answer questions, in the order of the page. */
export const roles = ['owner', 'designer', 'engineer', 'legal'] as const;

/** The person who can usually answer a question. */
export type Role = (typeof roles)[number];

export interface Question {
  /** Number of the point and of the question, such as `7.3`. It always means the same question. */
  readonly id: string;
  readonly role: Role;
  /** One paragraph, with code between backticks. */
  readonly text: string;
  /** Set for the questions that come first. */
  readonly isStart: boolean;
  /** The text after `Answer:`, as it was typed. It begins with a line break if it was typed below `Answer:`. */
  readonly answer: string;
}

/** A point of the specification in short. */
export interface Point {
  /** It never changes, because addresses contain it. */
  readonly id: string;
  /** 1 to 9, as in the specification. */
  readonly number: number;
  /** As in the specification, without the number. */
  readonly title: string;
  /** Number of answered questions. */
  readonly answered: number;
  /** Number of questions, which is never 0. */
  readonly total: number;
}

/** A point of the specification: known facts, questions with answers, and the behaviour until they are answered. */
export interface Gap extends Point {
  /** Paragraphs, with code between backticks. */
  readonly known: readonly string[];
  readonly questions: readonly Question[];
  /** Paragraphs, with code between backticks. */
  readonly forNow: readonly string[];
}

/** Returns the numbers of answered questions and of all questions. */
export function countQuestions(points: readonly Point[]): {
  readonly answered: number;
  readonly total: number;
} {
  const sum = (count: 'answered' | 'total'): number => points.reduce((all, point) => all + point[count], 0);
  return { answered: sum('answered'), total: sum('total') };
}

/** The question to answer next. */
export interface NextQuestion {
  readonly id: string;
  /** Set if it is one of the questions that come first. */
  readonly isStart: boolean;
  /** Number of unanswered questions. While one that comes first is open, only those are counted. */
  readonly left: number;
  /** Number of all questions. */
  readonly total: number;
}

/** Returns the question to answer next, or `undefined` if all are answered. */
export function findNext(gaps: readonly Gap[]): NextQuestion | undefined {
  const all = gaps.flatMap(({ questions }) => questions);
  const open = all.filter(({ answer }) => !isAnswer(answer));
  const first = open.filter(({ isStart }) => isStart);
  const left = first.length > 0 ? first : open;
  return left[0] && { id: left[0].id, isStart: left[0].isStart, left: left.length, total: all.length };
}

/**
 * Returns `false` if a text leaves its question open: if it is empty, or if all of it is `TBD`, `TBA`, `TBC`, `TODO`, `?`,
 * `…`, `-`, `open` or `pending`, in any case and with any final punctuation.
 */
export function isAnswer(text: string): boolean {
  return !/^(?:TBD|TBA|TBC|TODO|open|pending|[-–—])?[\s.,:;!?…]*$/iu.test(text.trim());
}

/** Returns the line with `Answer:` and the lines of the answer. */
export function answerLines(answer: string): string {
  return `Answer:${/^(?:\n|$)/u.test(answer) ? '' : ' '}${answer}`;
}
