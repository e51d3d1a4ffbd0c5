import { toString } from 'mdast-util-to-string';

import { gapIds, plainText, roles } from '../spec-gaps.ts';
import type * as gaps from '../spec-gaps.ts';
import { matchHeadings, type Part, sectionTitles, titleOf } from './headings.ts';
import { openFile, type OpenFile } from './open-file.ts';
import { createReader, type ListItem, questionId, rangeOf, type Span, startOf } from './read-markdown.ts';
import { EXAMPLE, readQuestions, reportStrayAnswers } from './read-questions.ts';

/**
 * Parses the text of `SPEC_GAPS.md`.
 *
 * @param exists returns `true` if the repository has a file or folder at this path
 * @param name the name of the file in errors
 * @throws QuestionnaireError with every problem of the text
 */
export function parseSpecGaps(
  markdown: string,
  exists: (path: string) => boolean,
  name = 'SPEC_GAPS.md',
): gaps.SpecGaps {
  const file = openFile(markdown, name);
  const parts = matchHeadings(file);
  const started = readStart(file, parts.get('start'));
  const start = { ...started, questions: started.questions.map(({ id }) => id) };
  const points = gapIds.map((id, index) => readGap(file, parts, exists, start.questions, id, index + 1));
  const choices = readList(file, parts.get('choices')).map((item) => readChoice(file, item, exists));
  const leftOut = readList(file, parts.get('leftOut')).map((item) => readItem(file, item));

  const questions = points.flatMap((point) => point.questions);
  // After other problems this is not checked, because an unreadable question would be reported twice.
  const checked = file.hasProblems() ? [] : started.questions;
  for (const { id, offset } of checked) {
    if (questions.some((question) => question.id === id)) continue;
    file.report(offset, `There is no question ${id}.`, 'Type the number of a question that exists.');
  }
  file.finish();
  const startProgress = countAnswered(questions.filter(({ isStart }) => isStart));
  const progressByRole = roles.flatMap((role) => {
    const own = questions.filter((question) => question.role === role);
    return own.length > 0 ? [{ role, ...countAnswered(own) }] : [];
  });
  return { start: { ...start, ...startProgress }, progressByRole, gaps: points, choices, leftOut };
}

function readGap(
  file: OpenFile,
  parts: ReadonlyMap<string, Part>,
  exists: (path: string) => boolean,
  startIds: readonly string[],
  id: gaps.GapId,
  number: number,
): gaps.Gap {
  const known = readProse(file, parts.get(`${id}.known`));
  const questions = readNumbered(file, parts.get(`${id}.questions`), startIds, number);
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

/** Reads the questions of one point, and reports gaps in their numbers. */
function readNumbered(
  file: OpenFile,
  part: Part | undefined,
  startIds: readonly string[],
  number: number,
): readonly gaps.Question[] {
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
    const wrong = `Question ${id} is where question ${expected} belongs.`;
    file.report(offset, wrong, `Restore question ${expected}; questions are neither removed nor renumbered.`);
    break;
  }
  return questions.map(({ id, text, role, answer, markdown }) => {
    const isStart = startIds.includes(id);
    return { id, text, role, isStart, answer, markdown };
  });
}

/** Reads the list of questions to start with, and the offset of each. Answers belong below the questions themselves. */
function readStart(file: OpenFile, part: Part | undefined) {
  const intro = readProse(file, part && { ...part, nodes: part.nodes.filter(({ type }) => type !== 'list') });
  const questions: { readonly id: string; readonly offset: number }[] = [];
  for (const item of readList(file, part)) {
    const [paragraph] = item.children;
    const id = paragraph?.type === 'paragraph' ? questionId(paragraph.children[0]) : undefined;
    const offset = startOf(item, file.text);
    if (id === undefined) {
      const instead = 'Type the number of a question in bold, as in - **1.2** The name';
      file.report(offset, 'A question to start with has no number.', instead);
      continue;
    }
    if (questions.some((question) => question.id === id)) {
      file.report(offset, `Question ${id} is in this list twice.`, 'Delete one of the two.');
    } else if (!isTitle(item, file)) {
      const instead = `Type the answer below question ${id}, in its point. A title has one line of at most 6 words.`;
      file.report(offset, 'Answers are not written in this list.', instead);
    }
    questions.push({ id, offset });
  }
  const [, minutes] = /\b(\d+) minutes\b/u.exec(intro.map(plainText).join(' ')) ?? [];
  if (part && minutes === undefined) {
    const wrong = 'The time that these questions take is missing.';
    file.report(startOf(part.nodes[0], file.text), wrong, 'Type it as in "about 50 minutes".');
  }
  return { intro, minutes: Number(minutes), questions };
}

/** Returns `true` if an item is the number of a question and a short title, and not also an answer. */
function isTitle(item: ListItem, { text }: OpenFile): boolean {
  const source = text.slice(...rangeOf(item));
  const [, ...words] = toString(item).trim().split(/\s+/u);
  return !source.includes('\n') && words.length <= 6 && !/answer\s*[:：]/iu.test(source);
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

/** Reads the first paragraph of a list item: a label in bold or as code, a colon and a text. */
function readLabelled(
  file: OpenFile,
  item: ListItem,
  kind: Span['type'],
  example: string,
): readonly [label: string, text: gaps.Paragraph] {
  const [paragraph] = item.children;
  const [label, ...rest] = paragraph?.type === 'paragraph' ? paragraph.children : [];
  const [first = '', ...runs] = createReader(file.text, 0, file.report).inline(rest);
  if (label?.type === kind && typeof first === 'string' && first.startsWith(':')) {
    const text = [first.replace(/^:\s*/u, ''), ...runs].filter((run) => run !== '');
    if (text.length > 0) return [toString(label), text];
  }
  const wrong = 'This item needs a label, a colon and text.';
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

/** Reads the paragraphs of a part. At least one is required. */
function readProse(file: OpenFile, part: Part | undefined): readonly gaps.Paragraph[] {
  if (part === undefined) return [];
  const { inline } = createReader(file.text, 0, file.report);
  const paragraphs = part.nodes.flatMap((node) => (node.type === 'paragraph' ? [inline(node.children)] : []));
  const other = part.nodes.find(({ type }) => type !== 'paragraph');
  if (other)
    file.report(startOf(other, file.text), 'Only paragraphs belong here.', 'Type it as a paragraph.');
  if (part.nodes.length === 0) reportEmpty(file, part, 'a paragraph');
  reportStrayAnswers(file, part.nodes);
  return paragraphs;
}

/** Reads the items of a part's only list. Paragraphs may precede the list. */
function readList(file: OpenFile, part: Part | undefined): readonly ListItem[] {
  if (part === undefined) return [];
  const at = part.nodes.findIndex(({ type }) => type === 'list');
  const list = part.nodes[at];
  if (list?.type !== 'list') {
    reportEmpty(file, part, 'a list');
    return [];
  }
  const other = part.nodes.find(({ type }, index) => index > at || (index < at && type !== 'paragraph'));
  if (other) file.report(startOf(other, file.text), 'This is not part of the list.', 'Delete it.');
  return list.children;
}

function reportEmpty({ report, text }: OpenFile, { heading }: Part, expected: string): void {
  const title = heading ? titleOf(heading) : '';
  report(startOf(heading, text), `There is nothing to read below "${title}".`, `Type ${expected} below it.`);
}
