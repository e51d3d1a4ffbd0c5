import * as v from 'valibot';

import { defineDocument, defineFeature, mutation, subscription } from '../../define.ts';

const Theme = v.picklist(['system', 'light', 'dark']);

/** Theme of the pages. `system` follows the setting of the operating system. */
export type Theme = v.InferOutput<typeof Theme>;

/** The settings of the person. */
const Preferences = v.object({ theme: Theme });

export type Preferences = v.InferOutput<typeof Preferences>;

const preferences = defineDocument({
  key: 'preferences',
  schema: Preferences,
  initial: { theme: 'system' },
});

export const preferencesFeature = defineFeature({
  documents: [preferences],
  procedures: {
    /** The preferences, now and after each change. */
    'preferences.watch': subscription({
      callers: ['popup', 'options'],
      output: Preferences,
      handle: ({ state }) => state.watch(preferences),
    }),

    /** Changes the given preferences, and returns all preferences. */
    'preferences.update': mutation({
      callers: ['options'],
      input: v.strictObject({ theme: v.exactOptional(Theme) }),
      output: Preferences,
      handle: ({ input, state }) => state.update(preferences, (old) => ({ ...old, ...input })),
    }),
  },
});
