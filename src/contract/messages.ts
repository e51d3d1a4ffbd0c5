import * as v from 'valibot';

/** The record of a call or a stream that has ended. It never has the input or output. */
export const CallRecord = v.strictObject({
  /** Rises by one a record, from 1, and starts over with every worker. */
  number: v.number(),
  caller: v.string(),
  kind: v.picklist(['query', 'mutation', 'subscription']),
  name: v.string(),
  /** `value` and `end` are answers, anything else is the code of the error. */
  outcome: v.string(),
  /** When it began, in ms since 1970. */
  at: v.number(),
  /** ms in the worker. */
  duration: v.number(),
  /** How often it was sent. */
  attempts: v.number(),
});

export type CallRecord = v.InferOutput<typeof CallRecord>;

/** The records since the last batch, and how many more there were that were not kept. */
export const RecordBatch = v.strictObject({ records: v.array(CallRecord), dropped: v.number() });

export type RecordBatch = v.InferOutput<typeof RecordBatch>;
