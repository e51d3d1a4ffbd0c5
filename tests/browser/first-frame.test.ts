import { expect, it } from 'vitest';

import type { View } from '../../scripts/browsers/running-extension.ts';
import { pages } from '../../src/callers.ts';
import { copyBuiltExtension, launchOwnBrowser } from '../support/built-extension.ts';
import { chooseTheme } from '../support/page-actions.ts';

/**
 * Runs in a page before everything else, and looks at it frame by frame: a browser asks for a callback before each frame that
 * it paints. In Firefox the popup begins in a window of a few pixels that is not visible.
 */
const WATCH = `
  const watched = { sizes: [], grounds: [], shifts: [], framesWhenAwake: 0 };
  globalThis.watched = watched;
  const note = (list, value) => { if (!list.includes(value)) list.push(value); };
  const look = () => {
    const root = document.documentElement;
    if (innerWidth > 100) {
      note(watched.sizes, innerWidth + ' x ' + innerHeight + ', content ' + document.body?.offsetHeight);
      const { backgroundColor, colorScheme } = getComputedStyle(root);
      note(watched.grounds, backgroundColor + ', ' + colorScheme);
      if (root.textContent.includes('Ready')) watched.framesWhenAwake += 1;
    }
    requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
  if (PerformanceObserver.supportedEntryTypes.includes('layout-shift')) {
    new PerformanceObserver((list) => watched.shifts.push(...list.getEntries().map(({ value }) => value)))
      .observe({ type: 'layout-shift', buffered: true });
  }
`;

interface Watched {
  readonly watched: Readonly<Record<'sizes' | 'grounds', string[]>> & {
    readonly shifts: number[];
    readonly framesWhenAwake: number;
  };
}

/** Background and scheme of a page. The test's browsers have a light system. */
const LIGHT: unknown = expect.stringMatching(/^oklch\(0\.[89].*, light$/);
const EITHER: unknown = expect.stringMatching(/^oklch\(0\.[89].*, light dark$/);
const DARK: unknown = expect.stringMatching(/^oklch\(0\.[0-3].*, dark$/);

it('paints every frame of popup and options in the right theme, and of the popup at its final size', async () => {
  const watch = (html: string): string => html.replace('<head>', '<head><script src="/watch.js"></script>');
  const folder = await copyBuiltExtension({
    'watch.js': WATCH,
    [pages.popup]: watch,
    [pages.options]: watch,
  });
  let extension = await launchOwnBrowser(folder);
  const popups: Watched['watched'][] = [];
  const options: string[][] = [];

  async function lookAtPages(): Promise<void> {
    const popup = await extension.openPopup();
    popups.push(await framesOf(popup));
    await popup.close();
    const page = await extension.open(pages.options);
    options.push((await framesOf(page)).grounds);
    await page.close();
  }

  // Firefox sizes a popup in another way when it has been open before.
  for (const choice of ['Light', 'Match system', 'Dark']) {
    await chooseTheme(extension, choice);
    await lookAtPages();
    if (choice === 'Match system') continue;
    extension = await extension.restart();
    await lookAtPages();
  }

  const grounds = [[LIGHT], [LIGHT], [EITHER], [DARK], [DARK]];
  const size = popups[0]?.sizes[0];
  expect(size).toMatch(/^\d+ x (\d+), content \1$/);
  // Browsers show at most 600 px.
  expect(Number(/x (\d+)/.exec(size ?? '')?.[1])).toBeLessThanOrEqual(600);
  expect(popups).toEqual(
    grounds.map((ground) => ({
      sizes: [size],
      grounds: ground,
      shifts: [],
      framesWhenAwake: expect.any(Number) as unknown,
    })),
  );
  expect(options).toEqual(grounds);
});

/** What was seen of a page until some time after all of its answers were there. */
async function framesOf(page: View): Promise<Watched['watched']> {
  return page.waitFor(() => {
    const { watched } = globalThis as unknown as Watched;
    return watched.framesWhenAwake > 20 && watched;
  });
}
