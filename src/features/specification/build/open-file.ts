import { CommandError } from '../../../../scripts/command.ts';
import { type Node, parseMarkdown, rangeOf, type Report } from './read-markdown.ts';

/** Something in a questionnaire that must change before it is accepted. */
export interface Problem {
  /** From 1. */
  readonly line: number;
  /** From 1, in characters. */
  readonly column: number;
  readonly wrong: string;
  /** The correct text. */
  readonly instead: string;
}

/** All problems of a questionnaire, two lines each. The first line has the place. */
export class QuestionnaireError extends CommandError {
  override readonly name = 'QuestionnaireError';
  readonly problems: readonly Problem[];

  constructor(file: string, problems: readonly Problem[]) {
    const lines = problems.map(
      ({ line, column, wrong, instead }) => `${file}:${line}:${column}: ${wrong}\n    ${instead}`,
    );
    super(lines.join('\n'));
    // Vite would print it below the message, which says where the problem is.
    this.stack = `${this.name}: ${this.message}`;
    this.problems = problems;
  }
}

/** A questionnaire while it is read. */
export interface OpenFile {
  readonly text: string;
  readonly nodes: readonly Node[];
  readonly report: Report;
  readonly hasProblems: () => boolean;
  /** Throws if something was reported. */
  readonly finish: () => void;
}

export function openFile(markdown: string, name: string): OpenFile {
  const text = markdown.replace(/^\uFEFF/u, '');
  /** By offset: only the first problem of a place is of use. */
  const problems = new Map<number, Problem>();
  const report: Report = (offset, wrong, instead) => {
    const lines = text.slice(0, offset).split(/\r\n|\r|\n/u);
    const place = { line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1 };
    if (!problems.has(offset)) problems.set(offset, { ...place, wrong, instead });
  };
  const finish = (): void => {
    if (problems.size === 0) return;
    const sorted = [...problems].toSorted(([a], [b]) => a - b).map(([, problem]) => problem);
    throw new QuestionnaireError(name, sorted);
  };

  for (const mark of ['\0', '\uFFFD']) {
    const offset = text.indexOf(mark);
    if (offset !== -1) report(offset, 'This character cannot be read.', 'Save the file as UTF-8 text.');
  }
  // A word processor that was given the file as text, and has exported that as Markdown.
  const escaped = [...text.matchAll(/^\\#+ |^\\\*\\\*\d+\.\d+\\\*\\\*/gmu)];
  if (escaped.length > 1 && !/^#+ |^\*\*\d/mu.test(text)) {
    const instead = 'Save the file as plain text instead, or remove the backslashes.';
    report(escaped[0]?.index ?? 0, 'All marks have a backslash before them, which makes them text.', instead);
  }
  const nodes = parseMarkdown(text);
  for (const node of nodes) {
    if (node.type === 'code' && isOpenCode(text.slice(...rangeOf(node)))) {
      report(
        rangeOf(node)[0],
        'This block of code does not end.',
        'Type ``` on a line of its own above and below the code.',
      );
    }
  }
  // These make the rest of the file unreadable.
  finish();
  return { text, nodes, report, hasProblems: () => problems.size > 0, finish };
}

/** Returns `true` if a block of code is not closed, or only by the fence of another answer. */
function isOpenCode(source: string): boolean {
  const [fence = ''] = /^(?:`{3,}|~{3,})/u.exec(source) ?? [];
  const isClosed = new RegExp(`[\\r\\n][ \\t]*${fence}[\`~]*[ \\t]*$`, 'u').test(source);
  return !isClosed || /[\r\n]\*\*\d+\.\d+\*\* \(/u.test(source);
}
