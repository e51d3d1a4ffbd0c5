import { expect } from 'vitest';

import type { RunningExtension, View } from '../../scripts/browsers/running-extension.ts';
import { pages } from '../../src/callers.ts';
import { copyBuiltExtension } from './built-extension.ts';

/**
 * Runs first in a page, and records properties of each frame: a browser calls an animation callback before each frame that it
 * paints. Small windows are skipped, because in Firefox the popup begins in an invisible window of a few pixels.
 */
const WATCH = `
  const watched = { sizes: [], grounds: [], shifts: [], framesAfterAnswer: 0 };
  globalThis.watched = watched;
  const note = (list, value) => { if (!list.includes(value)) list.push(value); };
  const look = () => {
    const root = document.documentElement;
    if (innerWidth > 100) {
      note(watched.sizes, innerWidth + ' x ' + innerHeight + ', content ' + document.body?.offsetHeight);
      const { backgroundColor, colorScheme } = getComputedStyle(root);
      const content = document.querySelector('#root')?.hasChildNodes() ? '' : 'blank, ';
      note(watched.grounds, content + backgroundColor + ', ' + colorScheme);
      if (performance.getEntriesByName('first-answer').length > 0) watched.framesAfterAnswer += 1;
    }
    requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
  if (PerformanceObserver.supportedEntryTypes.includes('layout-shift')) {
    new PerformanceObserver((list) => watched.shifts.push(...list.getEntries().map(({ value }) => value)))
      .observe({ type: 'layout-shift', buffered: true });
  }
`;

/** Properties of the frames that a page has painted. Each size and each ground is listed once. */
export interface Frames {
  /** Width and height of the window and height of the content in CSS px, such as `360 x 486, content 486`. */
  readonly sizes: readonly string[];
  /** Background colours, each with its colour scheme, and with `blank` if the page had no content. */
  readonly grounds: readonly string[];
  readonly shifts: readonly number[];
  readonly framesAfterAnswer: number;
}

/** Copies the production build, or another one, and adds to both of its pages a script that watches their frames. */
export function withWatchedFrames(source?: string): Promise<string> {
  const watch = (html: string): string => html.replace('<head>', '<head><script src="/watch.js"></script>');
  return copyBuiltExtension({ 'watch.js': WATCH, [pages.popup]: watch, [pages.options]: watch }, source);
}

/** Waits for 20 frames after the background has answered. Returns everything that was recorded until then. */
export function framesOf(page: View): Promise<Frames> {
  return page.waitFor(() => {
    const { watched } = globalThis as unknown as { readonly watched: Frames };
    return watched.framesAfterAnswer > 20 && watched;
  });
}

/** Background colour and colour scheme of a page. The system of the tests' browsers is light. */
export const LIGHT: unknown = expect.stringMatching(/^oklch\(0\.[89].*, light$/);
export const EITHER: unknown = expect.stringMatching(/^oklch\(0\.[89].*, light dark$/);
export const DARK: unknown = expect.stringMatching(/^oklch\(0\.[0-3].*, dark$/);

/** The frames of both pages of the extension. */
export interface Look {
  readonly sizesOfPopup: readonly string[];
  readonly popup: readonly unknown[];
  readonly options: readonly unknown[];
  readonly shifts: readonly number[];
}

/** Opens the popup, and then the options page. */
export async function lookAtPages(extension: RunningExtension): Promise<Look> {
  const popupView = await extension.openPopup();
  const popup = await framesOf(popupView);
  await popupView.close();
  const page = await extension.open(pages.options);
  const options = await framesOf(page);
  await page.close();
  return {
    sizesOfPopup: popup.sizes,
    popup: popup.grounds,
    // A tab shows its canvas until the page has rendered.
    options: options.grounds.filter((ground) => !ground.startsWith('blank')),
    shifts: [...popup.shifts, ...options.shifts],
  };
}

/** Returns the look of pages that have this ground in all frames and do not move. Its popup has the size of another one. */
export function steadyLook(ground: unknown, { sizesOfPopup }: Look): Look {
  return { sizesOfPopup: sizesOfPopup.slice(0, 1), popup: [ground], options: [ground], shifts: [] };
}
