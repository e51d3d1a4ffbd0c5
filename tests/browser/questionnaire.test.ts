import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, inject, it, onTestFinished } from 'vitest';

import { markdown } from '../../SPEC_GAPS.md';
import { points } from '../../SPEC_GAPS.md?points';
import { pages } from '../../src/contract/pages.ts';
import { addProgress } from '../../src/contract/spec-gaps.ts';
import { launchBuiltExtension } from '../support/built-extension.ts';
import { findViolations } from '../support/inspect-page.ts';
import { catchDownloads, pressButton } from '../support/page-actions.ts';
import { copyProject, runInCopy } from '../support/project-copy.ts';

it('saves the questionnaire as the file that popup and options are built from', async () => {
  const extension = await launchBuiltExtension();
  const options = await extension.open(`${pages.options}#/specification`);
  await options.evaluate(catchDownloads);

  await pressButton(options, 'Save questionnaire');

  expect(await options.waitFor(() => document.body.dataset['saved'])).toBe(markdown);
});

it('shows the answers of a questionnaire that was filled in, in popup and options', async () => {
  const answers = { 7.1: 'One service.', 7.2: 'Does not apply, because so.', 9.1: 'Ten.' };
  const filled = Object.entries(answers).reduce((text, [id, given]) => answer(text, id, given), markdown);
  const extension = await launchBuiltExtension(await buildWith(filled));

  const popup = await extension.openPopup();
  const summary = await popup.waitFor(
    () => /\d+ of \d+ questions answered/.exec(document.body.textContent)?.[0],
  );
  const cell = await popup.evaluate(() => document.querySelector('[aria-keyshortcuts="7"]')?.textContent);
  await popup.close();
  const point = await extension.open(`${pages.options}#/specification/calls`);
  const shown = await point.waitFor(() => document.querySelector('article')?.textContent);

  const { answered, total } = addProgress(points);
  expect(summary).toBe(`${answered + 3} of ${total} questions answered`);
  expect(cell).toMatch(/2 of \d+ answered$/);
  expect(shown).toContain('One service.');
  expect(shown).toContain('Does not apply, because so.');
  expect(await findViolations(point)).toEqual([]);
});

/** Writes an answer below a question, as a person does in any editor. */
function answer(questionnaire: string, id: string, text: string): string {
  const question = new RegExp(`^\\*\\*${id.replace('.', '\\.')}\\*\\*.*$`, 'm');
  if (!question.test(questionnaire)) throw new Error(`There is no question ${id}.`);
  return questionnaire.replace(question, (line) => `${line}\n\nAnswer: ${text}`);
}

/** Builds a copy of the project with another `SPEC_GAPS.md`. Gives the folder of the extension. */
async function buildWith(specGaps: string): Promise<string> {
  const folder = await copyProject();
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await writeFile(join(folder, 'SPEC_GAPS.md'), specGaps);
  const browser = inject('browserName');
  await runInCopy(folder, 'vite/bin/vite.js', 'build', '--mode', browser);
  return join(folder, 'dist', browser);
}
