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

type Block = ReturnType<typeof fromMarkdown>['children'][number];
type ListItem = Extract<Block, { type: 'list' }>['children'][number];
type Span = Extract<Block, { type: 'paragraph' }>['children'][number];

/**
 * Reads the text of `SPEC_GAPS.md`.
 *
 * @param exists whether there is something at a path from the top of the repository
 * @throws an error with the line and the column, counted from 1, of the first place that is malformed
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
    const opening = /^\s*\((owner|designer|engineer)(, start here)?\)\s+(\S.*)$/su.exec(proseOf(rest));
    if (opening === null) return fail(expected, rest[0] ?? label);

    next += 1;
    const [, role, start, prose = ''] = opening;
    const [text, ...answer] = splitAnswer(prose, block);
    for (; next < blocks.length && !isHeading() && !isQuestion(); next += 1) {
      const [first = '', ...more] = paragraphsOf(blocks[next]);
      const [before, ...begun] = answer.length > 0 ? ['', first] : splitAnswer(first, blocks[next]);
      if (before !== '') fail('"Answer:" or the next question', blocks[next]);
      answer.push(...begun, ...more);
    }
    const isStart = start !== undefined;
    return { id, text: toParagraph(text), role: role as gaps.Role, isStart, answer: answer.map(toParagraph) };
  }

  /** What stands before a line that begins with `Answer:`, and what follows if there is such a line. */
  function splitAnswer(prose: string, block: Block | undefined): readonly [string, ...string[]] {
    const [, text = prose, answer] = /^(.*?)(?:^|\n)\s*Answer:(.*)$/su.exec(prose) ?? [];
    if (answer === undefined) return [text];
    return answer.trim() === '' ? fail('the text of an answer', block) : [text, answer];
  }

  /** A block of an answer as paragraphs: its writer may use lists, quotations and code. */
  function paragraphsOf(block: Block | undefined): readonly string[] {
    switch (block?.type) {
      case 'paragraph':
        return [proseOf(block.children)];
      case 'code':
        return [CODE + block.value + CODE];
      case 'blockquote':
        return block.children.flatMap(paragraphsOf);
      case 'list':
        return block.children
          .flatMap((item) => item.children.flatMap(paragraphsOf))
          .map((text) => `• ${text}`);
      default:
        return fail('text, a list, a quotation or code', block);
    }
  }

  function parseChoice(item: ListItem): gaps.Choice {
    const [label, text] = parseLabelled(item, 'strong', 'a name in bold');
    const list = item.children[1];
    if (list?.type !== 'list') return fail(`a list of places where "${label}" is changed`, list ?? item);
    if (item.children.length > 2) fail('nothing after the places', item.children[2]);
    return { name: label, text, places: list.children.map(parsePlace) };
  }

  function parsePlace(item: ListItem): gaps.Place {
    const [path, text] = parseLabelled(item, 'inlineCode', 'a path as code');
    if (item.children.length > 1) fail('one paragraph for each place', item.children[1]);
    if (!exists(path)) fail('a path that exists', item, path);
    return { path, text };
  }

  /** A list item's first paragraph: a label, which is bold or code, a colon and a text. */
  function parseLabelled(item: ListItem, kind: Span['type'], name: string): [string, gaps.Paragraph] {
    const expected = `${name}, a colon and a text`;
    const [paragraph] = item.children;
    const [label, ...rest] = paragraph?.type === 'paragraph' ? paragraph.children : [];
    if (label?.type !== kind) return fail(expected, label ?? item);
    const [, text] = /^:\s*(\S.*)$/su.exec(proseOf(rest)) ?? [];
    return text === undefined ? fail(expected, rest[0] ?? label) : [toString(label), toParagraph(text)];
  }

  function parseItem(item: ListItem): gaps.Paragraph {
    const [paragraph] = item.children;
    if (paragraph?.type !== 'paragraph' || item.children.length > 1) return fail('one paragraph', item);
    return toParagraph(proseOf(paragraph.children));
  }

  /** Takes at least one paragraph, up to the next heading or list. */
  function takeProse(): readonly gaps.Paragraph[] {
    const paragraphs: gaps.Paragraph[] = [];
    for (let block = blocks[next]; block?.type === 'paragraph'; block = blocks[next]) {
      paragraphs.push(toParagraph(proseOf(block.children)));
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

  /** Prose as pages can show it without HTML: emphasis and links become plain text, code stands between two marks. */
  function proseOf(spans: readonly Span[]): string {
    const textOf = (span: Span): string => {
      if (span.type === 'text') return span.value;
      if (span.type === 'inlineCode') return CODE + span.value + CODE;
      if (span.type === 'break') return '\n';
      return 'children' in span ? proseOf(span.children) : fail('text or code', span);
    };
    return spans.map(textOf).join('');
  }

  /** Ends the reading at a node, or at the end of the file when there is none. */
  function fail(expected: string, node: Block | undefined, found?: string): never {
    const [, text] = /^\s*(.*)/u.exec(markdown.slice(node?.position?.start.offset ?? markdown.length)) ?? [];
    const { line, column } = node?.position?.start ?? position?.end ?? { line: 1, column: 1 };
    const what = found ?? (text ? `"${text}"` : 'the end of the file');
    const message = `SPEC_GAPS.md:${line}:${column}: expected ${expected}, found ${what}`;
    // Vite shows an error that has these at its place.
    throw Object.assign(new Error(message), { line, column });
  }
}

/** Marks where code begins and ends in prose. No Markdown file has this character in it. */
const CODE = '\0';

function toParagraph(prose: string): gaps.Paragraph {
  const runs = prose.trim().replaceAll(/\s+/gu, ' ').split(CODE);
  return runs.map((run, index) => (index % 2 === 1 ? { code: run } : run)).filter((run) => run !== '');
}
