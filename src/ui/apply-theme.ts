import type { Theme } from '../contract/preferences.ts';

/**
 * Shows the page in a theme, and leaves a note of it where `src/static/before-paint.js` of the next page finds it at
 * once. The note is no more than that: the preference itself is in the worker's keeping.
 */
export function applyTheme(theme: Theme): void {
  document.documentElement.dataset['theme'] = theme;
  try {
    localStorage.setItem('theme', theme);
  } catch {
    // A browser that keeps no notes for this page shows the next one in the system's theme for a moment.
  }
}
