import * as v from 'valibot';

import { mutation, query, subscription } from '../../messaging/contract.ts';

/** State of the store. `readOnly` and `unreadable` are empty when all data could be read. */
const StorageState = v.object({
  /** Nothing is stored, either because nothing was saved or because everything was lost. */
  isEmpty: v.boolean(),
  /** The stored documents. The version is missing if it cannot be read. */
  documents: v.array(v.object({ key: v.string(), version: v.exactOptional(v.number()) })),
  /** Keys of documents that are not stored, and of which no unreadable value is kept. */
  absent: v.array(v.string()),
  /** Keys of documents that a newer version of the extension has written. They are not changed. */
  readOnly: v.array(v.string()),
  /** Values that could not be read and are kept unchanged. */
  unreadable: v.array(
    v.object({
      id: v.string(),
      /** The key under which it was stored. */
      key: v.string(),
      /** Time when it was moved to quarantine, in ms since 1970, or 0 if it is still stored under its key. */
      at: v.number(),
    }),
  ),
});

export type StorageState = v.InferOutput<typeof StorageState>;

export const storedDataContract = {
  /** The state of the store, now and after each change. */
  'storage.watch': subscription({ callers: ['popup', 'options'], output: StorageState }),

  /**
   * Returns a part of an unreadable value as text, because the value can be larger than a message. Ends in `gone` if the
   * value was removed or changed.
   */
  'quarantine.export': query({
    callers: ['options'],
    input: v.strictObject({ id: v.string(), from: v.pipe(v.number(), v.integer(), v.minValue(0)) }),
    output: v.strictObject({ text: v.string(), isLast: v.boolean() }),
    errors: { gone: v.strictObject({}) },
    // A part has 1 Mi characters, each of which may take six in JSON.
    maxSize: 8 * 1024 * 1024,
  }),

  /** Removes unreadable values, except those that have changed since they were listed. */
  'quarantine.discard': mutation({
    callers: ['options'],
    input: v.strictObject({ ids: v.array(v.string()) }),
    output: v.strictObject({}),
  }),
};
