import * as v from 'valibot';

import { Json } from './json.ts';
import { storageFormat } from './storage-format.ts';

/** All documents of the extension, as they are exported and imported. */
export const StorageFile = v.object({
  format: v.literal(storageFormat),
  /** Of this format. Each document has a version of its own. */
  version: v.literal(1),
  documents: v.record(
    v.string(),
    v.object({ version: v.pipe(v.number(), v.integer(), v.minValue(1)), data: Json }),
  ),
});

export type StorageFile = v.InferOutput<typeof StorageFile>;

/** What an import would change: one value within one document. */
export const StorageChange = v.object({
  /** Keys from the document's own down. */
  path: v.array(v.string()),
  /** Left out where there is none. */
  from: v.exactOptional(Json),
  to: v.exactOptional(Json),
});

export type StorageChange = v.InferOutput<typeof StorageChange>;

/** What is wrong with a file: something at a place, a document of a newer version, or one that nobody knows. */
export const FileFault = v.object({
  reason: v.picklist(['shape', 'newer', 'unknown']),
  /** Keys from the top of the file down. */
  path: v.array(v.string()),
  /** For `shape`: what has to stand there and what does, in the notation of the schema. */
  expected: v.exactOptional(v.string()),
  received: v.exactOptional(v.string()),
});

export type FileFault = v.InferOutput<typeof FileFault>;
