import { toString } from 'mdast-util-to-string';

import { gapIds, plainText, roles } from '../../src/contract/spec-gaps.ts';
import type * as gaps from '../../src/contract/spec-gaps.ts';
import { CommandError } from '../command.ts';
import {
  createReader,
  type ListItem,
  type Node,
  parseMarkdown,
  questionId,
  reportBoldNumber,
  type Report,
  type Span,
} from './read-markdown.ts';

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

/** Something in a questionnaire that must change before it is accepted. */
export interface Problem {
  /** From 1. */
  readonly line: number;
  /** From 1, in characters. */
  readonly column: number;
  readonly wrong: string;
  /** What to type instead. */
  readonly instead: string;
}

/** Everything that is wrong with a questionnaire: two lines for each problem, the first with its place. */
export class QuestionnaireError extends CommandError {
  override readonly name = 'QuestionnaireError';
  readonly problems: readonly Problem[];

  constructor(file: string, problems: readonly Problem[]) {
    const lines = problems.map(
      ({ line, column, wrong, instead }) => `${file}:${line}:${column}: ${wrong}\n    ${instead}`,
    );
    super(lines.join('\n'));
    this.problems = problems;
  }
}

/** A question, with the two parts of its Markdown. */
export interface WrittenQuestion extends gaps.Question {
  readonly asked: string;
  /** From its label on; empty if there is no label. */
  readonly answered: string;
  /** Where it begins in the file. */
  readonly offset: number;
}

/**
 * Reads the text of `SPEC_GAPS.md`.
 *
 * @param exists whether there is a file or folder at a path from the top of the repository
 * @throws QuestionnaireError with all that is malformed, and `name` as the name of the file
 */
export function parseSpecGaps(
  markdown: string,
  exists: (path: string) => boolean,
  name = 'SPEC_GAPS.md',
): gaps.SpecGaps {
  const file = openFile(markdown, name);
  const parts = matchHeadings(file);
  const points = gapIds.map((id, index) => readGap(file, parts, exists, id, index + 1));
  const start = readStart(
    file,
    parts.get('start'),
    points.flatMap((point) => point.questions),
  );
  const choices = readList(file, parts.get('choices')).map((item) => readChoice(file, item, exists));
  const leftOut = readList(file, parts.get('leftOut')).map((item) => readItem(file, item));
  file.finish();

  const isStart = ({ id }: gaps.Question): boolean => start.questions.includes(id);
  const withStart = points.map((point) => ({
    ...point,
    questions: point.questions.map((question) => ({ ...question, isStart: isStart(question) })),
  }));
  const questions = withStart.flatMap((point) => point.questions);
  return {
    start: { ...start, ...countAnswered(questions.filter(isStart)) },
    progressByRole: roles
      .map((role) => ({ role, ...countAnswered(questions.filter((question) => question.role === role)) }))
      .filter(({ total }) => total > 0),
    gaps: withStart,
    choices,
    leftOut,
  };
}

/**
 * Reads the questions of a file that may hold only some of the questionnaire, as the extension copies them. Any other
 * text is ignored.
 *
 * @throws QuestionnaireError with all that is malformed, and `name` as the name of the file
 */
export function parseQuestions(markdown: string, name: string): readonly WrittenQuestion[] {
  const file = openFile(markdown, name);
  const questions: WrittenQuestion[] = [];
  for (const { heading, nodes, end } of splitByHeading(file)) {
    const isKnown =
      heading === undefined || expectedHeadings.some((expected) => isHeading(heading, expected));
    if (!isKnown && questions.length > 0) reportHeading(file, heading);
    questions.push(...readQuestions(file, nodes, end));
  }
  if (questions.length === 0)
    file.report(0, 'There is no question in this file.', `A question is ${EXAMPLE}`);
  file.finish();
  return questions;
}

const EXAMPLE = '**1.2** (owner) What is it called?';

/** A questionnaire while it is read. */
interface OpenFile {
  readonly text: string;
  readonly nodes: readonly Node[];
  readonly report: Report;
  /** Throws if something was reported. */
  readonly finish: () => void;
}

function openFile(markdown: string, name: string): OpenFile {
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

  const unreadable = text.search(/[\u0000\uFFFD]/u);
  if (unreadable !== -1) report(unreadable, 'This character cannot be read.', 'Save the file as UTF-8 text.');
  const nodes = parseMarkdown(text);
  for (const node of nodes) {
    if (node.type === 'code' && isOpenCode(text.slice(...rangeOf(node)))) {
      report(
        rangeOf(node)[0],
        'This block of code does not end.',
        'Type ``` on a line of its own below the code.',
      );
    }
  }
  // Both make the rest of the file unreadable.
  finish();
  return { text, nodes, report, finish };
}

/** Whether a fence is not closed, or closed only by that of another answer. */
function isOpenCode(source: string): boolean {
  const [fence = ''] = /^(?:`{3,}|~{3,})/u.exec(source) ?? [];
  const isClosed = new RegExp(`[\\r\\n][ \\t]*${fence}[\`~]*[ \\t]*$`, 'u').test(source);
  return !isClosed || /[\r\n]\*\*\d+\.\d+\*\* \(/u.test(source);
}

type Heading = Extract<Node, { type: 'heading' }>;

/** A heading and all that stands below it, up to the next heading. */
interface Part {
  /** `undefined` for the text before the first heading. */
  readonly heading: Heading | undefined;
  readonly nodes: readonly Node[];
  readonly end: number;
}

function splitByHeading({ nodes, text }: OpenFile): readonly Part[] {
  const starts = [0, ...nodes.flatMap((node, index) => (node.type === 'heading' ? [index] : []))];
  return starts.flatMap((from, index): readonly Part[] => {
    const to = starts[index + 1] ?? nodes.length;
    const [first, ...rest] = nodes.slice(from, to);
    const end = startOf(nodes[to], text);
    if (first?.type === 'heading') return [{ heading: first, nodes: rest, end }];
    return first === undefined ? [] : [{ heading: undefined, nodes: [first, ...rest], end }];
  });
}

interface ExpectedHeading {
  /** Names the part: `start`, `purpose`, `purpose.questions`. */
  readonly key: string;
  readonly depth: number;
  readonly title: string;
}

const gapParts = { known: 'Known', questions: 'Questions', forNow: 'For now', places: 'Where it goes' };

/** All headings of the questionnaire, in order. */
const expectedHeadings: readonly ExpectedHeading[] = [
  { key: 'title', depth: 1, title: 'Specification gaps' },
  { key: 'start', depth: 2, title: 'Start here' },
  ...gapIds.flatMap((id, index) => [
    { key: id, depth: 2, title: `${index + 1}. ${sectionTitles[id]}` },
    ...Object.entries(gapParts).map(([part, title]) => ({ key: `${id}.${part}`, depth: 3, title })),
  ]),
  { key: 'choices', depth: 2, title: 'Choices' },
  { key: 'leftOut', depth: 2, title: 'Left out on purpose' },
];

function isHeading(heading: Heading, { depth, title }: ExpectedHeading): boolean {
  return heading.depth === depth && titleOf(heading) === title;
}

/** Without the anchor that word processors add: `Choices {#choices}`. */
function titleOf(heading: Heading): string {
  return toString(heading)
    .replace(/\{#[^}]*\}\s*$/u, '')
    .trim()
    .replaceAll(/\s+/gu, ' ');
}

/** The parts of the file by key. Reports headings that are missing, misspelt or too many. */
function matchHeadings(file: OpenFile): ReadonlyMap<string, Part> {
  const found = new Map<string, Part>();
  const parts = splitByHeading(file);
  let next = 0;
  let current = '';

  for (const [index, part] of parts.entries()) {
    const { heading } = part;
    const match = heading
      ? expectedHeadings.findIndex((expected, at) => at >= next && isHeading(heading, expected))
      : -1;
    const expected = expectedHeadings[next];
    if (match >= 0) {
      reportMissing(next, match, heading);
      take(match, part);
    } else if (heading && expected && expected.depth === heading.depth && !comesLater(index, expected)) {
      const wrong = `The heading "${titleOf(heading)}" is not the one that belongs here.`;
      file.report(startOf(heading, file.text), wrong, `Type ${markOf(expected)}`);
      take(next, part);
    } else {
      if (heading) reportHeading(file, heading);
      else if (index === 0) reportMissing(0, 1, part.nodes[0]);
      const before = found.get(current);
      if (before) found.set(current, { ...before, nodes: [...before.nodes, ...part.nodes], end: part.end });
    }
  }
  reportMissing(next, expectedHeadings.length, undefined);
  return found;

  function take(at: number, part: Part): void {
    current = expectedHeadings[at]?.key ?? '';
    found.set(current, part);
    next = at + 1;
  }

  function comesLater(index: number, expected: ExpectedHeading): boolean {
    return parts.slice(index + 1).some(({ heading }) => heading && isHeading(heading, expected));
  }

  /** Of a point that is missing as a whole, only its own heading is named. */
  function reportMissing(from: number, to: number, before: Node | undefined): void {
    const missing = expectedHeadings.slice(from, to);
    const highest = Math.min(...missing.map(({ depth }) => depth));
    const named = missing.filter(({ depth }) => depth === highest).map(markOf);
    if (named.length === 0) return;
    const instead = `Type ${named.join(' and ')} above this line, with the text that belongs below it.`;
    file.report(startOf(before, file.text), `A heading is missing: ${named.join(', ')}`, instead);
  }
}

function markOf({ depth, title }: ExpectedHeading): string {
  return `"${'#'.repeat(depth)} ${title}"`;
}

function reportHeading({ report, text }: OpenFile, heading: Heading | undefined): void {
  const title = heading ? titleOf(heading) : '';
  const wrong = `The heading "${title}" is not part of the questionnaire, and an answer has no headings.`;
  report(startOf(heading, text), wrong, `In an answer, type it in bold: **${title}**`);
}

function readGap(
  file: OpenFile,
  parts: ReadonlyMap<string, Part>,
  exists: (path: string) => boolean,
  id: gaps.GapId,
  number: number,
): gaps.Gap {
  const known = readProse(file, parts.get(`${id}.known`));
  const questions = readNumbered(file, parts.get(`${id}.questions`), number);
  const forNow = readProse(file, parts.get(`${id}.forNow`));
  const places = readList(file, parts.get(`${id}.places`)).map((item) => readPlace(file, item, exists));
  const start = startOf(parts.get(id)?.heading, file.text);
  const markdown = file.text.slice(start, parts.get(`${id}.places`)?.end);
  const progress = countAnswered(questions);
  return { id, number, title: sectionTitles[id], ...progress, known, questions, forNow, places, markdown };
}

function countAnswered(questions: readonly gaps.Question[]): gaps.Progress {
  return {
    answered: questions.filter(({ answer }) => answer.length > 0).length,
    total: questions.length,
  };
}

/** The questions of one point, which are numbered without a gap. */
function readNumbered(file: OpenFile, part: Part | undefined, number: number): readonly gaps.Question[] {
  if (part === undefined) return [];
  const questions = readQuestions(file, part.nodes, part.end);
  const [first] = part.nodes;
  if (questions.length === 0 || startOf(first, file.text) !== questions[0]?.offset) {
    const wrong = `Point ${number} does not begin with a question.`;
    file.report(startOf(first ?? part.heading, file.text), wrong, `Type a question first, as in ${EXAMPLE}`);
  }
  for (const [index, { id, offset }] of questions.entries()) {
    const expected = `${number}.${index + 1}`;
    if (id === expected) continue;
    const wrong = `Question ${id} stands where question ${expected} belongs.`;
    file.report(offset, wrong, `Restore question ${expected}; questions are neither removed nor renumbered.`);
    break;
  }
  return questions.map(({ asked: _asked, answered: _answered, offset: _offset, ...question }) => question);
}

const LABEL = String.raw`[\s\p{Cf}]*[*_]{0,3}answer[*_]{0,3}\s?[*_]{0,3}\\?[:：][*_]{0,3}`;
/** At the start of a line. */
const LINE_LABEL = new RegExp(`(?<=^|[\\r\\n])${LABEL}`, 'iu');
/** Right after a question. In small letters it would be a part of the sentence. */
const INLINE_LABEL = new RegExp(`(?<=\\?[*_]{0,3})${LABEL.replace('answer', 'Answer')}`, 'u');
/** A question whose number has lost its asterisks, or has escaped ones. */
const PLAIN_QUESTION = /^[\\*_\s]*(\d+\\?\.\d+)[\\*_\s]*\\?\((?:owner|designer|engineer|legal)\\?\)\s*/iu;

/** Text that says that there is no answer yet. */
const PLACEHOLDER = /^(?:tb[acd]|to ?do|to be [a-z]+|[\s?.…_–—-]+)[\s.!?]*$/iu;

/** Reads the questions among these nodes; what stands before the first one is ignored. */
function readQuestions(file: OpenFile, nodes: readonly Node[], end: number): readonly WrittenQuestion[] {
  const starts: number[] = [];
  let last: string | undefined;
  for (const [index, node] of nodes.entries()) {
    if (node.type !== 'paragraph') continue;
    const [label] = node.children;
    const id = questionId(label);
    const rest = file.text.slice(label && rangeOf(label)[1], rangeOf(node)[1]);
    const isNext = id !== undefined && (last === undefined || id === followerOf(last));
    const isPlain = id === undefined && PLAIN_QUESTION.test(file.text.slice(...rangeOf(node)));
    if (!isNext && !isPlain && !(id && /^\s*\\?\(/u.test(rest))) continue;
    starts.push(index);
    last = id ?? (last && followerOf(last));
  }
  return starts.map((from, index) => {
    const to = starts[index + 1] ?? nodes.length;
    return readQuestion(file, nodes.slice(from, to), startOf(nodes[to], file.text, end));
  });
}

function followerOf(id: string): string {
  const [point, number] = id.split('.');
  return `${point}.${Number(number) + 1}`;
}

/** Reads a question and all that stands between it and the next one. */
function readQuestion(file: OpenFile, nodes: readonly Node[], end: number): WrittenQuestion {
  const { text, report } = file;
  const [paragraph, second] = nodes;
  const [start, paragraphEnd] = rangeOf(paragraph);
  const { id, role, body } = readOpening(file, paragraph);

  const source = text.slice(body, paragraphEnd);
  const label = LINE_LABEL.exec(source) ?? INLINE_LABEL.exec(source);
  const askedEnd = label ? body + label.index : paragraphEnd;
  const asked = text.slice(body, askedEnd).trimEnd();
  const mark = asked.lastIndexOf('?');
  if (mark === -1) {
    report(body, `Question ${id} does not end with a question mark.`, 'Type ? at the end of the question.');
  } else if (!/^\?[)"'”’*_]*$/u.test(asked.slice(mark))) {
    const after = mark + 1 + (/^[\s*_]*/u.exec(asked.slice(mark + 1))?.[0].length ?? 0);
    reportUnmarked(body + after);
  }

  const below = second && LINE_LABEL.exec(text.slice(...rangeOf(second)));
  const isBelow = second?.type === 'paragraph' && below?.index === 0;
  let from: number | undefined;
  let labelStart = end;
  if (label) [labelStart, from] = [askedEnd, askedEnd + label[0].length];
  else if (isBelow) [labelStart, from] = [rangeOf(second)[0], rangeOf(second)[0] + below[0].length];
  else if (second) reportUnmarked(rangeOf(second)[0]);

  const question = readFragment(file, body, askedEnd)[0];
  return {
    id,
    text: question?.type === 'paragraph' ? question.text : [],
    role,
    isStart: false,
    answer: from === undefined ? [] : readAnswer(file, id, from, end),
    markdown: text.slice(start, end).trimEnd(),
    asked: text.slice(start, askedEnd).trimEnd(),
    answered: text.slice(labelStart, end).trim(),
    offset: start,
  };

  function reportUnmarked(offset: number): void {
    const wrong = `This text stands below question ${id} without being marked as its answer.`;
    report(offset, wrong, 'Begin the answer with "Answer:", at the start of a line.');
  }
}

interface Opening {
  readonly id: string;
  readonly role: gaps.Role;
  /** Where the question's own words begin. */
  readonly body: number;
}

/** Reads the number of a question and who can answer it. */
function readOpening({ text, report }: OpenFile, paragraph: Node | undefined): Opening {
  const [start, end] = rangeOf(paragraph);
  const label = paragraph?.type === 'paragraph' ? paragraph.children[0] : undefined;
  const id = questionId(label);
  if (label === undefined || id === undefined) {
    const [opening = '', plain = ''] = PLAIN_QUESTION.exec(text.slice(start, end)) ?? [];
    const number = plain.replace('\\', '');
    const wrong = `The number of question ${number} is not in bold.`;
    report(start, wrong, `Type **${number}**, with two asterisks on each side and no backslash.`);
    return { id: number, role: 'owner', body: start + opening.length };
  }

  const labelEnd = rangeOf(label)[1];
  const [opening = '', written] = /^\s*\\?\(([^()]*)\)\s*/u.exec(text.slice(labelEnd, end)) ?? [];
  const role = roles.find((each) => each === written?.replace('\\', '').trim());
  if (role === undefined) {
    const wrong =
      written === undefined ? 'does not say who can answer it' : `has the unknown role "${written}"`;
    const instead = `Type one of ${roles.map((each) => `(${each})`).join(', ')} after **${id}**`;
    if (written === undefined) reportBoldNumber(start, id, report);
    else report(labelEnd, `Question ${id} ${wrong}.`, instead);
  }
  return { id, role: role ?? 'owner', body: labelEnd + opening.length };
}

/** Reads the text between a label and the next question; empty if it only says that there is no answer yet. */
function readAnswer(file: OpenFile, id: string, from: number, to: number): readonly gaps.Block[] {
  const [paragraph, ...more] = readFragment(file, from, to, (offset) => {
    const wrong = `Question ${id} has a second "Answer:".`;
    file.report(offset, wrong, 'Delete the second "Answer:"; paragraphs below the first one belong to it.');
  });
  if (paragraph?.type !== 'paragraph' || more.length > 0) return paragraph ? [paragraph, ...more] : [];
  return PLACEHOLDER.test(plainText(paragraph.text)) ? [] : [paragraph];
}

/** Reads a piece of the file by itself. It may begin in the middle of a line, which then is text. */
function readFragment(
  file: OpenFile,
  from: number,
  to: number,
  onLabel: (offset: number) => void = () => {},
): readonly gaps.Block[] {
  const source = file.text.slice(from, to);
  const isMidLine = /^[^\S\r\n]*\S/u.test(source);
  // A mark before it, so that "> 5" is not a quotation. It is removed again below.
  const markdown = isMidLine ? `:${source}` : source;
  const base = isMidLine ? from - 1 : from;
  const nodes = parseMarkdown(markdown);
  for (const node of nodes) {
    const [start, end] = rangeOf(node);
    const label = node.type === 'paragraph' && LINE_LABEL.exec(markdown.slice(start, end));
    if (label) onLabel(base + start + label.index);
  }

  const [first, ...rest] = createReader(markdown, base, file.report).blocks(nodes);
  if (first === undefined) return [];
  if (!isMidLine || first.type !== 'paragraph') return [first, ...rest];
  const [run, ...runs] = first.text;
  const opening = typeof run === 'string' ? run.replace(/^:\s*/u, '') : run;
  const text = [opening, ...runs].filter((each) => each !== undefined && each !== '');
  return text.length === 0 ? rest : [{ type: 'paragraph', text: text as gaps.Paragraph }, ...rest];
}

/** The questions to start with. Their answers are written below the questions themselves. */
function readStart(
  file: OpenFile,
  part: Part | undefined,
  questions: readonly gaps.Question[],
): Omit<gaps.Start, 'answered' | 'total'> {
  const intro = readProse(file, part && { ...part, nodes: part.nodes.filter(({ type }) => type !== 'list') });
  const items = readList(file, part);
  const ids: string[] = [];
  for (const item of items) {
    const [paragraph] = item.children;
    const id = paragraph?.type === 'paragraph' ? questionId(paragraph.children[0]) : undefined;
    const offset = startOf(item, file.text);
    if (id === undefined || !questions.some((question) => question.id === id)) {
      const wrong =
        id === undefined ? 'A question to start with has no number.' : `There is no question ${id}.`;
      file.report(offset, wrong, 'Type the number of a question in bold, as in - **1.2** The name');
    } else if (ids.includes(id)) {
      file.report(offset, `Question ${id} stands twice in this list.`, 'Delete one of the two.');
    } else if (item.children.length > 1 || /answer\s*[:：]/iu.test(toString(item))) {
      const wrong = 'Answers are not written in this list.';
      file.report(offset, wrong, `Type the answer below question ${id} in its point.`);
    }
    if (id) ids.push(id);
  }
  const [, minutes] = /\b(\d+) minutes\b/u.exec(intro.map(plainText).join(' ')) ?? [];
  if (part && minutes === undefined) {
    const wrong = 'The time that these questions take is missing.';
    file.report(startOf(part.nodes[0], file.text), wrong, 'Type it as in "about 60 minutes".');
  }
  return { intro, minutes: Number(minutes), questions: ids };
}

function readChoice(file: OpenFile, item: ListItem, exists: (path: string) => boolean): gaps.Choice {
  const [name, text] = readLabelled(file, item, 'strong', '- **Name**: The choice.');
  const list = item.children[1];
  const places = list?.type === 'list' && item.children.length === 2 ? list.children : [];
  if (places.length === 0) {
    const wrong = `The choice "${name}" does not end with the places where it is changed.`;
    file.report(
      startOf(list ?? item, file.text),
      wrong,
      'Type a list of paths below it, and nothing after that.',
    );
  }
  return { name, text, places: places.map((place) => readPlace(file, place, exists)) };
}

function readPlace(file: OpenFile, item: ListItem, exists: (path: string) => boolean): gaps.Place {
  const [path, text] = readLabelled(file, item, 'inlineCode', '- `manifest.json`: What is there.');
  if (item.children.length > 1) reportLong(file, item);
  if (path !== '' && !exists(path)) {
    file.report(startOf(item, file.text), `There is nothing at ${path}`, 'Type a path that exists.');
  }
  return { path, text };
}

/** A list item's first paragraph: a label in bold or as code, a colon and a text. */
function readLabelled(
  file: OpenFile,
  item: ListItem,
  kind: Span['type'],
  example: string,
): readonly [label: string, text: gaps.Paragraph] {
  const [paragraph] = item.children;
  const [label, ...rest] = paragraph?.type === 'paragraph' ? paragraph.children : [];
  const [first = '', ...runs] = createReader(file.text, 0, file.report).inline(rest);
  if (label?.type === kind && typeof first === 'string' && /^:\s*\S|^:\s*$/u.test(first)) {
    const text = [first.replace(/^:\s*/u, ''), ...runs].filter((run) => run !== '');
    if (text.length > 0) return [toString(label), text];
  }
  const wrong = 'This item does not have a label, a colon and a text.';
  file.report(startOf(item, file.text), wrong, `Type it as in ${example}`);
  return ['', []];
}

function readItem(file: OpenFile, item: ListItem): gaps.Paragraph {
  const [paragraph] = item.children;
  if (paragraph?.type !== 'paragraph' || item.children.length > 1) reportLong(file, item);
  return paragraph?.type === 'paragraph'
    ? createReader(file.text, 0, file.report).inline(paragraph.children)
    : [];
}

function reportLong({ report, text }: OpenFile, item: ListItem): void {
  report(startOf(item, text), 'This item is more than one paragraph.', 'Type one paragraph for each item.');
}

/** Paragraphs, at least one. */
function readProse(file: OpenFile, part: Part | undefined): readonly gaps.Paragraph[] {
  if (part === undefined) return [];
  const { inline } = createReader(file.text, 0, file.report);
  const paragraphs = part.nodes.flatMap((node) => (node.type === 'paragraph' ? [inline(node.children)] : []));
  const other = part.nodes.find(({ type }) => type !== 'paragraph');
  if (other)
    file.report(startOf(other, file.text), 'Only paragraphs belong here.', 'Type it as a paragraph.');
  if (part.nodes.length === 0) reportEmpty(file, part, 'a paragraph');
  return paragraphs;
}

/** The items of the only list of a part, which paragraphs may introduce. */
function readList(file: OpenFile, part: Part | undefined): readonly ListItem[] {
  if (part === undefined) return [];
  const at = part.nodes.findIndex(({ type }) => type === 'list');
  const list = part.nodes[at];
  if (list?.type !== 'list') {
    reportEmpty(file, part, 'a list');
    return [];
  }
  const other = part.nodes.find(({ type }, index) => index > at || (index < at && type !== 'paragraph'));
  if (other) file.report(startOf(other, file.text), 'This does not belong to the list.', 'Delete it.');
  return list.children;
}

function reportEmpty({ report, text }: OpenFile, { heading }: Part, expected: string): void {
  const title = heading ? titleOf(heading) : '';
  report(startOf(heading, text), `There is nothing to read below "${title}".`, `Type ${expected} below it.`);
}

type Positioned = Pick<Node | ListItem | Span, 'position'>;

/** Where a node begins and ends in what it was parsed from. */
function rangeOf(node: Positioned | undefined): readonly [start: number, end: number] {
  return [node?.position?.start.offset ?? 0, node?.position?.end.offset ?? 0];
}

/** Where a node begins, or the end of the file if there is no node. */
function startOf(node: Positioned | undefined, text: string, end = text.length): number {
  return node?.position?.start.offset ?? end;
}
