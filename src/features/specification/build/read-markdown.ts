import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmTableFromMarkdown } from 'mdast-util-gfm-table';
import { toString } from 'mdast-util-to-string';
import { gfmTable } from 'micromark-extension-gfm-table';

import { type Block, type Inline, type Paragraph, roles } from '../spec-gaps.ts';

export type Node = ReturnType<typeof fromMarkdown>['children'][number];
export type ListItem = Extract<Node, { type: 'list' }>['children'][number];
export type Span = Extract<Node, { type: 'paragraph' }>['children'][number];

/** Records a problem at an offset of the file, and what to do about it. */
export type Report = (offset: number, wrong: string, instead: string) => void;

/**
 * Parses Markdown with GitHub's tables, and without four constructs that people write by accident: indented code (a tab
 * before an answer), blocks of HTML, underlined headings (a line of dashes below an answer), and link definitions, whose
 * text would disappear.
 */
export function parseMarkdown(markdown: string): readonly Node[] {
  const disabled = { disable: { null: ['codeIndented', 'htmlFlow', 'setextUnderline', 'definition'] } };
  const { children } = fromMarkdown(markdown, {
    extensions: [gfmTable(), disabled],
    mdastExtensions: [gfmTableFromMarkdown()],
  });
  return children;
}

/** Matches the line of dashes below the head of a table. */
const TABLE_LINE = /^[ \t]*\|?[ \t]*:?-+:?[ \t]*\|[\s:|-]*$/mu;

/** Returns the number of a question if the span is one in bold, and `undefined` otherwise. */
export function questionId(span: Span | undefined): string | undefined {
  const id = span?.type === 'strong' ? toString(span).trim() : '';
  return /^\d+\.\d+$/u.test(id) ? id : undefined;
}

export interface MarkdownReader {
  readonly blocks: (nodes: readonly Node[]) => readonly Block[];
  readonly inline: (spans: readonly Span[]) => Paragraph;
}

/**
 * Creates functions that turn parsed Markdown into data.
 *
 * @param markdown the text from which the nodes were parsed
 * @param base the offset of this text in the file
 */
export function createReader(markdown: string, base: number, report: Report): MarkdownReader {
  function toBlocks(node: Node): readonly Block[] {
    switch (node.type) {
      case 'paragraph':
        checkLines(node.children);
        if (TABLE_LINE.test(markdown.slice(...rangeOf(node)))) {
          const instead =
            'Begin it on a new line, and give the line of dashes as many cells as the first row.';
          fail(node, 'This table cannot be read.', instead);
        }
        return [{ type: 'paragraph', text: trim(node.children.flatMap(toRuns)) }];
      case 'list': {
        const items = node.children.map((item) => item.children.flatMap(toBlocks));
        return [node.ordered ? { type: 'list', start: node.start ?? 1, items } : { type: 'list', items }];
      }
      case 'code':
        return [{ type: 'code', text: node.value }];
      case 'blockquote':
        return [{ type: 'quote', blocks: node.children.flatMap(toBlocks) }];
      case 'table': {
        const width = Math.max(...node.children.map(({ children }) => children.length));
        const [head = [], ...rows] = node.children.map(({ children }) =>
          Array.from({ length: width }, (_, column) =>
            trim((children[column]?.children ?? []).flatMap(toRuns)),
          ),
        );
        return [{ type: 'table', head, rows }];
      }
      case 'heading':
        fail(node, 'A heading cannot be part of an answer.', `Type it in bold: **${toString(node)}**`);
        return [];
      case 'thematicBreak':
        fail(
          node,
          'A dividing line cannot be part of an answer.',
          'Delete it, and leave an empty line there.',
        );
        return [];
      default:
        fail(
          node,
          `"${firstLine(node)}" cannot be shown.`,
          'Type text, a list, a table, a quotation or code.',
        );
        return [];
    }
  }

  function toRuns(span: Span): readonly Inline[] {
    switch (span.type) {
      case 'text':
        return [span.value.replaceAll(/\s+/gu, ' ')];
      case 'inlineCode':
        return [{ code: span.value }];
      case 'break':
        return ['\n'];
      case 'emphasis':
      case 'strong':
        return touchesWord(span) ? toLiteral(span) : span.children.flatMap(toRuns).map(stress);
      case 'link':
        return span.url === ''
          ? span.children.flatMap(toRuns)
          : [{ text: toString(span), address: span.url }];
      case 'image':
        fail(span, 'A picture cannot be shown.', 'Type the address where it can be seen, or describe it.');
        return [];
      case 'html':
        fail(
          span,
          `"${span.value}" is read as HTML, which cannot be shown.`,
          `Type it between backticks, as in \`${span.value}\`; type **bold** for bold text.`,
        );
        return [];
      default:
        fail(span, `"${firstLine(span)}" cannot be shown.`, 'Type it as plain text.');
        return [];
    }
  }

  /** Returns `true` for asterisks next to letters or digits, as in the calculation `2*3*4`. */
  function touchesWord(span: Span): boolean {
    const [start, end] = rangeOf(span);
    const isWord = (index: number): boolean => /[\p{L}\p{N}]/u.test(markdown.charAt(index));
    return span.type === 'strong' ? isWord(start - 1) && isWord(end) : isWord(start - 1) || isWord(end);
  }

  function toLiteral(span: Extract<Span, { type: 'emphasis' | 'strong' }>): readonly Inline[] {
    const mark = markdown.slice(rangeOf(span)[0], rangeOf(span.children[0] ?? span)[0]);
    return [mark, ...span.children.flatMap(toRuns), mark];
  }

  /** Reports text that looks like a question and begins a line within an answer. */
  function checkLines(spans: readonly Span[]): void {
    for (const span of spans) {
      const [start, end] = rangeOf(span);
      const id = questionId(span);
      const isAtStart = /(?:^|[\r\n])[\s>*+-]*$/u.test(markdown.slice(0, start));
      if (id === undefined || !isAtStart) continue;
      if (/^\s*\\?\(/u.test(markdown.slice(end))) {
        const wrong = `Question ${id} is joined to the answer above it.`;
        fail(span, wrong, `Leave an empty line above **${id}**, and no spaces before it.`);
      } else reportBoldNumber(base + start, id, report);
    }
  }

  function firstLine(node: Node | Span): string {
    return /^.{0,60}/u.exec(markdown.slice(...rangeOf(node)))?.[0] ?? '';
  }

  function fail(node: Node | Span, wrong: string, instead: string): void {
    report(base + rangeOf(node)[0], wrong, instead);
  }

  return { blocks: (nodes) => nodes.flatMap(toBlocks), inline: (spans) => trim(spans.flatMap(toRuns)) };
}

/** Reports a bold number at the start of a line, which is either a part of an answer or a question without a role. */
export function reportBoldNumber(offset: number, id: string, report: Report): void {
  const instead =
    `In an answer, type ${id} without the asterisks. ` +
    `A question has one of ${roles.map((role) => `(${role})`).join(', ')} after its number.`;
  report(offset, `A line that begins with **${id}** is read as a question.`, instead);
}

function stress(run: Inline): Inline {
  return typeof run === 'string' && run.trim() !== '' ? { emphasis: run } : run;
}

/** Joins adjacent strings, and removes spaces at both ends and around line breaks. */
function trim(runs: readonly Inline[]): Paragraph {
  const joined: Inline[] = [];
  for (const run of runs) {
    const last = joined.at(-1);
    if (typeof run === 'string' && typeof last === 'string') joined[joined.length - 1] = last + run;
    else joined.push(run);
  }
  return joined
    .map((run, index) => {
      if (typeof run !== 'string') return run;
      const spaced = run.replaceAll(/ *\n */gu, '\n');
      const started = index === 0 ? spaced.trimStart() : spaced;
      return index === joined.length - 1 ? started.trimEnd() : started;
    })
    .filter((run) => run !== '');
}

type Positioned = Pick<Node | ListItem | Span, 'position'>;

/** Returns the offsets of a node in the parsed text. */
export function rangeOf(node: Positioned | undefined): readonly [start: number, end: number] {
  return [node?.position?.start.offset ?? 0, node?.position?.end.offset ?? 0];
}

/** Returns the offset of a node, or `end` if there is none. */
export function startOf(node: Positioned | undefined, text: string, end = text.length): number {
  return node?.position?.start.offset ?? end;
}
