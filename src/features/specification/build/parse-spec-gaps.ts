import { type Gap, isAnswer, type Question, roles } from '../spec-gaps.ts';
import {
  headings,
  type Questionnaire,
  QuestionnaireError,
  readQuestionnaire,
  titles,
} from './read-questionnaire.ts';

/**
 * Parses the text of `SPEC_GAPS.md`.
 *
 * @throws QuestionnaireError with the first line to correct
 */
export function parseSpecGaps(text: string): readonly Gap[] {
  const file = readQuestionnaire(text, 'SPEC_GAPS.md');
  checkHeadings(file);
  checkPlaces(file);
  const startIds = readStart(file);
  return Object.entries(titles).map(([id, title], index): Gap => {
    const number = index + 1;
    const heading = headings.indexOf(`## ${number}. ${title}`);
    const questions = readQuestions(file, heading + 2, number, startIds);
    return {
      id,
      number,
      title,
      answered: questions.filter(({ answer }) => isAnswer(answer)).length,
      total: questions.length,
      known: readProse(file, heading + 1),
      questions,
      forNow: readProse(file, heading + 3),
    };
  });
}

function checkHeadings(file: Questionnaire): void {
  const { lines, headings: found } = file;
  const wrong = [...headings, undefined].findIndex(
    (heading, index) => lines[found[index] ?? lines.length]?.trim() !== heading,
  );
  if (wrong === -1) return;
  const [expected, line = lines.length - 1] = [headings[wrong], found[wrong]];
  if (expected === undefined) fail(file, line, `There is a second "${lines[line]}".`, 'Delete it.');
  fail(file, line, `There is no "${expected}" above this line.`, 'Type it there, or correct this line.');
}

function checkPlaces(file: Questionnaire): void {
  for (const { id, start } of file.questions) {
    const heading = file.headings.findLast((at) => at < start) ?? 0;
    if (file.lines[heading] === '### Questions') continue;
    fail(file, start, `Question ${id} is not below "### Questions".`, 'Move it below that heading.');
  }
}

/** Reads the ids of the questions that come first. */
function readStart(file: Questionnaire): ReadonlySet<string> {
  const ids = new Set<string>();
  const [from, to] = rangeOf(file, headings.indexOf('## Start here'));
  for (let at = from; at < to; at += 1) {
    const line = file.lines[at] ?? '';
    const id = /^\d+\. \*\*(\d+\.\d+)\*\* /u.exec(line)?.[1];
    if (id !== undefined) {
      const isKnown = file.questions.some((question) => question.id === id);
      if (!isKnown) fail(file, at, `Question ${id} does not exist.`, 'Restore it, or delete this line.');
      ids.add(id);
    } else if (ids.size > 0 && line.trim() !== '') {
      fail(file, at, 'This list has only numbers and titles.', 'Type answers below the questions.');
    }
  }
  if (ids.size === 0)
    fail(file, from - 1, 'There is no list below this heading.', 'Type it as in 1. **1.2** Name');
  return ids;
}

/** Reads the questions of a point, which are numbered without a gap. */
function readQuestions(
  file: Questionnaire,
  heading: number,
  point: number,
  startIds: ReadonlySet<string>,
): readonly Question[] {
  const [from, to] = rangeOf(file, heading);
  const questions = file.questions.filter(({ start }) => start >= from && start < to);
  const [first] = questions;
  if (first === undefined || paragraphsOf(file.lines.slice(from, first.start)).length > 0) {
    const instead = `Type a question there, as in **${point}.1** (owner) What is it called?`;
    fail(file, from - 1, 'There is no question directly below this heading.', instead);
  }
  return questions.map(({ id, role, asked, label, answer, start }, index) => {
    const expected = `${point}.${index + 1}`;
    const text = paragraphsOf(asked);
    if (id !== expected) {
      fail(file, start, `Here is question ${id} instead of ${expected}.`, 'Questions keep their numbers.');
    }
    if (role === undefined) {
      const instead = `Type one of ${roles.map((each) => `(${each})`).join(', ')}.`;
      return fail(file, start, `Question ${id} has no known role.`, instead);
    }
    if (label === undefined) {
      fail(file, start, `Question ${id} has no "Answer:".`, 'Type it on a new line below the question.');
    }
    if (text.length !== 1) {
      const instead = 'Type the question above "Answer:", and its answer below.';
      fail(file, start, `Question ${id} does not consist of one paragraph.`, instead);
    }
    return { id, role, text: text.join(), isStart: startIds.has(id), answer };
  });
}

function readProse(file: Questionnaire, heading: number): readonly string[] {
  const [from, to] = rangeOf(file, heading);
  const paragraphs = paragraphsOf(file.lines.slice(from, to));
  if (paragraphs.length === 0) {
    fail(file, from - 1, 'There is no text below this heading.', 'Type a paragraph below it.');
  }
  return paragraphs;
}

/** Returns the lines below a heading, which is named by its index in `headings`. */
function rangeOf({ lines, headings: found }: Questionnaire, heading: number): readonly [number, number] {
  return [(found[heading] ?? 0) + 1, found[heading + 1] ?? lines.length];
}

function paragraphsOf(lines: readonly string[]): readonly string[] {
  const paragraphs = lines.join('\n').split(/\n\s*\n/u);
  return paragraphs.map((text) => text.trim().replaceAll(/\s*\n\s*/gu, ' ')).filter((text) => text !== '');
}

function fail({ name }: Questionnaire, line: number, wrong: string, instead: string): never {
  throw new QuestionnaireError(name, line, wrong, instead);
}
