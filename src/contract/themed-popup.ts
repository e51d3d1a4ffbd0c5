import type { Theme } from './preferences.ts';

/** The language of what the build renders. */
export const builtLanguage = 'en';

/**
 * Path of the popup with a theme in its HTML: it needs no script before its first frame, and is painted that much sooner.
 * The build makes it of `pages.popup`, which is right in every theme and language. These names stay for good: a browser
 * may keep what the toolbar opens over an update.
 */
export function themedPopup(theme: Theme): string {
  return `src/popup/${theme}.html`;
}
