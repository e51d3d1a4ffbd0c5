import { type Gap, gapIds, isAnswer, type Question, roles } from '../spec-gaps.ts';
import {
  headings,
  isLabel,
  type Problem,
  type Questionnaire,
  QuestionnaireError,
  readQuestionnaire,
  sectionTitles,
  type WrittenQuestion,
} from './read-questionnaire.ts';

/**
 * Parses the text of `SPEC_GAPS.md`.
 *
 * @throws QuestionnaireError with every problem of the text
 */
export function parseSpecGaps(text: string, name = 'SPEC_GAPS.md'): readonly Gap[] {
  const file = readQuestionnaire(text, name);
  const misplaced = findMisplacedHeading(file);
  // Without its headings, the rest cannot be read.
  if (misplaced) throw new QuestionnaireError(name, [misplaced]);

  const problems: Problem[] = [];
  const report = (line: number, wrong: string, instead: string): void => {
    problems.push({ line, wrong, instead });
  };
  const startIds = readStart(file, report);
  const gaps = gapIds.map((id, index): Gap => {
    const [known, questions, forNow] = [1, 2, 3].map((part) => 2 + 5 * index + part);
    const asked = readQuestions(file, questions ?? 0, index + 1, startIds, report);
    return {
      id,
      number: index + 1,
      title: sectionTitles[id],
      answered: asked.filter(({ answer }) => isAnswer(answer)).length,
      total: asked.length,
      known: readProse(file, known ?? 0, report),
      questions: asked,
      forNow: readProse(file, forNow ?? 0, report),
    };
  });
  reportStrays(file, gaps, report);
  if (problems.length > 0) throw new QuestionnaireError(name, problems);
  return gaps;
}

type Report = (line: number, wrong: string, instead: string) => void;

function findMisplacedHeading({ lines, headings: found }: Questionnaire): Problem | undefined {
  const at = headings.findIndex((heading, index) => lines[found[index] ?? lines.length]?.trim() !== heading);
  const [expected, line] = [headings[at], found[at] ?? lines.length - 1];
  if (expected === undefined) {
    const extra = found[headings.length];
    if (extra === undefined) return undefined;
    return { line: extra, wrong: `There is a second "${lines[extra]}".`, instead: 'Delete it.' };
  }
  const wrong =
    found[at] === undefined
      ? `There is no "${expected}" above this line.`
      : `Here is "${lines[line]}" instead of "${expected}".`;
  return { line, wrong, instead: `Type "${expected}" above this line, or instead of it.` };
}

/** Returns the range of a section below its heading, which is named by its index in `headings`. */
function rangeOf({ lines, headings: found }: Questionnaire, heading: number): readonly [number, number] {
  return [(found[heading] ?? 0) + 1, found[heading + 1] ?? lines.length];
}

function questionsIn(file: Questionnaire, heading: number): readonly WrittenQuestion[] {
  const [from, to] = rangeOf(file, heading);
  return file.questions.filter(({ start }) => start >= from && start < to);
}

function paragraphsOf(lines: readonly string[]): readonly string[] {
  const paragraphs = lines
    .map((line) => line.trim())
    .join('\n')
    .split(/\n{2,}/u);
  return paragraphs.map((text) => text.replaceAll('\n', ' ').trim()).filter((text) => text !== '');
}

function readProse(file: Questionnaire, heading: number, report: Report): readonly string[] {
  const [from, to] = rangeOf(file, heading);
  const paragraphs = paragraphsOf(file.lines.slice(from, to));
  if (paragraphs.length === 0)
    report(from - 1, 'There is no text below this heading.', 'Type a paragraph below it.');
  return paragraphs;
}

/** Reads the ids of the questions that come first. Answers belong below the questions themselves. */
function readStart(file: Questionnaire, report: Report): readonly string[] {
  const ids: string[] = [];
  const [from, to] = rangeOf(file, 1);
  for (let at = from; at < to; at += 1) {
    const line = file.lines[at] ?? '';
    const [, id, title = ''] = /^\d+\. \*\*(\d+\.\d+)\*\* (.+)$/u.exec(line) ?? [];
    if (id === undefined || title.split(/\s+/u).length > 6) {
      if (ids.length === 0 && id === undefined) continue;
      if (line.trim() !== '')
        report(
          at,
          'This is not a number in bold and a title of at most 6 words.',
          'Type answers below the questions, not in this list.',
        );
    } else if (ids.includes(id) || !file.questions.some((question) => question.id === id)) {
      report(
        at,
        `Question ${id} does not exist, or is in this list twice.`,
        'Type the number of another question.',
      );
    } else ids.push(id);
  }
  if (ids.length === 0)
    report(from - 1, 'There is no list below this heading.', 'Type it as in 1. **1.2** The name');
  return ids;
}

/** Reads the questions of a point, and reports gaps in their numbers. */
function readQuestions(
  file: Questionnaire,
  heading: number,
  point: number,
  startIds: readonly string[],
  report: Report,
): readonly Question[] {
  const [from, to] = rangeOf(file, heading);
  const questions = questionsIn(file, heading);
  const before = file.lines.slice(from, questions[0]?.start ?? to).findIndex((line) => line.trim() !== '');
  if (before !== -1 || questions.length === 0) {
    const instead = `Type the question above it, as in **${point}.1** (owner) What is it called?`;
    report(
      from + before,
      `This is not below a question, with which the questions of point ${point} begin.`,
      instead,
    );
  }
  return questions.map(({ id, role, asked, label, answer, start }, index) => {
    const expected = `${point}.${index + 1}`;
    const paragraphs = paragraphsOf(asked);
    if (id !== expected)
      report(
        start,
        `Here is question ${id} instead of ${expected}.`,
        `Restore ${expected}. Questions keep their numbers.`,
      );
    if (role === undefined)
      report(
        start,
        `Question ${id} has no known role.`,
        `Type one of ${roles.map((each) => `(${each})`).join(', ')}.`,
      );
    if (label === undefined)
      report(start, `Question ${id} has no "Answer:".`, 'Type it on a new line below the question.');
    else if (paragraphs.length !== 1) {
      const wrong = `Question ${id} does not consist of one paragraph.`;
      report(label.line, wrong, 'Type the question above "Answer:", and its answer below.');
    }
    return {
      id,
      role: role ?? 'owner',
      text: paragraphs.join(' '),
      isStart: startIds.includes(id),
      answer,
    };
  });
}

/** Reports questions and answers in sections that have none. */
function reportStrays(file: Questionnaire, gaps: readonly Gap[], report: Report): void {
  const placed = new Set(gaps.flatMap((_, index) => questionsIn(file, 2 + 5 * index + 2)));
  for (const question of file.questions) {
    if (placed.has(question)) continue;
    report(
      question.start,
      `Question ${question.id} is not below "### Questions".`,
      'Move it below that heading.',
    );
  }
  for (const [line, text] of file.lines.entries()) {
    if (!isLabel(text) || file.questions.some(({ start, end }) => start <= line && line < end)) continue;
    report(line, 'This "Answer:" is not below a question.', 'Move it below the question that it answers.');
  }
}
