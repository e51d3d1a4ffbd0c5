import * as v from 'valibot';

/** The condition of the stored state. Both lists are empty when all is well. */
export const StorageState = v.object({
  /** Whether nothing is stored: nothing was stored yet, or everything was lost. */
  isEmpty: v.boolean(),
  /** The documents that are stored, with their versions where those can be read. */
  documents: v.array(v.object({ key: v.string(), version: v.exactOptional(v.number()) })),
  /** Keys of documents that a newer version of the extension has written. They stay as they are. */
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
