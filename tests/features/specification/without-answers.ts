import { readFileSync } from 'node:fs';

import { readQuestionnaire } from '../../../src/features/specification/build/read-questionnaire.ts';

/** The text of `SPEC_GAPS.md` without its answers, so that tests also pass when there are some. */
export const withoutAnswers = removeAnswers(readFileSync('SPEC_GAPS.md', 'utf8'));

function removeAnswers(text: string): string {
  const { lines, questions } = readQuestionnaire(text, 'SPEC_GAPS.md');
  const emptied = questions.reduceRight(
    (rest, { label, end }) =>
      label ? rest.toSpliced(label.line, end - label.line, `${label.before}Answer:`, '') : rest,
    lines,
  );
  return emptied.join('\n');
}
