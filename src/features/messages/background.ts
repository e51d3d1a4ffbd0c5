import * as v from 'valibot';

import { defineFeature } from '../../messaging/feature.ts';
import type { Observe } from '../../messaging/server/call.ts';
import { defineDocument } from '../../messaging/state/documents.ts';
import { watchChanges } from '../../messaging/state/watch.ts';
import { mutation, subscription } from '../../procedures.ts';

/** The record of a call or a stream, without its input and output. */
const CallRecord = v.strictObject({
  /** Number of the call. Each background starts at 1. */
  number: v.number(),
  caller: v.string(),
  /** Number of the page's connection. Each background starts at 1. Calls of the background itself have none. */
  connection: v.exactOptional(v.number()),
  kind: v.picklist(['query', 'mutation', 'subscription', 'task']),
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
const Recording = v.object({ isOn: v.boolean() });

export type Recording = v.InferOutput<typeof Recording>;

const recording = defineDocument({
  key: 'recording',
  schema: v.looseObject(Recording.entries),
  initial: { isOn: false },
});

/** The log of this background. */
let log = createMessageLog();

export const messagesFeature = defineFeature({
  documents: [recording],
  procedures: {
    /** Records of the calls that the background served while recording was on, and the latest failures. */
    'messages.watch': subscription({
      callers: ['options'],
      output: RecordBatch,
      handle: ({ signal }) => log.watch(signal),
    }),

    /** The setting of the log, now and after each change. */
    'recording.watch': subscription({
      callers: ['options'],
      output: Recording,
      handle: ({ state }) => state.watch(recording),
    }),

    'recording.set': mutation({
      callers: ['options'],
      input: Recording,
      output: Recording,
      handle: ({ input, state }) => state.update(recording, (old) => ({ ...old, ...input })),
    }),
  },
  observe: (call) => log.observe(call),
  start: ({ background }) => {
    log = createMessageLog();
    background.watch(recording, ({ isOn }) => log.turn(isOn));
  },
});

/** Number of failures to keep. */
const FAILURES = 20;

/** Outcomes that are not failures. A call ends in `DISCONNECTED` when its page closes. */
const CALM: ReadonlySet<string> = new Set(['value', 'end', 'ABORTED', 'DISCONNECTED']);

/**
 * Records each call in memory, without its input and output.
 *
 * @param capacity number of records to keep; older ones are dropped
 */
export function createMessageLog(capacity = 500) {
  const startedAt = performance.timeOrigin + performance.now();
  const open = new Map<number, CallRecord>();
  const failures: CallRecord[] = [];
  const recent: CallRecord[] = [];
  const changes = new EventTarget();
  let isOn: boolean | undefined;
  let begun = 0;
  let recorded = 0;

  const changed = (): unknown => changes.dispatchEvent(new Event('record'));

  function begin(call: Parameters<Observe>[0]): CallRecord {
    begun += 1;
    // A page may send any text as the name of a procedure, but the record must be JSON.
    const name = call.name.toWellFormed();
    const record = {
      ...call,
      caller: call.caller.name,
      name,
      number: begun,
      at: Date.now(),
      outcome: 'open',
      hasFailed: false,
    };
    // Also kept while recording is off, so that a stream which is already open is shown when recording starts.
    open.set(record.number, record);
    if (isOn !== false) changed();
    return record;
  }

  function end(record: CallRecord): void {
    open.delete(record.number);
    if (record.hasFailed) keep(failures, record, FAILURES);
    if (isOn !== false) {
      recorded += 1;
      keep(recent, record, capacity);
    }
    if (isOn !== false || record.hasFailed) changed();
  }

  return {
    /**
     * Switches recording on or off. Until `turn` is first called, the stored setting is not known. Calls are recorded but
     * not shown in that time, and deleted if recording is off. This way, the log has the call that woke the background.
     */
    turn: (value: boolean): void => {
      if (value === isOn) return;
      if (isOn === undefined && !value) {
        recent.length = 0;
        recorded = 0;
      }
      isOn = value;
      changed();
    },
    observe: ((call) => {
      const start = performance.now();
      const record = begin(call);
      return (outcome, incident) => {
        const hasFailed = !CALM.has(outcome);
        const duration = performance.now() - start;
        end({ ...record, duration, outcome, hasFailed, ...(incident !== undefined && { incident }) });
      };
    }) satisfies Observe,
    /** Yields all records, then batches of new ones, until the signal is aborted. */
    watch: (signal: AbortSignal): AsyncGenerator<RecordBatch, void> => {
      let sent = 0;
      return watchChanges(changes, ['record'], signal, () => {
        if (isOn === undefined) return { startedAt, open: [], records: [], recorded: 0, failures };

        const records = recent.slice(Math.max(recent.length - (recorded - sent), 0));
        sent = recorded;
        return { startedAt, open: isOn ? [...open.values()] : [], records, recorded, failures };
      });
    },
  };
}

/** Adds a record to a list that keeps only the latest ones. */
function keep(list: CallRecord[], record: CallRecord, count: number): void {
  list.push(record);
  if (list.length > count) list.shift();
}
