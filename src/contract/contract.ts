import * as v from 'valibot';

import { defineContract } from '../messaging/define-contract.ts';
import { mutation, query, subscription } from '../messaging/define-procedure.ts';
import { ExtensionInfo } from './extension-info.ts';
import { Preferences, PreferencesPatch } from './preferences.ts';

/** Everything that the pages can ask of the worker. */
export const contract = defineContract({
  /** Answered whenever the worker runs: how the pages learn that it does. */
  'extension.info': query({ callers: ['popup', 'options'], output: ExtensionInfo }),

  /** The preferences, now and after every change. Ends only with the caller's signal. */
  'preferences.watch': subscription({ callers: ['popup', 'options'], output: Preferences }),

  /**
   * Changes some preferences and answers with all of them. Declares `unreadable`: what is stored was written by another
   * version of the extension or is damaged, and was left as it is.
   */
  'preferences.update': mutation({
    callers: ['options'],
    input: PreferencesPatch,
    output: Preferences,
    errors: { unreadable: v.strictObject({}) },
  }),
});
