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

  const transitions = document.getAnimations().filter((animation) => animation instanceof CSSTransition);
  for (const transition of transitions) transition.finish();
  // Forced colours come in two steps, and the second sets off transitions of its own.
  return transitions.length === 0;
}
