import { fromMarkdown } from 'mdast-util-from-markdown';
import { toString } from 'mdast-util-to-string';

import { gapIds } from '../../src/contract/spec-gaps.ts';
import type { Choice, Gap, GapId, Inline, Paragraph, Place } from '../../src/contract/spec-gaps.ts';

/** What `SPEC_GAPS.md` says, as data. */
export interface SpecGaps {
  /** The nine points, in the order of the specification. */
  readonly gaps: readonly Gap[];
  readonly choices: readonly Choice[];
  readonly leftOut: readonly Paragraph[];
}

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
} as const satisfies Record<GapId, string>;

/** `SPEC_GAPS.md` is not written the way the pages need it: where, what should stand there and what does. */
export class SpecGapsError extends Error {
  override readonly name = 'SpecGapsError';
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly expected: string;
  readonly found: string;

  constructor(file: string, { line, column }: SourcePoint, expected: string, found: string) {
    super(`${file}:${line}:${column}: expected ${expected}, found ${found}`);
    this.file = file;
    this.line = line;
    this.column = column;
    this.expected = expected;
    this.found = found;
  }
}

/**
 * Reads the text of `SPEC_GAPS.md`. `file` is the name that errors carry.
 *
 * Throws a `SpecGapsError` at the first place where the text is not in the form that its introduction describes.
 */
export function parseSpecGaps(markdown: string, file = 'SPEC_GAPS.md'): SpecGaps {
  const reader = new MarkdownReader(markdown, file);
  reader.heading(1, 'Specification gaps', 'at the top');
  reader.skipTo(2);

  const gaps = gapIds.map((id, index) => parseGap(reader, id, index + 1));

  reader.heading(2, 'Choices made to have something that runs', 'after the nine sections');
  reader.paragraph('an introduction to the choices');
  const choices = reader
    .list('bulleted', 'a bulleted list of choices')
    .map((item) => parseChoice(reader, item));

  reader.heading(2, 'Left out on purpose', 'after the choices');
  const leftOut = reader
    .list('bulleted', 'a bulleted list of what was left out')
    .map((item) => parseItem(reader, item, 'what was left out'));

  reader.end();
  return { gaps, choices, leftOut };
}

/** One of the nine sections, from its heading to the next. */
function parseGap(reader: MarkdownReader, id: GapId, number: number): Gap {
  const title = sectionTitles[id];
  const where = `in section ${number}`;
  reader.heading(2, `${number}. ${title}`, 'of the specification');

  reader.heading(3, 'Status', where);
  const status = reader.words(['open', 'specified'], `the status "open" or "specified" ${where}`);

  reader.heading(3, 'Known', where);
  const known = parseProse(reader, `below "Known" ${where}`);

  reader.heading(3, 'To be answered', where);
  const questions = status === 'open' ? parseQuestions(reader, where) : parseNothing(reader, where);

  reader.heading(3, 'Meanwhile', where);
  const meanwhile = parseProse(reader, `below "Meanwhile" ${where}`);

  reader.heading(3, 'Where it goes', where);
  const items = reader.list('bulleted', `a bulleted list of paths below "Where it goes" ${where}`);
  const places = items.map((item) => parsePlace(reader, item, where));

  return { id, number, title, status, known, questions, meanwhile, places };
}

function parseQuestions(reader: MarkdownReader, where: string): readonly Paragraph[] {
  const items = reader.list('numbered', `a numbered list of questions ${where}, whose status is "open"`);
  return items.map((item) => parseItem(reader, item, `a question ${where}`));
}

function parseNothing(reader: MarkdownReader, where: string): readonly Paragraph[] {
  reader.words(['Nothing.'], `"Nothing." below "To be answered" ${where}, whose status is "specified"`);
  return [];
}

function parseChoice(reader: MarkdownReader, item: ListItem): Choice {
  const { label: name, text } = parseLabelled(
    reader,
    item,
    'strong',
    'a name in bold, a colon and the choice',
  );

  const expected = `a list with the one place where "${name}" is changed`;
  const [, list, more] = item.children;
  if (list === undefined) return reader.fail(expected, item, 'none');
  if (list.type !== 'list') return reader.fail(expected, list);
  if (more !== undefined) reader.fail(`nothing after the place where "${name}" is changed`, more);

  const [only, second] = list.children;
  if (only === undefined || second !== undefined)
    return reader.fail(expected, second ?? list, 'a second place');
  return { name, text, place: parsePlace(reader, only, `where "${name}" is changed`) };
}

/** A list item with a path and what goes there. Whether the path exists is for a test to say. */
function parsePlace(reader: MarkdownReader, item: ListItem, where: string): Place {
  const expected = `a path as code, a colon and what goes there ${where}`;
  const { label: path, text } = parseLabelled(reader, item, 'inlineCode', expected);
  const more = item.children[1];
  if (more !== undefined) reader.fail(`one paragraph for each place ${where}`, more);
  return { path, text };
}

/** A list item's first paragraph, in the form `label: text`, where the label is code or bold. */
function parseLabelled(
  reader: MarkdownReader,
  item: ListItem,
  kind: 'inlineCode' | 'strong',
  expected: string,
): { readonly label: string; readonly text: Paragraph } {
  const [paragraph] = item.children;
  if (paragraph?.type !== 'paragraph') return reader.fail(expected, paragraph ?? item);
  const [label, first, ...rest] = paragraph.children;
  if (label?.type !== kind) return reader.fail(expected, label ?? paragraph);
  if (first?.type !== 'text' || !first.value.startsWith(':'))
    return reader.fail(expected, first ?? label, 'no colon after the label');

  const value = first.value.slice(1).trimStart();
  if (value === '' && rest.length === 0) return reader.fail(expected, first, 'nothing after the colon');
  const spans = value === '' ? rest : [{ ...first, value }, ...rest];
  return { label: toString(label), text: parseParagraph(reader, spans) };
}

/** A list item that is one paragraph and nothing more. */
function parseItem(reader: MarkdownReader, item: ListItem, expected: string): Paragraph {
  const [paragraph, more] = item.children;
  if (paragraph?.type !== 'paragraph') return reader.fail(expected, paragraph ?? item);
  if (more !== undefined) reader.fail(`${expected} in one paragraph`, more);
  return parseParagraph(reader, paragraph.children);
}

/** At least one paragraph, up to the next heading. */
function parseProse(reader: MarkdownReader, where: string): readonly Paragraph[] {
  const paragraphs: Paragraph[] = [];
  do {
    paragraphs.push(parseParagraph(reader, reader.paragraph(`a paragraph ${where}`).children));
  } while (!reader.isAtEndOfPart());
  return paragraphs;
}

/** Prose as the pages can show it without HTML: text and code. Any other markup is an error at its place. */
function parseParagraph(reader: MarkdownReader, spans: readonly Span[]): Paragraph {
  return spans.map((span): Inline => {
    if (span.type === 'text') return joinLines(span.value);
    if (span.type === 'inlineCode') return { code: joinLines(span.value) };
    return reader.fail('plain text or code', span);
  });
}

/** Where a line of the file ends means nothing in Markdown. */
function joinLines(text: string): string {
  return text.split(/\s*\n\s*/u).join(' ');
}

type Block = ReturnType<typeof fromMarkdown>['children'][number];
type ListItem = Extract<Block, { type: 'list' }>['children'][number];
type Span = Extract<Block, { type: 'paragraph' }>['children'][number];

/** A place in a file; line and column count from 1, as editors do. */
interface SourcePoint {
  readonly line: number;
  readonly column: number;
}

/** Reads the blocks of a Markdown file from the top, and fails at the first that is not the expected one. */
class MarkdownReader {
  readonly #file: string;
  readonly #blocks: readonly Block[];
  readonly #end: SourcePoint;
  #next = 0;

  constructor(markdown: string, file: string) {
    const root = fromMarkdown(markdown);
    this.#file = file;
    this.#blocks = root.children;
    this.#end = root.position?.end ?? { line: 1, column: 1 };
  }

  /** Takes the heading of that depth and text; `where` completes the message when it is not there. */
  heading(depth: number, title: string, where: string): void {
    const block = this.#blocks[this.#next];
    if (block?.type !== 'heading' || block.depth !== depth || toString(block) !== title) {
      this.fail(`the heading "${'#'.repeat(depth)} ${title}" ${where}`, block);
    }
    this.#next += 1;
  }

  /** Takes all that stands before the next heading of that depth, unread. */
  skipTo(depth: number): void {
    this.#next = this.#blocks.findIndex(
      (block, index) => index >= this.#next && block.type === 'heading' && block.depth === depth,
    );
    if (this.#next === -1) this.#next = this.#blocks.length;
  }

  /** Takes one paragraph. */
  paragraph(expected: string): Extract<Block, { type: 'paragraph' }> {
    const block = this.#blocks[this.#next];
    if (block?.type !== 'paragraph') this.fail(expected, block);
    this.#next += 1;
    return block;
  }

  /** Takes a paragraph that says one of these and nothing else. */
  words<Text extends string>(allowed: readonly Text[], expected: string): Text {
    const paragraph = this.paragraph(expected);
    const text = toString(paragraph);
    const found = allowed.find((candidate) => candidate === text);
    return found ?? this.fail(expected, paragraph, `"${text}"`);
  }

  /** Takes a list, which in Markdown has at least one item. */
  list(kind: 'numbered' | 'bulleted', expected: string): readonly ListItem[] {
    const block = this.#blocks[this.#next];
    if (block?.type !== 'list' || (block.ordered === true) !== (kind === 'numbered'))
      this.fail(expected, block);
    this.#next += 1;
    return block.children;
  }

  /** Whether a heading or the end of the file comes next. */
  isAtEndOfPart(): boolean {
    const block = this.#blocks[this.#next];
    return block === undefined || block.type === 'heading';
  }

  /** Fails unless everything has been taken. */
  end(): void {
    const block = this.#blocks[this.#next];
    if (block !== undefined) this.fail('the end of the file', block);
  }

  /** Ends the reading with the place of the node, or with the end of the file when there is none. */
  fail(expected: string, node: Block | undefined, found = describeNode(node)): never {
    throw new SpecGapsError(this.#file, node?.position?.start ?? this.#end, expected, found);
  }
}

const names: Partial<Record<Block['type'], string>> = {
  blockquote: 'a quotation',
  break: 'a forced line break',
  code: 'a code block',
  definition: 'a link definition',
  emphasis: 'emphasis',
  html: 'HTML',
  image: 'an image',
  inlineCode: 'code',
  link: 'a link',
  paragraph: 'a paragraph',
  strong: 'bold text',
  text: 'text',
  thematicBreak: 'a rule',
};

/** Names a node the way its writer would. Nothing at all is the end of the file. */
function describeNode(node: Block | undefined): string {
  if (node === undefined) return 'the end of the file';
  if (node.type === 'heading') return `the heading "${'#'.repeat(node.depth)} ${toString(node)}"`;
  if (node.type === 'list') return node.ordered === true ? 'a numbered list' : 'a bulleted list';
  if (node.type === 'listItem') return node.children.length > 0 ? 'a list item' : 'an empty list item';
  return names[node.type] ?? node.type;
}
