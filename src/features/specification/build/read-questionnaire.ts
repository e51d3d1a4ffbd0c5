import { type Role, roles } from '../spec-gaps.ts';

/** A mistake in a file that people write. The message says what to type. A stack would hide it. */
export class QuestionnaireError extends Error {
  override readonly name: string = 'QuestionnaireError';
  override readonly stack = this.message;
}

/** Titles of the nine points by their ids, word for word and in the order of the specification. */
export const titles = {
  purpose: 'What the product does and for whom',
  screens: 'Screens and routes',
  entities: 'Entities and their fields',
  states: 'States and transitions',
  validation: 'Validation rules',
  roles: 'Roles and permissions',
  calls: 'The calls it makes',
  errors: 'The error catalogue',
  limits: 'Business constants and limits',
};

/** The words of the headings of `SPEC_GAPS.md`. */
const headings: ReadonlySet<string> = new Set(
  Object.values(titles)
    .map((title, index) => `${index + 1}. ${title}`)
    .concat('Specification gaps', 'Start here', 'Known', 'Questions', 'For now', 'Where it goes')
    .concat('Choices', 'Left out on purpose')
    .map(wordsOf),
);

/** The words of the titles. */
const unnumbered: ReadonlySet<string> = new Set(Object.values(titles).map(wordsOf));

/** A text in a file. */
export interface Excerpt {
  /** The file and the line where it begins, such as `answers.md:12`. */
  readonly place: string;
  readonly text: string;
}

/** A question with its answer, or a heading with the text below it. A file may begin with a text without a heading. */
export interface Part {
  /** The place of its first line. */
  readonly place: string;
  /** All its lines, unchanged. */
  readonly text: string;
  readonly heading?: string;
  readonly question?: {
    readonly id: string;
    /** `undefined` if no known role follows the number. */
    readonly role: Role | undefined;
    /** The text up to the end of `Answer:`. `undefined` if there is no `Answer:`. */
    readonly asked: string | undefined;
    /** As in `Question`. */
    readonly answer: string;
  };
  /** The paragraphs below the heading, or of the question without its number, its role and its answer. */
  readonly paragraphs: readonly (readonly Excerpt[])[];
}

/**
 * Reads a questionnaire or a part of one by line. A question begins a line with its number and a role. The text between
 * its `Answer:` and the next question, or the next heading of `SPEC_GAPS.md`, is its answer, and is not interpreted.
 *
 * @param name the name of the file, for places
 * @throws QuestionnaireError if answers could be read wrongly
 */
export function readQuestionnaire(file: string, name: string): readonly Part[] {
  const texts = file.replace(/^\uFEFF/u, '').split(/\r\n|\r|\n/u);
  const lines = texts.map((text, index) => ({ place: `${name}:${index + 1}`, text }));
  lines.forEach(refuseLine);

  const parts: Part[] = [];
  let end = lines.length;
  let hasLabel = false;
  // The lines are read upwards, because a number without any role begins a question only if `Answer:` follows.
  for (const [start, line] of [...lines.entries()].toReversed()) {
    const opening = readOpening(line.text);
    const isQuestion =
      opening &&
      (opening.role || hasLabel || INLINE_LABEL.test(opening.rest) || OTHER_ROLE.test(opening.rest));
    hasLabel ||= LINE_LABEL.test(line.text);
    if (start > 0 && !isQuestion && !isHeading(line.text)) continue;
    parts.push(readPart(line, lines.slice(start, end), isQuestion ? opening : undefined));
    end = start;
    hasLabel = false;
  }
  return parts.toReversed();
}

/** Refuses a line with which answers could be read wrongly. */
function refuseLine({ place, text }: Excerpt): void {
  const control = /[^\P{Cc}\t]/u.exec(text)?.[0];
  if (control !== undefined) {
    const code = control.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0');
    throw new QuestionnaireError(
      `${place}: This line has a control character (U+${code}). Delete it, or type a line break instead.`,
    );
  }
  const quoted = /^\s*>[>\s]*(.*)$/u.exec(text)?.[1] ?? '';
  if (readOpening(quoted)?.role || LINE_LABEL.test(quoted)) {
    const instead = 'Delete the ">" at the start of each line, or ask for the answers as an attached file.';
    throw new QuestionnaireError(`${place}: A mail program has quoted this text. ${instead}`);
  }
}

/** Matches the marks before a number, the number, a role, and the rest of the line. Programs add backslashes and marks. */
const OPENING = new RegExp(
  String.raw`^((?:\s*[-+•#]+\s)?[\\*_\s\p{Cf}]*)(\d{1,2})\\?\.(\d{1,2})(?!\.?\d)[\\*_.:\s]*` +
    String.raw`(?:\(\s*(${roles.join('|')})\s*\\?\)[*_]*)?\s*(.*)$`,
  'isu',
);

/** Reads the beginning of a question, and the rest of its line. Without a role, its number is bold. */
function readOpening(line: string) {
  const [matched, marks = '', point, number, written, rest = ''] = OPENING.exec(line) ?? [];
  const role = roles.find((each) => each === written?.toLowerCase());
  const isBold = /\*\*|__/u.test(marks.replaceAll('\\', ''));
  return matched !== undefined && (role || isBold) ? { id: `${point}.${number}`, role, rest } : undefined;
}

/** `Answer:` and the marks around it. Marks behind the colon belong to the answer, unless the same marks are in front. */
const LABEL = String.raw`([\\*_]{0,6})answer(?:\1\p{Zs}?\\?[:：]|\p{Zs}?\\?[:：]\1?)`;
const LINE_LABEL = new RegExp(String.raw`^[\t\p{Zs}\p{Cf}]*(?:[-+•]\p{Zs})?${LABEL}`, 'imu');
const INLINE_LABEL = new RegExp(String.raw`(?<![\p{L}\p{N}])${LABEL}`, 'iu');

/** A number at the start of a line. */
const NUMBER = /^\W*\d{1,2}\.\d{1,2}(?!\.?\d)/u;

/** A role in another language, behind a bold number. */
const OTHER_ROLE = /^\(\p{L}+\\?\)/u;

/**
 * Returns `true` for a heading of `SPEC_GAPS.md`. Its marks may be missing if it has several words. With marks, the number of a
 * point may be missing, and Google Docs adds an anchor, as in `{#for-now}`.
 */
function isHeading(line: string): boolean {
  const words = wordsOf(line.replace(/\{#.*\}\s*$/u, ''));
  const isMarked = /^\s*\\?#/u.test(line);
  return isMarked ? headings.has(words) || unnumbered.has(words) : headings.has(words) && words.includes(' ');
}

function readPart(first: Excerpt, lines: readonly Excerpt[], opening: ReturnType<typeof readOpening>): Part {
  const { place } = first;
  const text = lines.map((line) => line.text).join('\n');
  if (opening === undefined) {
    if (!isHeading(first.text)) return { place, text, paragraphs: paragraphsOf(text, lines) };
    const below = text.slice(first.text.length);
    return { place, text, heading: first.text.trim(), paragraphs: paragraphsOf(below, lines) };
  }

  const { id, role, rest } = opening;
  const body = text.slice(first.text.length - rest.length);
  // In the paragraph of the question, the label may follow the text. Below, it begins a line.
  const [paragraph = ''] = body.split(/\n\s*\n/u, 1);
  const label = INLINE_LABEL.exec(paragraph) ?? LINE_LABEL.exec(body);
  const typed = label ? body.slice(label.index + label[0].length) : '';
  const second = lines
    .slice(lines.length - typed.split('\n').length + 1)
    .find(({ text: each }) => LINE_LABEL.test(each) || (NUMBER.test(each) && INLINE_LABEL.test(each)));
  if (second !== undefined) {
    const instead = `Delete it, or type the number of its question above it in bold, as in **${id}**.`;
    throw new QuestionnaireError(
      `${second.place}: This is a second "Answer:" below question ${id}. ${instead}`,
    );
  }
  const asked = label ? text.slice(0, text.length - typed.length) : undefined;
  const [labelled = '', marks = ''] = label ?? [];
  const isInMarks = marks !== '' && !labelled.endsWith(marks) && typed.trimEnd().endsWith(marks);
  // In `**Answer: Kiosk**`, the last marks belong to the first ones.
  const inside = isInMarks ? typed.trimEnd().slice(0, -marks.length) : typed;
  // The indentation of the first line stays if it begins below `Answer:`.
  const answer = inside
    .trimEnd()
    .replace(/^\s*\n/u, '\n')
    .replace(/^[^\S\n]+/u, '');
  const paragraphs = paragraphsOf(body.slice(0, label?.index), lines);
  return { place, text, paragraphs, question: { id, role, asked, answer } };
}

/** Returns the paragraphs of a text that begins in the first of these lines. */
function paragraphsOf(text: string, lines: readonly Excerpt[]): readonly (readonly Excerpt[])[] {
  const texts = text.split('\n');
  const paragraphs: Excerpt[][] = [[]];
  for (const [index, { place }] of lines.entries()) {
    const own = texts[index]?.trim() ?? '';
    if (own === '') paragraphs.push([]);
    else paragraphs.at(-1)?.push({ place, text: own });
  }
  return paragraphs.filter(({ length }) => length > 0);
}

/** Returns the lines of a paragraph as one. */
export function joinLines(lines: readonly Excerpt[]): string {
  return lines.map(({ text }) => text).join(' ');
}

/** Returns the words of a text without its marks, because programs change quotation marks, dashes and asterisks. */
export function wordsOf(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}
