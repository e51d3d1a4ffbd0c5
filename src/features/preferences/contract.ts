import * as v from 'valibot';

import { mutation, subscription } from '../../messaging/contract.ts';

const Theme = v.picklist(['system', 'light', 'dark']);

/** Theme of the pages. `system` follows the setting of the operating system. */
export type Theme = v.InferOutput<typeof Theme>;

/** Settings of the skeleton. None of them is product behaviour. */
export const Preferences = v.object({ theme: Theme });

export type Preferences = v.InferOutput<typeof Preferences>;

export const preferencesContract = {
  /** The preferences, now and after each change. */
  'preferences.watch': subscription({ callers: ['popup', 'options'], output: Preferences }),

  /** Changes the given preferences, and returns all preferences. */
  'preferences.update': mutation({
    callers: ['options'],
    input: v.strictObject({ theme: v.exactOptional(Theme) }),
    output: Preferences,
  }),
};
