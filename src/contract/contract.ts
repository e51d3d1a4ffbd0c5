import * as v from 'valibot';

import { defineContract, mutation, query, subscription } from '../messaging/contract.ts';
import { RecordBatch } from './messages.ts';
import { Preferences, PreferencesPatch } from './preferences.ts';
import { StorageState, Unreadable } from './storage.ts';

const None = v.strictObject({});

/** Characters of JSON in everything that is stored: more than Chromium's `storage.local` holds (10 MiB). */
const ALL_STATE = 20 * 1024 * 1024;

/** What the running background says about the extension. */
const ExtensionInfo = v.strictObject({
  name: v.string(),
  /** Given by the browser. */
  id: v.string(),
  version: v.string(),
  /** Name and version, for example `Firefox 142.0`. */
  browser: v.string(),
  /** API permissions and host patterns that are granted now. */
  permissions: v.array(v.string()),
  /** Left out where the browser does not say. */
  storedBytes: v.exactOptional(v.number()),
  /** How often the background has started since the browser did, and when it did last, in ms since 1970. */
  starts: v.strictObject({ count: v.number(), latest: v.number() }),
});

export type ExtensionInfo = v.InferOutput<typeof ExtensionInfo>;

/** Everything that the pages can ask of the background. Pages import its type alone. */
export const contract = defineContract({
  /** Answered whenever the background runs. */
  'extension.info': query({ callers: ['popup', 'options'], output: ExtensionInfo }),

  /** How many questions of the specification are answered in the build that runs. */
  'questions.count': query({
    callers: ['popup', 'options'],
    output: v.strictObject({ answered: v.number(), total: v.number() }),
  }),

  /** The preferences, now and after every change. Ends only with the caller's signal. */
  'preferences.watch': subscription({ callers: ['popup', 'options'], output: Preferences }),

  /**
   * Changes some preferences and answers with all of them. Declares `readOnly`: they were written by a newer version of
   * the extension and stay as they are.
   */
  'preferences.update': mutation({
    callers: ['options'],
    input: PreferencesPatch,
    output: Preferences,
    errors: { readOnly: None },
  }),

  /**
   * A record of each message that the background has served, while `recordMessages` is on.
   * Ends only with the caller's signal.
   */
  'messages.watch': subscription({ callers: ['options'], output: RecordBatch }),

  /** What is unusual about the stored state, now and after every change. Ends only with the caller's signal. */
  'storage.watch': subscription({ callers: ['popup', 'options'], output: StorageState }),

  /** The originals of all stored values that could not be read. */
  'quarantine.export': query({ callers: ['options'], output: v.array(Unreadable), maxSize: ALL_STATE }),

  /**
   * Removes stored values that could not be read: those quarantined up to a time, in ms since 1970, and those that could
   * not be quarantined.
   */
  'quarantine.discard': mutation({
    callers: ['options'],
    input: v.strictObject({ until: v.number() }),
    output: None,
    errors: { readOnly: None },
  }),
});
