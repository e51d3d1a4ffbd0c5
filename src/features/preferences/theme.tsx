import { createContext, type ReactNode, useContext, useLayoutEffect } from 'react';

import { type CallState, useSubscription } from '../../ui/calls.ts';
import type { Preferences, Theme } from './background.ts';

const PreferencesContext = createContext<CallState<Preferences>>({ status: 'loading' });

/** Provides the preferences to the whole page, and applies their theme to it. */
export function PreferencesProvider({ children }: { readonly children: ReactNode }) {
  const preferences = useSubscription('preferences.watch');
  const theme = preferences.status === 'ready' ? preferences.value.theme : undefined;

  // A layout effect runs before the browser paints the change.
  useLayoutEffect(() => {
    if (theme === undefined) return;
    applyTheme(theme);
    saveTheme(theme);
    // `npm run bench` reads this mark.
    performance.mark('first-answer');
  }, [theme]);

  return <PreferencesContext value={preferences}>{children}</PreferencesContext>;
}

/** Returns the preferences and follows their changes, including those of other pages. */
export function usePreferences(): CallState<Preferences> {
  return useContext(PreferencesContext);
}

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

function applyTheme(theme: string): void {
  document.documentElement.dataset['theme'] = theme;
}
