import { createContext, type ReactNode, useContext, useLayoutEffect } from 'react';

import { type CallState, useSubscription } from '../../ui/calls.ts';
import type { Preferences, Theme } from './contract.ts';

const PreferencesContext = createContext<CallState<Preferences>>({ status: 'loading' });

/** Follows the preferences for the whole page, and shows the page in their theme. */
export function PreferencesProvider({ children }: { readonly children: ReactNode }) {
  const preferences = useSubscription('preferences.watch');
  const theme = preferences.status === 'ready' ? preferences.value.theme : undefined;

  // Before the browser paints what React has drawn.
  useLayoutEffect(() => {
    if (theme === undefined) return;
    document.documentElement.dataset['theme'] = theme;
    saveTheme(theme);
  }, [theme]);

  return <PreferencesContext value={preferences}>{children}</PreferencesContext>;
}

/** The preferences, now and after every change, whichever page makes it. */
export function usePreferences(): CallState<Preferences> {
  return useContext(PreferencesContext);
}

/** Saves a theme for `src/static/before-paint.js` of the next page. */
export function saveTheme(theme: Theme): void {
  try {
    localStorage.setItem('theme', theme);
  } catch {
    // Without `localStorage` the next page shows the system's theme for a moment.
  }
}
