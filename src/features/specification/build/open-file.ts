import { CommandError } from '../../../../scripts/command.ts';
import { type Node, parseMarkdown, rangeOf, type Report } from './read-markdown.ts';

/** A place in a questionnaire that must be corrected before the questionnaire is accepted. */
export interface Problem {
  /** From 1. */
  readonly line: number;
  /** From 1, in characters. */
  readonly column: number;
  readonly wrong: string;
  /** The remedy. */
  readonly instead: string;
}

/** Reports all problems of a questionnaire, each on two lines. The first line begins with the place. */
export class QuestionnaireError extends CommandError {
  override readonly name = 'QuestionnaireError';
  readonly problems: readonly Problem[];

  constructor(file: string, problems: readonly Problem[]) {
    const lines = problems.map(
      ({ line, column, wrong, instead }) => `${file}:${line}:${column}: ${wrong}\n    ${instead}`,
    );
    super(lines.join('\n'));
    // Vite prints the stack below the message, and the message already says where the problem is.
    this.stack = `${this.name}: ${this.message}`;
    this.problems = problems;
  }
}

/** A questionnaire that is being read. */
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
  /** Problems by offset. Only the first problem at each offset is kept. */
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
  // Word processors escape all marks when they open the file as text and export it as Markdown.
  const escaped = [...text.matchAll(/^\\#+ |^\\\*\\\*\d+\.\d+\\\*\\\*/gmu)];
  if (escaped.length > 1 && !/^#+ |^\*\*\d/mu.test(text)) {
    const instead = 'Save the file as plain text instead, or remove the backslashes.';
    report(escaped[0]?.index ?? 0, 'Every mark has a backslash before it, so it is read as text.', instead);
  }
  const nodes = parseMarkdown(text);
  for (const node of nodes) {
    if (node.type === 'code' && isOpenCode(text.slice(...rangeOf(node)))) {
      report(
        rangeOf(node)[0],
        'This code block is not closed.',
        'Type ``` on a separate line above and below the code.',
      );
    }
  }
  // After one of these problems, the rest of the file cannot be read.
  finish();
  return { text, nodes, report, hasProblems: () => problems.size > 0, finish };
}

/** Returns `true` if a block of code is not closed, or is closed only by a fence in another answer. */
function isOpenCode(source: string): boolean {
  const [fence = ''] = /^(?:`{3,}|~{3,})/u.exec(source) ?? [];
  const isClosed = new RegExp(`[\\r\\n][ \\t]*${fence}[\`~]*[ \\t]*$`, 'u').test(source);
  return !isClosed || /[\r\n]\*\*\d+\.\d+\*\* \(/u.test(source);
}
