import { answerText, roles } from '../spec-gaps.ts';
import type * as gaps from '../spec-gaps.ts';
import { expectedHeadings, isHeading, reportHeading, splitByHeading } from './headings.ts';
import { openFile, type OpenFile } from './open-file.ts';
import {
  createReader,
  type Node,
  parseMarkdown,
  questionId,
  rangeOf,
  type Report,
  reportBoldNumber,
  startOf,
} from './read-markdown.ts';

/** A question, and the two parts of its Markdown. */
export interface WrittenQuestion extends Omit<gaps.Question, 'isStart'> {
  /** The question itself, from its number on. */
  readonly asked: string;
  /** The answer with its label. Empty if nothing is written after the label. */
  readonly answered: string;
  /** Offset in the file. */
  readonly offset: number;
}

/** Example of a question, for messages. */
export const EXAMPLE = '**1.2** (owner) What is it called?';

/**
 * Reads the questions of a file. The file may have only a part of the questionnaire, as copied from the extension. Other
 * text is ignored.
 *
 * @param name the name of the file in errors
 * @param check reports further problems of a question
 * @throws QuestionnaireError with every problem of the questions
 */
export function parseQuestions(
  markdown: string,
  name: string,
  check: (question: WrittenQuestion, report: Report) => void = () => {},
): readonly WrittenQuestion[] {
  const file = openFile(markdown, name);
  const questions: WrittenQuestion[] = [];
  for (const { heading, nodes, end } of splitByHeading(file)) {
    const below = readQuestions(file, nodes, end);
    const continuesAnswer = questions.length > 0 && below[0]?.offset !== startOf(nodes[0], file.text);
    const isKnown = heading && expectedHeadings.some((expected) => isHeading(heading, expected));
    if (continuesAnswer && !isKnown) reportHeading(file, heading);
    questions.push(...below);
  }
  if (questions.length === 0)
    file.report(
      0,
      'There is no question in this file.',
      `A question begins a line with its number in bold, as in ${EXAMPLE}`,
    );
  const ids = questions.map(({ id }) => id);
  for (const [index, question] of questions.entries()) {
    const { id, offset } = question;
    const isFirst = ids.indexOf(id) === index;
    if (!isFirst) file.report(offset, `Question ${id} is in this file twice.`, 'Delete one of the two.');
    check(question, file.report);
  }
  file.finish();
  return questions;
}

/** Returns `true` if a file has the first and the last heading of the questionnaire, and not only some questions. */
export function isWhole(markdown: string, name: string): boolean {
  const headings = splitByHeading(openFile(markdown, name)).map(({ heading }) => heading);
  return [expectedHeadings[0], expectedHeadings.at(-1)].every((expected) =>
    headings.some((heading) => heading && expected && isHeading(heading, expected)),
  );
}

const LABEL = String.raw`[\s\p{Cf}]*[*_]{0,3}answer[*_]{0,3}\s?[*_]{0,3}\\?[:：][*_]{0,3}`;
/** Matches the label of an answer at the start of a line. */
const LINE_LABEL = new RegExp(`(?<=^|[\\r\\n])${LABEL}`, 'iu');
/** Matches a label right after a question. It must be capitalized, or it may be a part of the sentence. */
const INLINE_LABEL = new RegExp(`(?<=\\?[*_]{0,3})${LABEL.replace('answer', 'Answer')}`, 'u');
/** Matches a question whose number is not in bold, or has escaped asterisks. */
const PLAIN_QUESTION = new RegExp(
  String.raw`^[\\*_\s]*(\d+\\?\.\d+)[\\*_\s]*\\?\((?:${roles.join('|')})\\?\)\s*`,
  'iu',
);

/** Matches a placeholder for a missing answer, such as "TBD by Friday", "to be decided", "I don't know yet.", "?" and "…". */
const PLACEHOLDER =
  /^(?:tb[acd]\b.*|(?:todo|later|no idea|unknown|(?:i )?(?:don['’]t know|am not sure)(?: yet)?|not sure(?: yet)?|to be [a-z]+)[\s.!]*|[\s?.…_–—-]*)$/isu;

/** Reports labels of answers in nodes that are not below a question. */
export function reportStrayAnswers({ text, report }: OpenFile, nodes: readonly Node[]): void {
  for (const node of nodes) {
    const [start, end] = rangeOf(node);
    const label = LINE_LABEL.exec(text.slice(start, end));
    if (label === null) continue;
    const instead = 'Move it below the question that it answers.';
    report(start + label.index, 'This answer is not below a question.', instead);
  }
}

/** Reads the questions in these nodes. Text before the first question is ignored, but an answer there is reported. */
export function readQuestions(
  file: OpenFile,
  nodes: readonly Node[],
  end: number,
): readonly WrittenQuestion[] {
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
  reportStrayAnswers(file, nodes.slice(0, starts[0]));
  return starts.map((from, index) => {
    const to = starts[index + 1] ?? nodes.length;
    return readQuestion(file, nodes.slice(from, to), startOf(nodes[to], file.text, end));
  });
}

function followerOf(id: string): string {
  const [point, number] = id.split('.');
  return `${point}.${Number(number) + 1}`;
}

/** Reads a question and the text between it and the next one. */
function readQuestion(file: OpenFile, nodes: readonly Node[], end: number): WrittenQuestion {
  const { text, report } = file;
  const [paragraph, second] = nodes;
  const [start, paragraphEnd] = rangeOf(paragraph);
  const { id, role, body } = readOpening(file, paragraph);

  function reportUnmarked(offset: number): void {
    const wrong = `This text below question ${id} is not marked as its answer.`;
    report(offset, wrong, 'Begin the answer with "Answer:", at the start of a line.');
  }

  const source = text.slice(body, paragraphEnd);
  const label = LINE_LABEL.exec(source) ?? INLINE_LABEL.exec(source);
  const askedEnd = body + (label?.index ?? source.length);
  const sentence = text.slice(body, askedEnd).trimEnd();
  const mark = sentence.lastIndexOf('?');
  if (mark === -1) {
    report(body, `Question ${id} does not end with a question mark.`, 'Type ? at the end of the question.');
  } else if (!/^\?[)"'”’*_]*$/u.test(sentence.slice(mark))) {
    const after = mark + 1 + (/^[\s*_]*/u.exec(sentence.slice(mark + 1))?.[0].length ?? 0);
    reportUnmarked(body + after);
  }

  const below = second?.type === 'paragraph' ? text.slice(...rangeOf(second)) : '';
  const labelBelow = label ? undefined : (LINE_LABEL.exec(below) ?? undefined);
  const isBelow = labelBelow?.index === 0;
  const answerStart = label ? askedEnd : startOf(second, text, end);
  const answerLabel = label?.[0] ?? (isBelow ? labelBelow[0] : undefined);
  if (answerLabel === undefined && second) {
    reportUnmarked(answerStart);
    // Read only to report further problems in the text.
    readFragment(file, answerStart, end);
  }

  const written = text.slice(answerStart, end);
  const question = readFragment(file, body, askedEnd)[0];
  return {
    id,
    text: question?.type === 'paragraph' ? question.text : [],
    role,
    answer: answerLabel === undefined ? [] : readAnswer(file, id, answerStart, answerLabel, end),
    markdown: text.slice(start, end).trimEnd(),
    asked: text.slice(start, askedEnd).trimEnd(),
    answered: written.slice(answerLabel?.length).trim() === '' ? '' : written.trim(),
    offset: start,
  };
}

interface Opening {
  readonly id: string;
  readonly role: gaps.Role;
  /** Offset of the first word of the question. */
  readonly body: number;
}

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
    const instead = `Type one of ${roles.map((each) => `(${each})`).join(', ')}.`;
    if (written === undefined) reportBoldNumber(start, id, report);
    else report(labelEnd, `Question ${id} has the unknown role "${written}".`, instead);
  }
  return { id, role: role ?? 'owner', body: labelEnd + opening.length };
}

/** Reads the text between a label and the next question. Returns an empty list for a placeholder such as "TBD". */
function readAnswer(
  file: OpenFile,
  id: string,
  start: number,
  label: string,
  end: number,
): readonly gaps.Block[] {
  const onLabel = (offset: number): void => {
    const wrong = `Question ${id} has a second "Answer:".`;
    file.report(offset, wrong, 'Delete the second "Answer:"; paragraphs below the first one belong to it.');
  };
  // If one pair of asterisks makes both the label and the answer bold, the answer needs its own opening asterisks.
  const [, mark = ''] = /^[\s\p{Cf}]*([*_]+)answer\s?[:：]$/iu.exec(label) ?? [];
  const blocks = readFragment(file, start + label.length, end, mark, onLabel);
  return PLACEHOLDER.test(answerText(blocks).trim()) ? [] : blocks;
}

/** Matches a list that begins on the line of its label and has more than one item. */
const SAME_LINE_LIST = /^(?:([-*+]) .*\r?[\r\n]\s*\1 |\d+[.)] .*\r?[\r\n]\s*\d+[.)] )/u;

/**
 * Reads a piece of the file alone. If it begins in the middle of a line, a mark such as `>` or `-` there starts no block.
 *
 * @param mark asterisks or underscores before the piece that open its bold or italic text
 */
function readFragment(
  file: OpenFile,
  from: number,
  to: number,
  mark = '',
  onLabel: (offset: number) => void = () => {},
): readonly gaps.Block[] {
  const source = file.text.slice(from, to);
  const indent = /^[^\S\r\n]*(?=\S)/u.exec(source)?.[0];
  const skipped = indent?.length ?? 0;
  // Without the colon, "> 5" would be read as a quotation. The colon is removed below.
  const isText = indent !== undefined && !SAME_LINE_LIST.test(source.slice(skipped));
  const prefix = isText ? `:${mark}` : '';
  const markdown = prefix + source.slice(skipped);
  const base = from + skipped - prefix.length;
  const nodes = parseMarkdown(markdown);
  for (const node of nodes) {
    const [start, end] = rangeOf(node);
    const label = node.type === 'paragraph' && LINE_LABEL.exec(markdown.slice(start, end));
    if (label) onLabel(base + start + label.index);
  }

  const report: Report = (offset, wrong, instead) =>
    file.report(Math.max(offset, from + skipped), wrong, instead);
  const [first, ...rest] = createReader(markdown, base, report).blocks(nodes);
  if (first?.type !== 'paragraph' || prefix === '') return first ? [first, ...rest] : [];
  const [run, ...runs] = first.text;
  const opening = typeof run === 'string' ? run.slice(1).trimStart() : '';
  const text = opening === '' ? runs : [opening, ...runs];
  return [{ type: 'paragraph', text }, ...rest];
}
