import { afterLabel, isAnswer } from '../spec-gaps.ts';
import { joinLines, type Excerpt, type Part, wordsOf } from './read-questionnaire.ts';

/** An answer in a returned file, and the place of its question. */
export interface GivenAnswer extends Excerpt {
  readonly id: string;
}

/**
 * Takes the answers of returned files, by the numbers of their questions. The other text of `SPEC_GAPS.md` is not changed.
 *
 * @param isReplacing also takes answers to questions that have another answer
 */
export function takeAnswers(own: readonly Part[], returned: readonly Part[], isReplacing = false) {
  const answers = new Map(
    own.flatMap(({ place, question }) =>
      question ? [[question.id, { place, text: question.answer }] as const] : [],
    ),
  );
  const headings = own.flatMap(({ heading }) => heading ?? []);
  const asked = own.flatMap(({ paragraphs }) => paragraphs);
  // Programs wrap paragraphs differently.
  const texts = [...headings, ...asked.map(joinLines), ...asked.flat().map(({ text }) => text)];
  const known = new Set(texts.map(wordsOf));
  const taken = new Map<string, GivenAnswer>();
  /** Answers to questions that already had another answer, in `SPEC_GAPS.md` or in an earlier file, which is `old`. */
  const different: (GivenAnswer & { readonly old: Excerpt })[] = [];
  /** Questions that `SPEC_GAPS.md` does not have, with their answers, which may be empty. */
  const unknown: GivenAnswer[] = [];
  /** Lines that are neither in `SPEC_GAPS.md` nor part of an answer, and words that leave a question open. */
  const notTaken: Excerpt[] = [];

  function take({ id, place, text }: GivenAnswer): void {
    const old = answers.get(id);
    if (old === undefined) unknown.push({ id, place, text });
    else if (text === '' || old.text.trim() === text.trim()) return;
    else if (!isAnswer(text)) notTaken.push({ place, text });
    else {
      if (isAnswer(old.text)) different.push({ id, place, text, old });
      if (isAnswer(old.text) && !isReplacing) return;
      taken.set(id, { id, place, text });
      answers.set(id, { place, text });
    }
  }

  for (const { place, question, paragraphs } of returned) {
    if (question) take({ id: question.id, place, text: question.answer });
    for (const paragraph of paragraphs) {
      const isKnown = known.has(wordsOf(joinLines(paragraph)));
      for (const line of paragraph) {
        const words = wordsOf(line.text);
        // A line of other characters, such as 👍, does not change the words of its paragraph.
        if (!known.has(words) && (!isKnown || words === '')) notTaken.push(line);
      }
    }
  }

  const markdown = own.map(({ text, question }) => {
    const given = taken.get(question?.id ?? '');
    if (given === undefined || question?.asked === undefined) return text;
    // The empty lines below the answer stay.
    return question.asked + afterLabel(given.text) + text.slice(text.trimEnd().length);
  });
  return { markdown: markdown.join('\n'), taken: [...taken.values()], different, unknown, notTaken };
}
