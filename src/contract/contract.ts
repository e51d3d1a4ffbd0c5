import * as v from 'valibot';

import { defineContract, mutation, query, subscription } from '../messaging/contract.ts';
import { RecordBatch } from './messages.ts';
import { callers } from './pages.ts';
import { Preferences, PreferencesPatch } from './preferences.ts';
import { StorageState } from './storage.ts';

const None = v.strictObject({});

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

/** All calls that the background answers. Pages import its type alone. */
export const contract = defineContract(callers, {
  /** Answered whenever the background runs. */
  'extension.info': query({ callers: ['popup', 'options'], output: ExtensionInfo }),

  /** How many questions of the specification are answered in the build that runs. */
  'questions.count': query({
    callers: ['popup', 'options'],
    output: v.strictObject({ answered: v.number(), total: v.number() }),
  }),

  /** The preferences, now and after every change. Ends only with the caller's signal. */
  'preferences.watch': subscription({ callers: ['popup', 'options'], output: Preferences }),

  /** Changes some preferences, and returns all of them. */
  'preferences.update': mutation({ callers: ['options'], input: PreferencesPatch, output: Preferences }),

  /**
   * A record of each message that the background has served, while `recordMessages` is on.
   * Ends only with the caller's signal.
   */
  'messages.watch': subscription({ callers: ['options'], output: RecordBatch }),

  /** The condition of the stored state, now and after every change. Ends only with the caller's signal. */
  'storage.watch': subscription({ callers: ['popup', 'options'], output: StorageState }),

  /**
   * A part of a stored value that could not be read, as text: such values can be larger than a message. Declares `gone` if
   * the value was removed or has changed.
   */
  'quarantine.export': query({
    callers: ['options'],
    input: v.strictObject({ id: v.string(), from: v.pipe(v.number(), v.integer(), v.minValue(0)) }),
    output: v.strictObject({ text: v.string(), isLast: v.boolean() }),
    errors: { gone: None },
    // Of 1 Mi characters, each may be six in JSON.
    maxSize: 8 * 1024 * 1024,
  }),

  /** Removes stored values that could not be read, except those that have changed since they were listed. */
  'quarantine.discard': mutation({
    callers: ['options'],
    input: v.strictObject({ ids: v.array(v.string()) }),
    output: None,
  }),
});
