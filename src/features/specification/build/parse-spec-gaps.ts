import { type Gap, type Question, roles } from '../spec-gaps.ts';
import { joinLines, type Part, QuestionnaireError, readQuestionnaire, titles } from './read-questionnaire.ts';

/**
 * Parses the text of `SPEC_GAPS.md`, from its first part to its last.
 *
 * @throws QuestionnaireError with the first line to correct
 */
export function parseSpecGaps(text: string): readonly Gap[] {
  const parts = readQuestionnaire(text, 'SPEC_GAPS.md');
  const end: Part = { place: 'SPEC_GAPS.md', heading: 'the end of the file', text: '', paragraphs: [] };
  let next = 0;

  /** Returns the next part, which must be the expected one. */
  function take(expected: string): Part {
    const part = parts[next] ?? end;
    const { place, question, heading = 'a text' } = part;
    const found = question ? `question ${question.id}` : heading;
    if (found !== expected) {
      const instead = 'Type what is missing above this line, or delete this line.';
      throw new QuestionnaireError(`${place}: Here is ${found} instead of ${expected}. ${instead}`);
    }
    next += 1;
    return part;
  }

  function takePoint([id, title]: readonly [string, string], index: number): Gap {
    const number = index + 1;
    take(`## ${number}. ${title}`);
    const known = textOf(take('### Known'));
    const { place, paragraphs } = take('### Questions');
    if (paragraphs.length > 0) {
      throw new QuestionnaireError(
        `${place}: Below this heading is a text that is not a question. Move it, or delete it.`,
      );
    }
    const questions: Question[] = [];
    do questions.push(readQuestion(take(`question ${number}.${questions.length + 1}`), startIds));
    while (parts[next]?.question);
    const forNow = textOf(take('### For now'));
    take('### Where it goes');
    return { id, number, title, known, questions, forNow };
  }

  take('# Specification gaps');
  const startIds = readStart(take('## Start here'), parts);
  const gaps = Object.entries(titles).map(takePoint);
  for (const last of ['## Choices', '## Left out on purpose', 'the end of the file']) take(last);
  return gaps;
}

/** Reads the ids of the questions that come first, which are listed below an introduction. */
function readStart({ paragraphs: [, ...list] }: Part, parts: readonly Part[]): ReadonlySet<string> {
  const ids = list.flat().map(({ place, text }) => {
    const id = /^\d+\. \*\*(\d+\.\d+)\*\* /u.exec(text)?.[1];
    if (id !== undefined && parts.some(({ question }) => question?.id === id)) return id;
    const instead =
      'Type it like this: 1. **1.2** Name. Type answers below their questions, not in this list.';
    throw new QuestionnaireError(`${place}: This line does not name a question. ${instead}`);
  });
  return new Set(ids);
}

function readQuestion({ place, paragraphs, question }: Part, startIds: ReadonlySet<string>): Question {
  const [paragraph, ...others] = paragraphs;
  if (!question?.role || question.asked === undefined || paragraph === undefined || others.length > 0) {
    const instead = `A question has a number, a role (${roles.join(', ')}), one paragraph, and "Answer:" below it.`;
    throw new QuestionnaireError(`${place}: This question is not well formed. ${instead}`);
  }
  const { id, role, answer } = question;
  return { id, role, text: joinLines(paragraph), isStart: startIds.has(id), answer };
}

function textOf({ paragraphs }: Part): string {
  return paragraphs.map(joinLines).join('\n\n');
}
