import { rm } from 'node:fs/promises';
import { expect, it, onTestFinished } from 'vitest';

import { copyWithExample, exampleDocuments } from '../../docs/project-with-example.ts';
import { runInCopy } from '../../support/project-copy.ts';
import { writeFiles } from '../../support/temporary-folder.ts';

it('a project with the blocks of all documents and all answers passes all tests outside of the core, unchanged', async () => {
  const folder = await copyWithExample(exampleDocuments);
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await writeFiles(folder, { 'SPEC_GAPS.md': answerAll });
  const tests = ['background', 'features', 'options', 'popup', 'scripts/check-build', 'ui'];
  const folders = tests.map((name) => `tests/${name}`);

  const printed = await runInCopy(folder, 'vitest/vitest.mjs', 'run', '--project=unit', ...folders);

  expect(printed).toMatch(/Test Files +\d+ passed/);
});

/** Writes an answer to every question, as a person does in any editor. */
function answerAll(questionnaire: string): string {
  return questionnaire.replaceAll(/^Answer:$/gm, '$& Does not apply, because so.');
}
