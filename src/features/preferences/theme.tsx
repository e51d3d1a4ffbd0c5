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
    document.documentElement.dataset['theme'] = theme;
    saveTheme(theme);
  }, [theme]);

  return <PreferencesContext value={preferences}>{children}</PreferencesContext>;
}

/** Returns the preferences and follows their changes, including those of other pages. */
export function usePreferences(): CallState<Preferences> {
  return useContext(PreferencesContext);
}

/** Saves the theme, so that `src/static/before-paint.js` can apply it when the next page opens. */
export function saveTheme(theme: Theme): void {
  try {
    localStorage.setItem('theme', theme);
  } catch {
    // Without `localStorage`, the next page shows the system's theme for a moment.
  }
}
