import * as v from 'valibot';

import { mutation, query, subscription } from '../../messaging/contract.ts';

/** State of the store. `readOnly` and `unreadable` are empty when all data could be read. */
const StorageState = v.object({
  /** Nothing is stored: either nothing was stored yet, or everything was lost. */
  isEmpty: v.boolean(),
  /** The stored documents, with their versions where those can be read. */
  documents: v.array(v.object({ key: v.string(), version: v.exactOptional(v.number()) })),
  /** Keys of documents that a newer version of the extension has written. They are not changed. */
  readOnly: v.array(v.string()),
  /** Values that could not be read and are kept. */
  unreadable: v.array(
    v.object({
      id: v.string(),
      /** The key under which it was stored. */
      key: v.string(),
      /** When it was set aside, in ms since 1970; 0 if it could not be, and is still stored under its key. */
      at: v.number(),
    }),
  ),
});

export type StorageState = v.InferOutput<typeof StorageState>;

export const storedDataContract = {
  /** The state of the store, now and after every change. Ends with the caller's signal. */
  'storage.watch': subscription({ callers: ['popup', 'options'], output: StorageState }),

  /**
   * A part of an unreadable value as text: such values can be larger than a message. Declares `gone` if the value was
   * removed or has changed.
   */
  'quarantine.export': query({
    callers: ['options'],
    input: v.strictObject({ id: v.string(), from: v.pipe(v.number(), v.integer(), v.minValue(0)) }),
    output: v.strictObject({ text: v.string(), isLast: v.boolean() }),
    errors: { gone: v.strictObject({}) },
    // Each of the 1 Mi characters may be six in JSON.
    maxSize: 8 * 1024 * 1024,
  }),

  /** Removes unreadable values, except those that have changed since they were listed. */
  'quarantine.discard': mutation({
    callers: ['options'],
    input: v.strictObject({ ids: v.array(v.string()) }),
    output: v.strictObject({}),
  }),
};
