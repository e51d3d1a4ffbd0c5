import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, inject, it, onTestFinished } from 'vitest';

import { markdown } from '../../SPEC_GAPS.md';
import { points } from '../../SPEC_GAPS.md?points';
import { addProgress } from '../../src/contract/spec-gaps.ts';
import { launchBuiltExtension } from '../support/built-extension.ts';
import { findViolations } from '../support/inspect-page.ts';
import { catchDownloads, pressButton } from '../support/page-actions.ts';
import { copyProject, runInCopy } from '../support/project-copy.ts';

const OPTIONS = 'src/options/index.html';

it('saves a questionnaire that, filled in, becomes the file that popup and options are built from', async () => {
  const extension = await launchBuiltExtension();
  const options = await extension.open(`${OPTIONS}#/specification`);
  await options.evaluate(catchDownloads);
  await pressButton(options, 'Save questionnaire');
  const saved = await options.waitFor(() => document.body.dataset['saved']);
  await extension.close();

  const filled = answer(
    answer(answer(saved, '7.1', 'One service.'), '7.2', 'Does not apply, because so.'),
    '9.1',
    'Ten.',
  );
  const built = await launchBuiltExtension(await buildWith(filled));
  const popup = await built.openPopup();
  const summary = await popup.waitFor(
    () => /\d+ of \d+ questions answered/.exec(document.body.textContent)?.[0],
  );
  const cell = await popup.evaluate(() => document.querySelector('[aria-keyshortcuts="7"]')?.textContent);
  await popup.close();
  const point = await built.open(`${OPTIONS}#/specification/calls`);
  const shown = await point.waitFor(() => document.querySelector('article')?.textContent);

  const { answered, total } = addProgress(points);
  expect(saved).toBe(markdown);
  expect(summary).toBe(`${answered + 3} of ${total} questions answered`);
  expect(cell).toMatch(/2 of \d+ answered$/);
  expect(shown).toContain('One service.');
  expect(shown).toContain('Does not apply, because so.');
  expect(await findViolations(point)).toEqual([]);
});

it('copies the questions of a point, and says when the browser does not allow it', async () => {
  const extension = await launchBuiltExtension();
  const options = await extension.open(`${OPTIONS}#/specification/calls`);
  await options.evaluate(catchCopies);

  await pressButton(options, 'Copy questions');
  await options.waitFor(() => document.body.textContent.includes('Questions copied.'));
  const copied = await options.evaluate(() => document.body.dataset['copied']);
  await options.evaluate(refuseCopies);
  await pressButton(options, 'Copy questions');
  const alert = await options.waitFor(() => document.querySelector('[role=alert]')?.textContent);
  const isStillSaid = await options.evaluate(() => document.body.textContent.includes('Questions copied.'));

  expect(copied).toMatch(/^## 7\. The calls it makes\n/);
  expect(markdown).toContain(copied);
  expect(alert).toMatch(/^The browser did not allow copying\./);
  expect(isStillSaid).toBe(false);
});

/** Writes an answer below a question, as a person does in any editor. */
function answer(questionnaire: string, id: string, text: string): string {
  const lines = questionnaire.split('\n');
  const index = lines.findIndex((line) => line.startsWith(`**${id}**`));
  if (index === -1) throw new Error(`There is no question ${id}.`);
  return [...lines.slice(0, index + 1), '', `Answer: ${text}`, ...lines.slice(index + 1)].join('\n');
}

/** Builds a copy of the project with another `SPEC_GAPS.md`. Gives the folder of the extension. */
async function buildWith(specGaps: string): Promise<string> {
  const folder = await copyProject();
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await writeFile(join(folder, 'SPEC_GAPS.md'), specGaps);
  const browser = inject('browserName');
  await runInCopy(folder, 'tsx/dist/cli.mjs', 'scripts/build.ts', '--browser', browser);
  return join(folder, 'dist', browser);
}

/** Runs in a page: a browser without a window has no clipboard to look into. */
function catchCopies(): void {
  Object.defineProperty(navigator, 'clipboard', {
    configurable: true,
    value: { writeText: async (text: string) => void (document.body.dataset['copied'] = text) },
  });
}

function refuseCopies(): void {
  Object.defineProperty(navigator, 'clipboard', {
    configurable: true,
    value: { writeText: () => Promise.reject(new Error('NotAllowedError')) },
  });
}
