import type { View } from '../../scripts/browsers/running-extension.ts';
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
