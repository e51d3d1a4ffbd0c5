import { fromMarkdown } from 'mdast-util-from-markdown';
import { toString } from 'mdast-util-to-string';

import { gapIds } from '../../src/contract/spec-gaps.ts';
import type * as gaps from '../../src/contract/spec-gaps.ts';

/** The titles of the specification, word for word. They change only when the specification does. */
export const sectionTitles = {
  purpose: 'What the product does and for whom',
  screens: 'Screens and routes',
  entities: 'Entities and their fields',
  states: 'States and transitions',
  validation: 'Validation rules',
  roles: 'Roles and permissions',
  calls: 'The calls it makes',
  errors: 'The error catalogue',
  limits: 'Business constants and limits',
} as const satisfies Record<gaps.GapId, string>;

/** `SPEC_GAPS.md` is not in the form that its introduction describes. Line and column count from 1. */
export class SpecGapsError extends Error {
  override readonly name = 'SpecGapsError';
  readonly line: number;
  readonly column: number;

  constructor({ line, column }: { line: number; column: number }, expected: string, found: string) {
    super(`SPEC_GAPS.md:${line}:${column}: expected ${expected}, found ${found}`);
    this.line = line;
    this.column = column;
  }
}

type Block = ReturnType<typeof fromMarkdown>['children'][number];
type ListItem = Extract<Block, { type: 'list' }>['children'][number];
type Span = Extract<Block, { type: 'paragraph' }>['children'][number];

/**
 * Reads the text of `SPEC_GAPS.md`.
 *
 * @param exists whether there is something at a path from the top of the repository
 * @throws SpecGapsError at the first place that is malformed
 */
export function parseSpecGaps(markdown: string, exists: (path: string) => boolean): gaps.SpecGaps {
  const { children: blocks, position } = fromMarkdown(markdown);
  let next = 0;

  takeHeading(1, 'Specification gaps');
  while (next < blocks.length && !isHeading(2)) next += 1;
  const points = gapIds.map((id, index) => parseGap(id, index + 1));
  takeHeading(2, 'Choices');
  takeProse();
  const choices = takeList().map(parseChoice);
  takeHeading(2, 'Left out on purpose');
  const leftOut = takeList().map(parseItem);
  if (next < blocks.length) fail('the end of the file', blocks[next]);
  return { gaps: points, choices, leftOut };

  function parseGap(id: gaps.GapId, number: number): gaps.Gap {
    const start = blocks[next]?.position?.start.offset;
    const title = sectionTitles[id];
    takeHeading(2, `${number}. ${title}`);
    takeHeading(3, 'Known');
    const known = takeProse();
    takeHeading(3, 'Questions');
    const questions = [takeQuestion(`${number}.1`)];
    while (!isHeading()) questions.push(takeQuestion(`${number}.${questions.length + 1}`));
    takeHeading(3, 'For now');
    const forNow = takeProse();
    takeHeading(3, 'Where it goes');
    const places = takeList().map(parsePlace);

    const answered = questions.filter(({ answer }) => answer.length > 0).length;
    const section = markdown.slice(start, blocks[next]?.position?.start.offset);
    const counts = { answered, total: questions.length };
    return { id, number, title, ...counts, known, questions, forNow, places, markdown: section };
  }

  /** Takes a question and all that stands between it and the next one. */
  function takeQuestion(id: string): gaps.Question {
    const expected = `question ${id}, as in "**${id}** (owner) What is it called?"`;
    const block = blocks[next];
    if (block?.type !== 'paragraph') return fail(expected, block);
    const [label, ...rest] = block.children;
    if (label?.type !== 'strong' || toString(label) !== id) return fail(expected, label);
    const [first = '', ...more] = runsOf(rest);
    const opening = /^\s*\((owner|designer|engineer)(, start here)?\)\s+(?=\S)/u.exec(String(first));
    if (opening === null) return fail(expected, rest[0] ?? label);

    next += 1;
    const [text, ...answer] = splitAnswer([String(first).slice(opening[0].length), ...more], block);
    while (next < blocks.length && !isHeading() && !isQuestion()) {
      const [paragraph = [], ...others] = paragraphsOf(blocks[next]);
      const [before, ...begun] = answer.length > 0 ? [[], paragraph] : splitAnswer(paragraph, blocks[next]);
      if (before.length > 0) fail('"Answer:" or the next question', blocks[next]);
      answer.push(...begun, ...others);
      next += 1;
    }
    const tidied = answer.map(tidy);
    const isStart = opening[2] !== undefined;
    return { id, text: tidy(text), role: opening[1] as gaps.Role, isStart, answer: tidied };
  }

  /** What stands before a line that begins with `Answer:`, and what follows if there is such a line. */
  function splitAnswer(
    runs: gaps.Paragraph,
    block: Block | undefined,
  ): [gaps.Paragraph, ...gaps.Paragraph[]] {
    const pattern = /(?:^|\n)\s*Answer:/u;
    const index = runs.findIndex((run) => typeof run === 'string' && pattern.test(run));
    if (index === -1) return [runs];
    const [before = '', ...after] = String(runs[index]).split(pattern);
    const answer = [after.join(''), ...runs.slice(index + 1)];
    if (tidy(answer).length === 0) fail('the text of an answer', block, 'nothing after "Answer:"');
    return [tidy([...runs.slice(0, index), before]), answer];
  }

  /** A block of an answer as paragraphs: its writer may use lists, quotations and code. */
  function paragraphsOf(block: Block | undefined): readonly gaps.Paragraph[] {
    switch (block?.type) {
      case 'paragraph':
        return [runsOf(block.children)];
      case 'code':
        return [[{ code: block.value }]];
      case 'blockquote':
        return block.children.flatMap(paragraphsOf);
      case 'list':
        return block.children
          .flatMap((item) => item.children.flatMap(paragraphsOf))
          .map((text) => ['• ', ...text]);
      default:
        return fail('text, a list, a quotation or code', block);
    }
  }

  function parseChoice(item: ListItem): gaps.Choice {
    const [label, text] = parseLabelled(item, 'strong');
    const list = item.children[1];
    if (list?.type !== 'list') return fail(`a list of places where "${label}" is changed`, list ?? item);
    if (item.children.length > 2) fail('nothing after the places', item.children[2]);
    return { name: label, text, places: list.children.map(parsePlace) };
  }

  function parsePlace(item: ListItem): gaps.Place {
    const [path, text] = parseLabelled(item, 'inlineCode');
    if (item.children.length > 1) fail('one paragraph for each place', item.children[1]);
    if (!exists(path)) fail('a path that exists', item, path);
    return { path, text };
  }

  /** A list item's first paragraph: a label, which is bold or code, a colon and a text. */
  function parseLabelled(item: ListItem, kind: 'inlineCode' | 'strong'): [string, gaps.Paragraph] {
    const expected =
      kind === 'strong' ? 'a name in bold, a colon and a text' : 'a path as code, a colon and a text';
    const [paragraph] = item.children;
    const [label, ...rest] = paragraph?.type === 'paragraph' ? paragraph.children : [];
    if (label?.type !== kind) return fail(expected, label ?? item);
    const [first = '', ...more] = runsOf(rest);
    const text = tidy([String(first).replace(/^:/u, ''), ...more]);
    if (!String(first).startsWith(':') || text.length === 0) fail(expected, rest[0] ?? label);
    return [toString(label), text];
  }

  function parseItem(item: ListItem): gaps.Paragraph {
    const [paragraph] = item.children;
    if (paragraph?.type !== 'paragraph' || item.children.length > 1) return fail('one paragraph', item);
    return tidy(runsOf(paragraph.children));
  }

  /** Takes at least one paragraph, up to the next heading or list. */
  function takeProse(): readonly gaps.Paragraph[] {
    const paragraphs: gaps.Paragraph[] = [];
    for (let block = blocks[next]; block?.type === 'paragraph'; block = blocks[next]) {
      paragraphs.push(tidy(runsOf(block.children)));
      next += 1;
    }
    return paragraphs.length > 0 ? paragraphs : fail('a paragraph', blocks[next]);
  }

  function takeList(): readonly ListItem[] {
    const block = blocks[next];
    if (block?.type !== 'list') return fail('a list', block);
    next += 1;
    return block.children;
  }

  function takeHeading(depth: number, title: string): void {
    const block = blocks[next];
    const isIt = isHeading(depth) && block !== undefined && toString(block) === title;
    if (!isIt) fail(`the heading "${'#'.repeat(depth)} ${title}"`, block);
    next += 1;
  }

  function isHeading(depth?: number): boolean {
    const block = blocks[next];
    return block?.type === 'heading' && (depth === undefined || block.depth === depth);
  }

  function isQuestion(): boolean {
    const block = blocks[next];
    const [label] = block?.type === 'paragraph' ? block.children : [];
    return label?.type === 'strong' && /^\d+\.\d+$/u.test(toString(label));
  }

  /** Prose as pages can show it without HTML: emphasis and links become plain text. Line ends are still in it. */
  function runsOf(spans: readonly Span[]): gaps.Inline[] {
    return spans.flatMap((span): gaps.Inline[] => {
      if (span.type === 'text') return [span.value];
      if (span.type === 'inlineCode') return [{ code: span.value }];
      if (span.type === 'break') return ['\n'];
      return 'children' in span ? runsOf(span.children) : fail('text or code', span);
    });
  }

  /** Ends the reading at a node, or at the end of the file when there is none. */
  function fail(expected: string, node: Block | undefined, found?: string): never {
    const [, line] = /^\s*(.*)/u.exec(markdown.slice(node?.position?.start.offset ?? markdown.length)) ?? [];
    const place = node?.position?.start ?? position?.end ?? { line: 1, column: 1 };
    throw new SpecGapsError(place, expected, found ?? (line ? `"${line}"` : 'the end of the file'));
  }
}

/** Joins lines and neighbouring texts, and drops the space around all. Empty when nothing is left. */
function tidy(runs: gaps.Paragraph): gaps.Paragraph {
  const joined: gaps.Inline[] = [];
  for (const run of runs) {
    const last = joined.at(-1);
    if (typeof run !== 'string') joined.push({ code: run.code });
    else if (typeof last === 'string') joined[joined.length - 1] = last + run;
    else joined.push(run);
  }
  const texts = joined.map((run, index) => {
    if (typeof run !== 'string') return run;
    const text = run.replaceAll(/\s+/gu, ' ');
    const begun = index === 0 ? text.trimStart() : text;
    return index === joined.length - 1 ? begun.trimEnd() : begun;
  });
  return texts.filter((run) => run !== '');
}
