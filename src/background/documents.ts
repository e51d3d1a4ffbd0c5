import * as v from 'valibot';

import { defaultPreferences, Preferences } from '../contract/preferences.ts';
import { defineDocument } from './document.ts';

/** All state of the extension, apart from what is in quarantine. */
export const documents = {
  preferences: defineDocument({
    key: 'preferences',
    schema: v.looseObject(Preferences.entries),
    initial: defaultPreferences,
  }),
};
