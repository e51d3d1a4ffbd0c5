import * as v from 'valibot';

import { Json } from './json.ts';

/** Something that could not be read, as it was found. */
export const Quarantined = v.object({
  /** Key of the document under which it was stored. */
  document: v.string(),
  /** When it was found, in ms since 1970; 0 where nobody knows. */
  at: v.number(),
  value: Json,
});

export type Quarantined = v.InferOutput<typeof Quarantined>;

/** How the stored state stands; nothing in both lists when all is well. */
export const StorageState = v.object({
  /** Whether nothing is stored at all: nothing was yet, or all of it is gone. */
  isEmpty: v.boolean(),
  /** Keys of the documents that a newer version of the extension has written, and that this one leaves as they are. */
  readOnly: v.array(v.string()),
  quarantined: v.array(v.omit(Quarantined, ['value'])),
});

export type StorageState = v.InferOutput<typeof StorageState>;
