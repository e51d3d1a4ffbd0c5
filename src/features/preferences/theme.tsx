import { createContext, type ReactNode, useContext, useLayoutEffect } from 'react';

import { type CallState, useSubscription } from '../../ui/calls.ts';
import type { Preferences } from './background.ts';
import { applyTheme, saveTheme } from './saved-theme.ts';

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
