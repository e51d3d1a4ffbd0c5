import { readFileSync } from 'node:fs';

import { readQuestionnaire } from '../../../src/features/specification/build/read-questionnaire.ts';

/** The text of `SPEC_GAPS.md` without its answers, so that tests also pass when there are some. */
export const withoutAnswers = removeAnswers(readFileSync('SPEC_GAPS.md', 'utf8'));

function removeAnswers(file: string): string {
  const parts = readQuestionnaire(file, 'SPEC_GAPS.md');
  return parts.map(({ text, question }) => (question ? `${question.asked}\n` : text)).join('\n');
}
