import * as v from 'valibot';

import { defaultPreferences, Preferences } from '../contract/preferences.ts';
import type { Json } from '../messaging/json.ts';

/** The key of the preferences in the store. */
export const PREFERENCES = 'preferences';

/** Raised with every change of the shape that is stored. */
const VERSION = 1;

const Stored = v.object({ version: v.literal(VERSION), data: Preferences });

/** The preferences in what the store holds: the defaults where it holds none, nothing where they cannot be read. */
export function readPreferences(stored: Json | undefined): Preferences | undefined {
  if (stored === undefined) return defaultPreferences;

  const result = v.safeParse(Stored, stored);
  return result.success ? result.output.data : undefined;
}

/** What the store is to hold. */
export function writePreferences(data: Preferences): Json {
  return { version: VERSION, data };
}
