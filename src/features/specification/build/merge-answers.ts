import { answerText, plainText } from '../spec-gaps.ts';
import { parseQuestions } from './read-questions.ts';

export interface MergedAnswers {
  /** The text of `SPEC_GAPS.md` with the moved answers. */
  readonly markdown: string;
  /** Numbers of the questions whose answers were moved. */
  readonly moved: readonly string[];
}

/**
 * Moves the answers of a returned file, which may be only a part of the questionnaire, to the same questions in
 * `SPEC_GAPS.md`. The other text of `SPEC_GAPS.md` is not changed.
 *
 * @param name the name of the returned file
 * @throws QuestionnaireError if that file is malformed, changes a question, or contradicts an answer in `SPEC_GAPS.md`
 */
export function mergeAnswers(markdown: string, returned: string, name: string): MergedAnswers {
  const current = parseQuestions(markdown, 'SPEC_GAPS.md');
  const given = parseQuestions(returned, name, ({ id, text, answer, offset }, report) => {
    const same = current.find((question) => question.id === id);
    if (same === undefined) {
      report(
        offset,
        `There is no question ${id} in SPEC_GAPS.md.`,
        'Type the number of a question that exists.',
      );
    } else if (wordsOf(plainText(same.text)) !== wordsOf(plainText(text))) {
      report(offset, `Question ${id} asks something else in SPEC_GAPS.md.`, `It is: ${plainText(same.text)}`);
    } else if (
      Math.min(answer.length, same.answer.length) > 0 &&
      wordsOf(answerText(answer)) !== wordsOf(answerText(same.answer))
    ) {
      const wrong = `Question ${id} has another answer in SPEC_GAPS.md.`;
      report(offset, wrong, 'Delete one of the two answers, or combine them.');
    }
  });

  // The offsets of questions do not count a byte-order mark.
  let merged = markdown.replace(/^\uFEFF/u, '');
  const moved: string[] = [];
  // From the end, so that earlier offsets stay valid.
  for (const { id, answer, asked, offset, markdown: before } of current.toReversed()) {
    const source = given.find((question) => question.id === id);
    if (answer.length > 0 || source === undefined || source.answer.length === 0) continue;
    const after = `${asked}\n\n${source.answered.replaceAll(/\r\n?/gu, '\n')}`;
    merged = merged.slice(0, offset) + after + merged.slice(offset + before.length);
    moved.unshift(id);
  }
  return { markdown: merged, moved };
}

/** Keeps only letters and digits, because word processors change quotation marks, dashes and line ends. */
function wordsOf(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}
