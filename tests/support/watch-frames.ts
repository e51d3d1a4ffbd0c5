import type { View } from '../../scripts/browsers/running-extension.ts';
import { pages } from '../../src/callers.ts';
import { copyBuiltExtension } from './built-extension.ts';

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

/** Properties of the frames that a page has shown, each value once. */
export interface Frames {
  /** Such as `360 x 486, content 486`: width and height of the window in CSS px, and height of the content. */
  readonly sizes: readonly string[];
  /** Background colours, each with the colour scheme. */
  readonly grounds: readonly string[];
  readonly shifts: readonly number[];
  readonly framesWhenAwake: number;
}

/** Copies the production build, or another one, and adds to both of its pages a script that watches their frames. */
export function withWatchedFrames(source?: string): Promise<string> {
  const watch = (html: string): string => html.replace('<head>', '<head><script src="/watch.js"></script>');
  return copyBuiltExtension({ 'watch.js': WATCH, [pages.popup]: watch, [pages.options]: watch }, source);
}

/** Returns what was seen of a page until some time after all of its answers were there. */
export function framesOf(page: View): Promise<Frames> {
  return page.waitFor(() => {
    const { watched } = globalThis as unknown as { readonly watched: Frames };
    return watched.framesWhenAwake > 20 && watched;
  });
}
