import * as v from 'valibot';

/** How the pages look: as the system says, or always light, or always dark. */
export const Theme = v.picklist(['system', 'light', 'dark']);

export type Theme = v.InferOutput<typeof Theme>;

/** The few settings that the skeleton itself has. None of them is product behaviour. */
export const Preferences = v.object({
  theme: Theme,
  /** Whether the worker keeps a record of each message, for the view *Internal messages*. Stored before this was: off. */
  recordMessages: v.optional(v.boolean(), false),
});

export type Preferences = v.InferOutput<typeof Preferences>;

/** The settings to change; those left out stay as they are. */
export const PreferencesPatch = v.strictObject({
  theme: v.exactOptional(Theme),
  recordMessages: v.exactOptional(v.boolean()),
});

export type PreferencesPatch = v.InferOutput<typeof PreferencesPatch>;

/** What holds until the person chooses. */
export const defaultPreferences: Preferences = { theme: 'system', recordMessages: false };
