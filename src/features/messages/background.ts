import * as v from 'valibot';

import type { BackgroundFeature } from '../../background/features.ts';
import type { Observe } from '../../messaging/server/call.ts';
import { defineDocument } from '../../messaging/state/documents.ts';
import { watchChanges } from '../../messaging/state/watch.ts';
import { type CallRecord, type RecordBatch, Recording } from './contract.ts';

const schema = v.looseObject(Recording.entries);
const recording = defineDocument({ key: 'recording', schema, initial: { isOn: false } });

/** Creates the message log of a background, and the handlers that read it and switch recording. */
export function createMessagesFeature() {
  const log = createMessageLog();
  return {
    documents: [recording],
    handlers: {
      'messages.watch': ({ signal }) => log.watch(signal),
      'recording.watch': ({ state }) => state.watch(recording),
      'recording.set': ({ input, state }) => state.update(recording, (old) => ({ ...old, ...input })),
    },
    observe: log.observe,
    start: (background) => background.watch(recording, ({ isOn }) => log.turn(isOn)),
  } satisfies BackgroundFeature;
}

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
    const record = { ...call, name, number: begun, at: Date.now(), outcome: 'open', hasFailed: false };
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
        const hasFailed = !CALM.has(outcome) || (outcome === 'DISCONNECTED' && record.kind === 'mutation');
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
