import * as v from 'valibot';

import { defaultPreferences, Preferences } from '../contract/preferences.ts';
import { defineDocument } from '../messaging/state/documents.ts';

export const preferences = defineDocument({
  key: 'preferences',
  schema: v.looseObject(Preferences.entries),
  initial: defaultPreferences,
});

/** All state of the extension. */
export const documents = [preferences];
