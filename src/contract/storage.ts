import * as v from 'valibot';

/** Something that was stored and could not be read. */
export const Unreadable = v.object({
  /** Key under which it was stored. */
  document: v.string(),
  /** When it was set aside, in ms since 1970; 0 where that is unknown, and while it still is where it was found. */
  at: v.number(),
  /** The original as JSON text: any text can be stored and sent. */
  text: v.string(),
});

export type Unreadable = v.InferOutput<typeof Unreadable>;

/** The condition of the stored state; both lists are empty when all is well. */
export const StorageState = v.object({
  /** Whether nothing is stored: nothing was stored yet, or everything was lost. */
  isEmpty: v.boolean(),
  /** What is stored, and its version where that can be read. */
  documents: v.array(v.object({ key: v.string(), version: v.exactOptional(v.number()) })),
  /** Keys of the documents that a newer version of the extension has written, and that this one leaves as they are. */
  readOnly: v.array(v.string()),
  /** What could not be read and is kept: in quarantine or, where it cannot be set aside, under its own key. */
  unreadable: v.array(v.omit(Unreadable, ['text'])),
});

export type StorageState = v.InferOutput<typeof StorageState>;
