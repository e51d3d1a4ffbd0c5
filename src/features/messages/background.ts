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
  kind: v.picklist(['query', 'mutation', 'subscription', 'task']),
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
const Recording = v.object({ isOn: v.boolean() });

export type Recording = v.InferOutput<typeof Recording>;

const recording = defineDocument({
  key: 'recording',
  schema: v.looseObject(Recording.entries),
  initial: { isOn: false },
});

export const messagesFeature = createMessagesFeature();

/** Creates the message log of a background, and the procedures that read it and switch recording. */
export function createMessagesFeature() {
  const log = createMessageLog();
  return defineFeature({
    documents: [recording],
    procedures: {
      /** Records of the calls that the background served while recording was on. */
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
    observe: log.observe,
    start: ({ background }) => background.watch(recording, ({ isOn }) => log.turn(isOn)),
  });
}

/**
 * Records each call in memory, without its input and output.
 *
 * @param capacity number of records to keep; older ones are dropped
 */
export function createMessageLog(capacity = 1_000) {
  const startedAt = performance.timeOrigin + performance.now();
  const open = new Map<number, CallRecord>();
  const recent: CallRecord[] = [];
  const changes = new EventTarget();
  let isOn: boolean | undefined;
  let begun = 0;
  let ended = 0;

  function changed(): void {
    if (isOn !== false) changes.dispatchEvent(new Event('record'));
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
        ended = 0;
      }
      isOn = value;
      changes.dispatchEvent(new Event('record'));
    },
    observe: ((call) => {
      begun += 1;
      const start = performance.now();
      const record: CallRecord = {
        number: begun,
        at: Date.now(),
        outcome: 'open',
        ...call,
        caller: call.caller.name,
      };
      // Also kept while recording is off, so that a stream which is already open is shown when recording starts.
      open.set(record.number, record);
      changed();

      return (outcome, incident) => {
        open.delete(record.number);
        if (isOn === false) return;
        ended += 1;
        const duration = performance.now() - start;
        recent.push({ ...record, duration, outcome, ...(incident !== undefined && { incident }) });
        if (recent.length > capacity) recent.shift();
        changed();
      };
    }) satisfies Observe,
    /** Yields all records, then batches of new ones, until the signal is aborted. */
    watch: (signal: AbortSignal): AsyncGenerator<RecordBatch, void> => {
      let seen: number | undefined;
      return watchChanges(changes, ['record'], signal, () => {
        if (isOn === undefined) return { startedAt, open: [], records: [], dropped: 0 };

        // The first batch has all records, so none are dropped.
        const count = seen === undefined ? recent.length : ended - seen;
        const records = count === 0 ? [] : recent.slice(-count);
        seen = ended;
        return { startedAt, open: isOn ? [...open.values()] : [], records, dropped: count - records.length };
      });
    },
  };
}
