import type { Emulation } from './view.ts';

/**
 * Whether the page shows what is emulated by now. Transitions that the change has set off are brought to their end, so
 * that a picture or a measurement of contrast does not catch colours halfway. Runs inside the page.
 */
export function settleEmulation({ colorScheme, reducedMotion, forcedColors, viewport }: Emulation): boolean {
  const isMatched = (query: string, expected: boolean | undefined): boolean =>
    expected === undefined || matchMedia(query).matches === expected;
  if (colorScheme !== undefined && !isMatched(`(prefers-color-scheme: ${colorScheme})`, true)) return false;
  if (!isMatched('(prefers-reduced-motion)', reducedMotion)) return false;
  if (!isMatched('(forced-colors: active)', forcedColors)) return false;
  if (viewport && (innerWidth !== viewport.width || innerHeight !== viewport.height)) return false;

  for (const animation of document.getAnimations()) {
    if (animation instanceof CSSTransition) animation.finish();
  }
  return true;
}
