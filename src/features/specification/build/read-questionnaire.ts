import { CommandError } from '../../../../scripts/command.ts';
import { type Role, roles } from '../spec-gaps.ts';

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

/** All headings of `SPEC_GAPS.md`, in order. */
export const headings: readonly string[] = [
  '# Specification gaps',
  '## Start here',
  ...Object.values(titles).flatMap((title, index) => [
    `## ${index + 1}. ${title}`,
    '### Known',
    '### Questions',
    '### For now',
    '### Where it goes',
  ]),
  '## Choices',
  '## Left out on purpose',
];

const knownHeadings: ReadonlySet<string> = new Set(headings.map(wordsOf));

/** A question as it is written in a file. Lines count from 0. */
export interface WrittenQuestion {
  readonly id: string;
  /** `undefined` if no known role follows the number. */
  readonly role: Role | undefined;
  /** Line of the number. */
  readonly start: number;
  /** The lines from the number to `Answer:`, without both. */
  readonly asked: readonly string[];
  /** Line of `Answer:`, and the text before it in this line. `undefined` if there is no `Answer:`. */
  readonly label: { readonly line: number; readonly before: string } | undefined;
  /** As in `Question`. */
  readonly answer: string;
  /** The line after the answer. */
  readonly end: number;
}

/** A questionnaire or a part of one. Lines count from 0. */
export interface Questionnaire {
  /** Name of the file, for errors. */
  readonly name: string;
  readonly lines: readonly string[];
  /** Lines with a heading of `SPEC_GAPS.md`. */
  readonly headings: readonly number[];
  readonly questions: readonly WrittenQuestion[];
}

/** Reports a line of a file that must be corrected first, and what to do about it. */
export class QuestionnaireError extends CommandError {
  override readonly name = 'QuestionnaireError';

  constructor(file: string, line: number, wrong: string, instead: string) {
    super(`${file}:${line + 1}: ${wrong}\n    ${instead}`);
  }
}

/**
 * Reads a questionnaire or a part of one by line. A question begins a line with its number and a role. The text between
 * its `Answer:` and the next question, or the next heading of `SPEC_GAPS.md`, is its answer, and is not interpreted.
 *
 * @param name the name of the file in errors
 * @throws QuestionnaireError if answers could be read wrongly
 */
export function readQuestionnaire(text: string, name: string): Questionnaire {
  const lines = text.replace(/^\uFEFF/u, '').split(/\r\n|\r|\n/u);
  for (const [at, line] of lines.entries()) {
    const control = /[^\P{Cc}\t]/u.exec(line)?.[0];
    if (control !== undefined) {
      const code = control.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0');
      throw new QuestionnaireError(name, at, `This line has a control character (U+${code}).`, 'Delete it.');
    }
    if (isQuoted(line)) {
      const instead = 'Delete the ">" at the start of each line, or ask for the answers as an attached file.';
      throw new QuestionnaireError(name, at, 'A mail program has quoted this text.', instead);
    }
  }

  const openings = findOpenings(lines);
  const bounds = lines.flatMap((line, at) => (openings[at] || isHeading(line) ? [at] : []));
  const questions = bounds.flatMap((start, index) => {
    const opening = openings[start];
    return opening ? [readQuestion(lines, opening, start, bounds[index + 1] ?? lines.length)] : [];
  });

  for (const { id, label, end } of questions) {
    const below = label ? label.line + 1 : end;
    const second = lines.slice(below, end).findIndex(isLabel);
    if (second === -1) continue;
    const wrong = `This is a second "Answer:" below question ${id}.`;
    const instead = `Delete it, or type the number of its question above it in bold, as in **${id}**`;
    throw new QuestionnaireError(name, below + second, wrong, instead);
  }
  return { name, lines, headings: bounds.filter((at) => !openings[at]), questions };
}

/** Returns `true` for a question or a label behind the mark of a mail program. */
function isQuoted(line: string): boolean {
  const text = /^\s*>[>\s]*(.*)$/u.exec(line)?.[1];
  return text !== undefined && (readOpening(text)?.role !== undefined || isLabel(text));
}

/** The line in which a question begins. */
interface Opening {
  readonly id: string;
  readonly role: Role | undefined;
  /** The rest of the line. */
  readonly text: string;
}

/** Matches the marks before a number, the number, a role, and the rest of the line. Programs add backslashes and marks. */
const OPENING = new RegExp(
  String.raw`^([\\*_\s\p{Cf}]*)(\d{1,2})\\?\.(\d{1,2})(?!\.?\d)[\\*_.:\s]*` +
    String.raw`(?:\(\s*(${roles.join('|')})\s*\\?\)[*_]*)?\s*(.*)$`,
  'iu',
);

function readOpening(line: string): Opening | undefined {
  const [matched, marks = '', point, number, written, text = ''] = OPENING.exec(line) ?? [];
  const role = roles.find((each) => each === written?.toLowerCase());
  const isBold = /\*\*|__/u.test(marks.replaceAll('\\', ''));
  return matched !== undefined && (role || isBold) ? { id: `${point}.${number}`, role, text } : undefined;
}

/** Finds the lines in which questions begin. A number without a role begins one only if `Answer:` follows. */
function findOpenings(lines: readonly string[]): readonly (Opening | undefined)[] {
  const openings = lines.map(readOpening);
  let hasLabel = false;
  for (let at = lines.length - 1; at >= 0; at -= 1) {
    const opening = openings[at];
    const line = lines[at] ?? '';
    if (opening === undefined) hasLabel = !isHeading(line) && (hasLabel || isLabel(line));
    else if (opening.role || hasLabel || INLINE_LABEL.test(opening.text)) hasLabel = false;
    else openings[at] = undefined;
  }
  return openings;
}

/** `Answer:` and the marks around it. Marks behind the colon belong to the answer, unless the same marks are in front. */
const LABEL = String.raw`([\\*_]{0,6})answer(?:\1\s?\\?[:：]|\s?\\?[:：]\1|\s?\\?[:：])`;
const LINE_LABEL = new RegExp(String.raw`^[\s\p{Cf}]*${LABEL}`, 'iu');
const INLINE_LABEL = new RegExp(String.raw`(?<![\p{L}\p{N}])${LABEL}`, 'iu');

/** Returns `true` if a line begins with `Answer:`. */
function isLabel(line: string): boolean {
  return LINE_LABEL.test(line);
}

/** Returns `true` for a heading of `SPEC_GAPS.md`. Its marks may be missing if it has several words. */
function isHeading(line: string): boolean {
  const words = wordsOf(line);
  return knownHeadings.has(words) && (words.includes(' ') || /^\s*\\?#/u.test(line));
}

function readQuestion(
  lines: readonly string[],
  { id, role, text }: Opening,
  start: number,
  end: number,
): WrittenQuestion {
  const asked: string[] = [];
  let label = INLINE_LABEL;
  for (let at = start; at < end; at += 1) {
    const line = lines[at] ?? '';
    const searched = at === start ? text : line;
    // In the paragraph of the question, the label may follow the text. Below, it begins a line.
    if (searched.trim() === '' && at > start) label = LINE_LABEL;
    const found = label.exec(searched);
    if (found === null) {
      asked.push(searched);
      continue;
    }
    const from = line.length - searched.length + found.index;
    asked.push(searched.slice(0, found.index));
    const answer = [line.slice(from + found[0].length), ...lines.slice(at + 1, end)].join('\n');
    return {
      id,
      role,
      start,
      asked,
      label: { line: at, before: line.slice(0, from) },
      // The indentation of its first line stays if it begins below `Answer:`.
      answer: answer
        .trimEnd()
        .replace(/^\s*\n/u, '\n')
        .replace(/^[^\S\n]+/u, ''),
      end,
    };
  }
  return { id, role, start, asked, label: undefined, answer: '', end };
}

/** Returns the words of a text without its marks, because programs change quotation marks, dashes and asterisks. */
export function wordsOf(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}
