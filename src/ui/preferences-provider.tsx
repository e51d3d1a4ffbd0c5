import { useLayoutEffect } from 'react';
import type { ReactNode } from 'react';

import { applyTheme } from './apply-theme.ts';
import { PreferencesContext } from './preferences-context.ts';
import { useSubscription } from './use-subscription.ts';

/** Watches the preferences once for the whole page, and gives it the theme that they name. */
export function PreferencesProvider({ children }: { readonly children: ReactNode }) {
  const preferences = useSubscription('preferences.watch');
  const theme = preferences.status === 'ready' ? preferences.value.theme : undefined;

  // Before what is drawn in the colours of the page asks for them.
  useLayoutEffect(() => {
    if (theme !== undefined) applyTheme(theme);
  }, [theme]);

  return <PreferencesContext value={preferences}>{children}</PreferencesContext>;
}
