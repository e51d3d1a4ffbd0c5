import { expect, it } from 'vitest';

import { launchBuiltExtension } from '../support/built-extension.ts';
import { chooseTheme } from '../support/page-actions.ts';
import { DARK, LIGHT, lookAtPages, steadyLook, withWatchedFrames } from '../support/watch-frames.ts';

it('paints popup and options in the right theme from their first frame and without a shift, and the popup at its final size', async () => {
  const extension = await launchBuiltExtension(await withWatchedFrames());

  // Firefox sizes a popup differently when it was open before.
  await chooseTheme(extension, 'Light');
  const light = await lookAtPages(extension);
  await chooseTheme(extension, 'Dark');
  const dark = await lookAtPages(extension);

  expect([light, dark]).toEqual([steadyLook(LIGHT, light), steadyLook(DARK, light)]);
  const [, height = '', content = ''] =
    /^\d+ x (\d+), content (\d+)$/.exec(light.sizesOfPopup[0] ?? '') ?? [];
  expect(height).toBe(content);
  // Browsers show at most 600 px of a popup.
  expect(Number(height)).toBeGreaterThan(0);
  expect(Number(height)).toBeLessThanOrEqual(600);
});
