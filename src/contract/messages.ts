import * as v from 'valibot';

/** The record of a call or a stream. It never has the input or output. */
export const CallRecord = v.strictObject({
  /** Rises by one a call, from 1, and starts over with every background. */
  number: v.number(),
  caller: v.string(),
  kind: v.picklist(['query', 'mutation', 'subscription']),
  name: v.string(),
  /** `open` until it ends. `value` and `end` are answers, anything else is the code of the error. */
  outcome: v.string(),
  /** Names an unexpected error in the background's log. */
  incident: v.exactOptional(v.string()),
  /** When it began, in ms since 1970. */
  at: v.number(),
  /** ms in the background; left out until it ends. */
  duration: v.exactOptional(v.number()),
  /** How often it was sent. */
  attempts: v.number(),
});

export type CallRecord = v.InferOutput<typeof CallRecord>;

/** What is open now, the records since the last batch, and how many more there were that were not kept. */
export const RecordBatch = v.strictObject({
  /** When the background started, in ms since 1970: tells its numbers from those of the one before. */
  startedAt: v.number(),
  open: v.array(CallRecord),
  records: v.array(CallRecord),
  dropped: v.number(),
});

export type RecordBatch = v.InferOutput<typeof RecordBatch>;
