import * as v from 'valibot';

import { mutation, subscription } from '../../messaging/contract.ts';

/** The record of a call or a stream, without its input and output. */
const CallRecord = v.strictObject({
  /** Number of the call. Each background starts at 1. */
  number: v.number(),
  caller: v.string(),
  /** Number of the page's connection. Each background starts at 1. Calls of the background itself have none. */
  connection: v.exactOptional(v.number()),
  kind: v.picklist(['query', 'mutation', 'subscription']),
  name: v.string(),
  /** `open` until the call ends, then `value` or `end` for a success, or the code of the error. */
  outcome: v.string(),
  /** `true` if the outcome is an error, except that of a caller that no longer wants an answer. */
  hasFailed: v.boolean(),
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

/** The open calls, and the records since the last batch that are still kept. */
const RecordBatch = v.strictObject({
  /** Start of the background in ms since 1970. Together with `number`, it identifies a record. */
  startedAt: v.number(),
  open: v.array(CallRecord),
  /** In the order in which the calls ended. The first batch of a stream has all records. */
  records: v.array(CallRecord),
  /** Number of records so far, including those that are no longer kept. */
  recorded: v.number(),
  /** The latest failures. They are kept even while recording is off. */
  failures: v.array(CallRecord),
});

export type RecordBatch = v.InferOutput<typeof RecordBatch>;

/** Setting of the message log. */
export const Recording = v.object({ isOn: v.boolean() });

export type Recording = v.InferOutput<typeof Recording>;

export const messagesContract = {
  /** Records of the calls that the background served while recording was on, and the latest failures. */
  'messages.watch': subscription({ callers: ['options'], output: RecordBatch }),

  /** The setting of the log, now and after each change. */
  'recording.watch': subscription({ callers: ['options'], output: Recording }),

  'recording.set': mutation({ callers: ['options'], input: Recording, output: Recording }),
};
