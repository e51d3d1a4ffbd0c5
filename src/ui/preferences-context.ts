import { createContext } from 'react';

import type { Preferences } from '../contract/preferences.ts';
import type { CallState } from './call-state.ts';

export const PreferencesContext = createContext<CallState<Preferences>>({ status: 'loading' });
