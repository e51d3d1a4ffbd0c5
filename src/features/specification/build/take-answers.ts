import { answerLines, isAnswer } from '../spec-gaps.ts';
import { type Questionnaire, wordsOf } from './read-questionnaire.ts';

/** A text in a returned file. */
interface Found {
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
 */
export function takeAnswers(
  own: Questionnaire,
  files: readonly Questionnaire[],
  isReplacing = false,
): TakenAnswers {
  const answers = new Map(own.questions.map(({ id, answer }) => [id, answer]));
  const ownText = paragraphsOf(own).flatMap(({ lines }) => lines.concat(lines.join(' ')));
  const known = new Set(ownText.map(wordsOf));
  const taken = new Map<string, GivenAnswer>();
  const different: TakenAnswers['different'][number][] = [];
  const unknown: GivenAnswer[] = [];
  const notTaken: Found[] = [];

  for (const file of files) {
    const placeOf = (line: number): string => `${file.name}:${line + 1}`;
    for (const { id, answer, start } of file.questions) {
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
    for (const { start, lines } of paragraphsOf(file)) {
      // Programs wrap paragraphs differently.
      if (known.has(wordsOf(lines.join(' ')))) continue;
      for (const [index, text] of lines.entries()) {
        if (!known.has(wordsOf(text))) notTaken.push({ place: placeOf(start + index), text: text.trim() });
      }
    }
  }
  return { markdown: write(own, taken), taken: [...taken.values()], different, unknown, notTaken };
}

/** Lines without an empty one between them. */
interface Paragraph {
  readonly start: number;
  readonly lines: string[];
}

/** Returns the text outside of answers, without the numbers and roles of its questions. */
function paragraphsOf({ lines, questions }: Questionnaire): readonly Paragraph[] {
  const outside = [...lines];
  for (const { start, asked, end } of questions) {
    for (let line = start; line < end; line += 1) outside[line] = asked[line - start] ?? '';
  }
  const paragraphs: Paragraph[] = [];
  for (const [line, text] of outside.entries()) {
    if (text.trim() === '') continue;
    const isNew = line === 0 || outside[line - 1]?.trim() === '';
    if (isNew) paragraphs.push({ start: line, lines: [text] });
    else paragraphs.at(-1)?.lines.push(text);
  }
  return paragraphs;
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
