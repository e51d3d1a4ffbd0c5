import type { Theme } from './background.ts';

const KEY = 'theme';

/** Saves the theme for `applySavedTheme` in the next page. */
export function saveTheme(theme: Theme): void {
  try {
    localStorage.setItem(KEY, theme);
  } catch {
    // Without `localStorage`, the next page shows the system's theme until the background has answered.
  }
}

/** Applies the saved theme. Call it before the first render, because the background answers only later. */
export function applySavedTheme(): void {
  try {
    applyTheme(localStorage.getItem(KEY) ?? 'system');
  } catch {
    // The page starts in the system's theme.
  }
}

export function applyTheme(theme: string): void {
  document.documentElement.dataset['theme'] = theme;
}
