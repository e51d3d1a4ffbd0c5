import { expect, it } from 'vitest';

import type { View } from '../../scripts/browsers/running-extension.ts';
import { pages } from '../../src/contract/pages.ts';
import { copyBuiltExtension, launchBuiltExtension } from '../support/built-extension.ts';
import { chooseTheme, openPopupAt } from '../support/page-actions.ts';

/** A colour that no page of the extension has: what is shown before the first frame. */
const BEFORE = '#ff00ff';

it('paints every frame of all pages in the right theme, from the first one on', async () => {
  const before = { 'before.html': `<!doctype html><body bgcolor="${BEFORE}">` };
  const extension = await launchBuiltExtension(await copyBuiltExtension(before));
  const seen: unknown[] = [];
  const expected: unknown[] = [];

  for (const [choice, system, shown, theme] of CASES) {
    await chooseTheme(extension, choice);
    // The toolbar opens the popup with the theme in its address.
    for (const page of [pages.options, `${pages.popup}#${theme}`]) {
      const tab = await extension.open('before.html');
      await tab.emulate({ colorScheme: system });
      expected.push([choice, system, page, [shown]]);
      seen.push([choice, system, page, await themesWhileLoading(tab, page)]);
      await tab.close();
    }
  }

  expect(seen).toEqual(expected);
});

const CASES = [
  ['Match system', 'dark', 'dark', 'system'],
  ['Light', 'dark', 'light', 'light'],
  ['Dark', 'light', 'dark', 'dark'],
] as const;

/** Looks at the popup frame by frame. In Firefox it begins in a window of a few pixels that is not visible. */
const WATCH = `
  const watched = { sizes: [], schemes: [], shifts: [], scripts: 0 };
  globalThis.watched = watched;
  const note = (list, value) => { if (!list.includes(value)) list.push(value); };
  const look = () => {
    const root = document.documentElement;
    if (innerWidth > 100) {
      note(watched.sizes, innerWidth + ' x ' + innerHeight + ', content ' + document.body.offsetHeight);
      note(watched.schemes, getComputedStyle(root).colorScheme);
    }
    watched.scripts = document.querySelectorAll('script:not([type=module], [src="/watch.js"])').length;
    requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
  if (PerformanceObserver.supportedEntryTypes.includes('layout-shift')) {
    new PerformanceObserver((list) => watched.shifts.push(...list.getEntries().map(({ value }) => value)))
      .observe({ type: 'layout-shift', buffered: true });
  }
`;

interface Watched {
  readonly watched: Readonly<Record<'sizes' | 'schemes', string[]>> & { readonly shifts: number[] };
}

it('opens the popup at its final size and in its theme, and nothing in it moves', async () => {
  const watch = (html: string): string => html.replace('<head>', '<head><script src="/watch.js"></script>');
  const extension = await launchBuiltExtension(
    await copyBuiltExtension({ 'watch.js': WATCH, [pages.popup]: watch }),
  );
  const opened: Watched['watched'][] = [];

  // Firefox sizes a popup in another way when it has been open before.
  for (const [choice, theme] of [
    ['Light', 'light'],
    ['Match system', 'system'],
    ['Dark', 'dark'],
  ] as const) {
    await chooseTheme(extension, choice);
    const popup = await openPopupAt(extension, `${pages.popup}#${theme}`);
    await popup.waitFor(() => document.body.textContent.includes('Background awake'));
    await popup.evaluate(() => new Promise((resolve) => setTimeout(resolve, 300)));
    opened.push(await popup.evaluate(() => (globalThis as unknown as Watched).watched));
    await popup.close();
  }

  const size = opened[0]?.sizes[0];
  expect(size).toMatch(/^\d+ x (\d+), content \1$/);
  // No browser shows more.
  expect(Number(/x (\d+)/.exec(size ?? '')?.[1])).toBeLessThanOrEqual(600);
  expect(opened).toEqual(
    ['light', 'light dark', 'dark'].map((scheme) => ({
      sizes: [size],
      schemes: [scheme],
      shifts: [],
      // One would run before the first frame.
      scripts: 0,
    })),
  );
});

/** The themes that a tab shows while it loads a page, each once, in their order. */
async function themesWhileLoading(tab: View, page: string): Promise<readonly string[]> {
  const frames = await tab.recordFrames(async () => {
    await tab.evaluate((address) => void setTimeout(() => location.assign(address)), `/${page}`);
    await tab.waitFor(() => document.body.textContent.includes('Background awake'));
    await tab.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 100))));
  });
  const grounds: string[] = [];
  for (const frame of frames) grounds.push(await tab.evaluate(groundOf, frame.toString('base64')));
  // The tab itself may have been empty before, and what is left out of a frame is as it was in the one before.
  const shown = grounds.slice(grounds.lastIndexOf('before') + 1).filter((ground) => ground !== 'unchanged');
  return [...new Set(shown)];
}

/** Runs in a page: what a picture (PNG) shows next to and below the page's content. */
async function groundOf(picture: string): Promise<string> {
  const bytes = Uint8Array.from(atob(picture), (char) => char.codePointAt(0) ?? 0);
  const image = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
  const context = new OffscreenCanvas(1, 1).getContext('2d');
  context?.drawImage(image, Math.round(-0.94 * image.width), Math.round(-0.85 * image.height));
  const [red = 0, green = 0, blue = 0, alpha = 0] = context?.getImageData(0, 0, 1, 1).data ?? [];
  if (red > 200 && green < 50 && blue > 200) return 'before';
  if (alpha === 0) return 'unchanged';
  return red + green + blue > 600 ? 'light' : 'dark';
}
