import * as v from 'valibot';

import { mutation, subscription } from '../../messaging/contract.ts';

/** The record of a call or a stream, without its input and output. */
const CallRecord = v.strictObject({
  /** Number of the call. Each background starts at 1. */
  number: v.number(),
  caller: v.string(),
  kind: v.picklist(['query', 'mutation', 'subscription']),
  name: v.string(),
  /** `open` until the call ends, then `value` or `end` for a success, or the code of the error. */
  outcome: v.string(),
  /** Id of an unexpected error in the background's log. */
  incident: v.exactOptional(v.string()),
  /** Time of the start, in ms since 1970. */
  at: v.number(),
  /** Milliseconds that the background took. Missing until the call ends. */
  duration: v.exactOptional(v.number()),
  /** Number of times that the call was sent. */
  attempts: v.number(),
});

export type CallRecord = v.InferOutput<typeof CallRecord>;

/** The open calls, the records since the last batch, and the number of records that were dropped in between. */
const RecordBatch = v.strictObject({
  /** Start of the background in ms since 1970. Together with `number`, it identifies a record. */
  startedAt: v.number(),
  open: v.array(CallRecord),
  records: v.array(CallRecord),
  dropped: v.number(),
});

export type RecordBatch = v.InferOutput<typeof RecordBatch>;

/** Setting of the message log. */
export const Recording = v.object({ isOn: v.boolean() });

export type Recording = v.InferOutput<typeof Recording>;

export const messagesContract = {
  /** Records of the calls that the background served while recording was on. */
  'messages.watch': subscription({ callers: ['options'], output: RecordBatch }),

  /** The setting of the log, now and after each change. */
  'recording.watch': subscription({ callers: ['options'], output: Recording }),

  'recording.set': mutation({ callers: ['options'], input: Recording, output: Recording }),
};
