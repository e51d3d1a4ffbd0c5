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
      const record: CallRecord = { number: begun, at: Date.now(), outcome: 'open', ...call };
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
