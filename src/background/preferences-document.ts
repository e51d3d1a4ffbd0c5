import * as v from 'valibot';

import { defaultPreferences, Preferences } from '../contract/preferences.ts';
import { defineDocument } from './define-document.ts';

export const preferences = defineDocument({
  key: 'preferences',
  schema: v.looseObject(Preferences.entries),
  initial: defaultPreferences,
});
