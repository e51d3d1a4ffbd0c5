import { answerLines, isAnswer } from '../spec-gaps.ts';
import { parseSpecGaps } from './parse-spec-gaps.ts';
import { type Questionnaire, readQuestionnaire, wordsOf } from './read-questionnaire.ts';

/** A file that someone has returned: a questionnaire with answers, or a part of one. */
export interface ReturnedFile {
  readonly name: string;
  readonly text: string;
}

/** A text in a returned file. */
export interface Found {
  /** The file and the line, such as `answers.md:12`. */
  readonly place: string;
  readonly text: string;
}

/** An answer in a returned file. */
export interface GivenAnswer extends Found {
  readonly id: string;
}

export interface TakenAnswers {
  /** The text of `SPEC_GAPS.md` with the taken answers. */
  readonly markdown: string;
  readonly taken: readonly GivenAnswer[];
  /** Answers to questions that had another answer, `present`. */
  readonly different: readonly (GivenAnswer & { readonly present: string })[];
  /** Questions that `SPEC_GAPS.md` does not have, with their answers, which may be empty. */
  readonly unknown: readonly GivenAnswer[];
  /** Lines that are neither in `SPEC_GAPS.md` nor part of an answer. */
  readonly notTaken: readonly Found[];
}

/**
 * Takes the answers of returned files, by the numbers of their questions. The other text of `SPEC_GAPS.md` is not changed.
 *
 * @param isReplacing also takes answers to questions that have another answer
 * @throws QuestionnaireError if a file cannot be read without doubt
 */
export function takeAnswers(
  markdown: string,
  files: readonly ReturnedFile[],
  isReplacing = false,
): TakenAnswers {
  parseSpecGaps(markdown);
  const own = readQuestionnaire(markdown, 'SPEC_GAPS.md');
  const answers = new Map(own.questions.map(({ id, answer }) => [id, answer]));
  const known = new Set(
    blocksOf(own).flatMap((block) => [...block.texts, block.texts.join(' ')].map(wordsOf)),
  );
  const taken = new Map<string, GivenAnswer>();
  const different: TakenAnswers['different'][number][] = [];
  const unknown: GivenAnswer[] = [];
  const notTaken: Found[] = [];

  for (const { name, text } of files) {
    const returned = readQuestionnaire(text, name);
    const placeOf = (line: number): string => `${name}:${line + 1}`;
    for (const { id, answer, start } of returned.questions) {
      const given = { id, place: placeOf(start), text: answer };
      const present = answers.get(id);
      if (present === undefined) unknown.push(given);
      else if (present.trim() === answer.trim() || answer === '') continue;
      else if (!isAnswer(answer)) notTaken.push({ place: given.place, text: answer.trim() });
      else {
        if (isAnswer(present)) different.push({ ...given, present });
        if (isAnswer(present) && !isReplacing) continue;
        taken.set(id, given);
        answers.set(id, answer);
      }
    }
    for (const { line, texts } of blocksOf(returned)) {
      if (known.has(wordsOf(texts.join(' ')))) continue;
      for (const [index, each] of texts.entries()) {
        if (!known.has(wordsOf(each))) notTaken.push({ place: placeOf(line + index), text: each.trim() });
      }
    }
  }
  return { markdown: write(own, taken), taken: [...taken.values()], different, unknown, notTaken };
}

/** Lines without answers that belong together: a heading, a paragraph, or an item of a list. */
interface Block {
  readonly line: number;
  readonly texts: string[];
}

/** Returns the text outside of answers, so that its lines are found again when a program has wrapped them differently. */
function blocksOf({ lines, headings, questions }: Questionnaire): readonly Block[] {
  const texts = [...lines];
  for (const { start, asked, end } of questions) {
    const outside = Array.from({ length: end - start }, (_, index) => asked[index] ?? '');
    for (const [index, text] of outside.entries()) texts[start + index] = text;
  }
  const starts = new Set([
    ...questions.map(({ start }) => start),
    ...headings,
    ...headings.map((at) => at + 1),
  ]);
  const blocks: Block[] = [];
  let isOpen = false;
  for (const [line, text] of texts.entries()) {
    if (starts.has(line) || /^\s*(?:[-*+•]|\d+[.)])\s/u.test(text)) isOpen = false;
    if (text.trim() === '') isOpen = false;
    else if (isOpen) blocks.at(-1)?.texts.push(text);
    else {
      blocks.push({ line, texts: [text] });
      isOpen = true;
    }
  }
  return blocks;
}

function write({ lines, questions }: Questionnaire, taken: ReadonlyMap<string, GivenAnswer>): string {
  const written: (readonly string[])[] = [];
  let next = 0;
  for (const { id, label, end } of questions) {
    const given = taken.get(id);
    if (given === undefined || label === undefined) continue;
    written.push(lines.slice(next, label.line), [label.before + answerLines(given.text)]);
    // The empty lines below the answer stay.
    next = end;
    while (lines[next - 1]?.trim() === '') next -= 1;
  }
  return [...written, lines.slice(next)].flat().join('\n');
}
