import * as v from 'valibot';

import { defineContract, mutation, query, subscription } from '../messaging/contract.ts';
import { RecordBatch } from './call-record.ts';
import { ExtensionInfo } from './extension-info.ts';
import { Preferences, PreferencesPatch } from './preferences.ts';
import { Quarantined, StorageState } from './storage-state.ts';

const None = v.strictObject({});

/** Characters of JSON in all that is stored: more than Chromium's `storage.local` holds (10 MiB). */
const ALL_STATE = 16 * 1024 * 1024;

/** Everything that the pages can ask of the background. Pages import its type alone. */
export const contract = defineContract({
  /** Answered whenever the worker runs: how the pages learn that it does. */
  'extension.info': query({ callers: ['popup', 'options'], output: ExtensionInfo }),

  /** Ids of the points of the specification that have been answered in the build that runs. */
  'points.specified': query({ callers: ['popup', 'options'], output: v.array(v.string()) }),

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
   * A record of each message that the worker has served, while `recordMessages` is on.
   * Ends only with the caller's signal.
   */
  'messages.watch': subscription({ callers: ['options'], output: RecordBatch }),

  /** What is unusual about the stored state, now and after every change. Ends only with the caller's signal. */
  'storage.watch': subscription({ callers: ['popup', 'options'], output: StorageState }),

  /** What is in quarantine, with the values as they were found. */
  'quarantine.export': query({ callers: ['options'], output: v.array(Quarantined), maxSize: ALL_STATE }),

  /** Removes what was found up to a time, in ms since 1970, from the quarantine for good. */
  'quarantine.discard': mutation({
    callers: ['options'],
    input: v.strictObject({ until: v.number() }),
    output: None,
    errors: { readOnly: None },
  }),
});
