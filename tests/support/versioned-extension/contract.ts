import * as v from 'valibot';

import { defineContract, mutation, query } from '../../../src/messaging/contract.ts';
import type { Json as JsonValue } from '../../../src/messaging/json.ts';

/** Any JSON value. */
const Json = v.custom<JsonValue>(() => true);

/** One document, whatever the version of the code makes of it. */
export const versionedContract = defineContract({
  'note.read': query({ callers: ['options'], output: Json }),
  /** Adds a line; answers whether it could. */
  'note.append': mutation({ callers: ['options'], input: v.string(), output: v.boolean() }),
  /** Stages what is no JSON and answers with what it was refused with. */
  'note.spoil': mutation({ callers: ['options'], input: v.string(), output: v.string() }),
});
