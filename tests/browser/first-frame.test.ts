import { expect, it } from 'vitest';

import { pages } from '../../src/callers.ts';
import { launchOwnBrowser, untilWritten } from '../support/built-extension.ts';
import { chooseTheme } from '../support/page-actions.ts';
import { type Frames, framesOf, withWatchedFrames } from '../support/watch-frames.ts';

/** Background colour and colour scheme of a page. The system of the tests' browsers is light. */
const LIGHT: unknown = expect.stringMatching(/^oklch\(0\.[89].*, light$/);
const EITHER: unknown = expect.stringMatching(/^oklch\(0\.[89].*, light dark$/);
const DARK: unknown = expect.stringMatching(/^oklch\(0\.[0-3].*, dark$/);

it('paints popup and options in the right theme from their first frame and without a shift, and the popup at its final size', async () => {
  let extension = await launchOwnBrowser(await withWatchedFrames());
  const popups: Frames[] = [];
  const options: Partial<Frames>[] = [];

  async function lookAtPages(): Promise<void> {
    const popup = await extension.openPopup();
    popups.push(await framesOf(popup));
    await popup.close();
    const page = await extension.open(pages.options);
    const { grounds, shifts } = await framesOf(page);
    // A tab shows its canvas until the page has rendered.
    options.push({ grounds: grounds.filter((ground) => !ground.startsWith('blank')), shifts });
    await page.close();
  }

  // Firefox sizes a popup differently when it was open before.
  for (const choice of ['Light', 'Match system', 'Dark']) {
    await chooseTheme(extension, choice);
    await lookAtPages();
  }
  await untilWritten(extension, 'theme', 'dark');
  extension = await extension.restart();
  await lookAtPages();

  const themes = [LIGHT, EITHER, DARK, DARK];
  const size = popups[0]?.sizes[0];
  expect(size).toMatch(/^\d+ x (\d+), content \1$/);
  // Browsers show at most 600 px of a popup.
  expect(Number(/x (\d+)/.exec(size ?? '')?.[1])).toBeLessThanOrEqual(600);
  expect(popups).toEqual(
    themes.map((ground) => ({
      sizes: [size],
      grounds: [ground],
      shifts: [],
      framesAfterAnswer: expect.any(Number) as unknown,
    })),
  );
  expect(options).toEqual(themes.map((ground) => ({ grounds: [ground], shifts: [] })));
});
