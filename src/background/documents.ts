import * as v from 'valibot';

import { defaultPreferences, Preferences } from '../contract/preferences.ts';
import { defineDocument } from './define-document.ts';

/** All state of the extension, what is in quarantine aside. */
export const documents = {
  preferences: defineDocument({
    key: 'preferences',
    schema: v.looseObject(Preferences.entries),
    initial: defaultPreferences,
  }),
};
