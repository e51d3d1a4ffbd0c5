import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';

import { points } from '../../../../SPEC_GAPS.md?points';
import { pages } from '../../../../src/callers.ts';
import { launchBuiltExtension } from '../../../support/built-extension.ts';
import { findLayoutFaults } from '../../../support/inspect-page.ts';
import { copyProject, runInCopy } from '../../../support/project-copy.ts';
import { framesOf, withWatchedFrames } from '../../../support/watch-frames.ts';

const present = {
  answered: points.reduce((sum, { answered }) => sum + answered, 0),
  total: points.reduce((sum, { total }) => sum + total, 0),
};
const browser = inject('browserName');
let folder = '';
let questionnaire = '';

beforeAll(async () => {
  folder = await copyProject();
  questionnaire = await readFile(join(folder, 'SPEC_GAPS.md'), 'utf8');
});

afterAll(() => rm(folder, { recursive: true, force: true }));

it.each(inject('size') === 'soak' ? [53, present.total] : [53])(
  'with %i answers, the popup keeps the size of its first frame, and no text is cut off',
  async (count) => {
    await answer(count);
    await runInCopy(folder, 'tsx/dist/cli.mjs', 'scripts/build.ts', '--browser', browser);
    const extension = await launchBuiltExtension(await withWatchedFrames(join(folder, 'dist', browser)));

    // Firefox sizes a popup differently when it was open before.
    for (const _ of ['first', 'again']) {
      const popup = await extension.openPopup();
      const { sizes, shifts } = await framesOf(popup);
      expect(await popup.text()).toContain(
        count < present.total ? 'This product is not specified yet.' : 'All questions are answered.',
      );
      expect(sizes).toEqual([expect.stringMatching(/^\d+ x (\d+), content \1$/)]);
      expect(shifts).toEqual([]);
      expect(await popup.evaluate(findLayoutFaults)).toEqual([]);
      await popup.close();
    }
    const options = await extension.open(pages.options);
    const answered = await options.waitFor(() => document.querySelectorAll('[data-answered=true]').length);
    expect(answered).toBe(Math.max(count, present.answered));
    for (const width of [1_280, 360]) {
      await options.emulate({ viewport: { width, height: 800 } });
      expect(await options.evaluate(findLayoutFaults)).toEqual([]);
    }
    expect(await extension.readConsole()).toEqual([]);
  },
);

/** Writes answers after the first empty labels, as a person does in an editor, until `count` questions have one. */
async function answer(count: number): Promise<void> {
  let left = count - present.answered;
  const text = questionnaire.replaceAll(/^Answer:$/gm, (label) => {
    left -= 1;
    return left < 0 ? label : `${label} Does not apply, because so.`;
  });
  await writeFile(join(folder, 'SPEC_GAPS.md'), text);
}
