import { useContext } from 'react';

import type { Preferences } from '../contract/preferences.ts';
import type { CallState } from './call-state.ts';
import { PreferencesContext } from './preferences-context.ts';

/** The preferences as the worker has them, now and after every change, whoever makes it. */
export function usePreferences(): CallState<Preferences> {
  return useContext(PreferencesContext);
}
