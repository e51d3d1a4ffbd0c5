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

/** A point of the specification: known facts, questions with answers, and the behaviour until they are answered. */
export interface Gap {
  /** It never changes, because addresses contain it. */
  readonly id: string;
  /** 1 to 9, as in the specification. */
  readonly number: number;
  /** As in the specification, without the number. */
  readonly title: string;
  /** Paragraphs with an empty line between them, and with code between backticks. */
  readonly known: string;
  readonly questions: readonly Question[];
  /** As `known`. */
  readonly forNow: string;
}

/** Returns the numbers of answered questions and of all questions. */
export function progressOf(gaps: readonly Gap[]) {
  const all = gaps.flatMap(({ questions }) => questions);
  return { answered: all.filter(({ answer }) => isAnswer(answer)).length, total: all.length };
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
    .map((gap) => ({ ...gap, questions: gap.questions.filter(isShown) }))
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

/** The points and the next question, which the popup shows. */
export type Summary = ReturnType<typeof summarize>;

export function summarize(gaps: readonly Gap[]) {
  const open = gaps.flatMap(({ questions }) => questions).filter(({ answer }) => !isAnswer(answer));
  const first = open.filter(({ isStart }) => isStart);
  // While a question that comes first is open, only those are counted.
  const left = first.length > 0 ? first : open;
  const [next] = left;
  return {
    points: gaps.map((gap) => ({ id: gap.id, number: gap.number, title: gap.title, ...progressOf([gap]) })),
    next: next && { id: next.id, isStart: next.isStart, left: left.length },
  };
}

/**
 * Returns `false` if a text leaves its question open: if it is empty, or if all of it is `TBD`, `TBA`, `TBC`, `TODO`, `?`,
 * `…`, `-`, `open` or `pending`, in any case, bold or not, with any final punctuation. A line of dashes or underscores is a dash.
 */
export function isAnswer(text: string): boolean {
  const typed = text.normalize('NFKC').replaceAll(/[\s\p{Cf}]/gu, '');
  return !/^(\*\*|__)?(?:TBD|TBA|TBC|TODO|open|pending|[-–—_]+)?[.,:;!?]*\1$/iu.test(typed);
}

/** Text that may stand in front of a phrase, and behind it. */
const LEAD = String.raw`[^\p{L}\p{N}?]*(?:(?:sorry|honestly|well|hm+|currently|at the moment|for now)\b[\s,.:–—-]*)?`;
const STOP = String.raw`(?=\s*(?:$|[\n.,;:!?()*_]|[-–—]\s|(?:yet|sorry|please|for now|right now|at the moment)\b))`;

/** The list of phrases that `SPEC_GAPS.md` describes. `STOP` keeps sentences such as "Later versions" out. */
const MAY_BE_OPEN = new RegExp(
  `^${LEAD}(?:${[
    String.raw`\?`,
    String.raw`(?:(?:I|we|nobody|no one)\s)?(?:(?:really|still|just)\s)?(?:don't|do not|doesn't|does not|didn't)\s(?:really\s)?knows?\b`,
    String.raw`(?:nobody|no one) knows\b`,
    String.raw`(?:(?:I|we)\s)?(?:(?:have|have got)\s)?(?:no idea|no clue|no answer)\b`,
    String.raw`(?:dunno|idk)\b`,
    String.raw`(?:(?:I'm|I am|we're|we are|it's|it is|this is|that is|nothing is|is)\s)?(?:still\s)?(?:not|nothing)\s(?:yet\s)?(?:been\s)?(?:sure|decided|agreed|clarified|determined|specified|discussed)\b`,
    String.raw`not (?:known|clear|defined|clarified)\s+(?:yet|so far)\b`,
    String.raw`(?:has\s|have\s|needs?\s|still\s|yet\s|will\s|it\s|this\s|is\s|that\s)*(?:to\s)?be (?:decided|determined|defined|confirmed|clarified|discussed|announced|agreed|specified)\b`,
    String.raw`(?:(?:I|we)(?:'ll| will)\s)(?:decide|ask|check|find out|see|clarify|discuss|come back|get back)\b`,
    String.raw`(?:waiting|wait) for\b`,
    String.raw`still (?:open|unclear|unknown|undecided|pending)\b`,
    String.raw`(?:open|pending|TBD|TBA|TBC|TODO)\s+(?:ask|until|by|till|check|decide|clarify)\b`,
    String.raw`(?:TBD|TBA|TBC|TODO|later(?: on)?|not yet|not now|undecided|some other time|another time|will follow)${STOP}`,
    // Their lists, such as "Open, paid" or "Unknown, known", are answers.
    String.raw`(?:unknown|unclear|not clear|not known|soon|maybe|no comment)(?:,? sorry| yet| for now| at the moment)?[.!?…]*\s*(?:$|\n)`,
    String.raw`ask (?:for )?\S+(?: \S+)?[.!?]*\s*(?:$|\n)`,
  ].join('|')})`,
  'iu',
);

/** Returns `true` for an answer that begins as if its question were still open, such as `Later` or `TODO: ask Anna`. */
export function mayBeOpen(answer: string): boolean {
  return isAnswer(answer) && MAY_BE_OPEN.test(answer.normalize('NFKC').replaceAll('’', "'"));
}

/** Returns an answer with a space in front, unless it is empty or begins on a new line. */
export function afterLabel(answer: string): string {
  return /^(?:\n|$)/u.test(answer) ? answer : ` ${answer}`;
}
