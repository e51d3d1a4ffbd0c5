import type { CallRecord, RecordBatch } from '../contract/messages.ts';
import type { Observe } from '../messaging/server/session.ts';
import { watchChanges } from '../messaging/state/watch.ts';

/** Keeps a record of each answered call in memory, and of those that are open; never their input or output. */
export interface MessageLog {
  /**
   * Switches recording. While it is off nothing is recorded. Before the first call it is not known: then calls are
   * recorded, not shown, and forgotten if it turns out to be off. What wakes a background comes before anything is read.
   */
  readonly turn: (isOn: boolean) => void;
  readonly observe: Observe;
  /** The records there are, then those that come, until the signal is aborted. */
  readonly watch: (signal: AbortSignal) => AsyncGenerator<RecordBatch, void>;
}

/** @param capacity most records that are kept; the oldest make room */
export function createMessageLog(capacity = 1_000): MessageLog {
  const startedAt = performance.timeOrigin + performance.now();
  const open = new Map<number, CallRecord>();
  const recent: CallRecord[] = [];
  const changes = new EventTarget();
  let isOn: boolean | undefined;
  let begun = 0;
  let ended = 0;

  return {
    turn: (value) => {
      if (value === isOn) return;
      if (isOn === undefined && !value) recent.length = ended = 0;
      isOn = value;
      changes.dispatchEvent(new Event('record'));
    },
    observe: (call) => {
      begun += 1;
      const start = performance.now();
      const record: CallRecord = { number: begun, at: Date.now(), outcome: 'open', ...call };
      // Noted while recording is off as well: a page that is open when it is switched on has streams by then.
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
    },
    watch: (signal) => {
      let seen: number | undefined;
      return watchChanges(changes, ['record'], signal, () => {
        if (isOn === undefined) return { startedAt, open: [], records: [], dropped: 0 };

        // What the first look does not find is older than it, and not missed.
        const count = seen === undefined ? recent.length : ended - seen;
        const records = count === 0 ? [] : recent.slice(-count);
        seen = ended;
        return { startedAt, open: isOn ? [...open.values()] : [], records, dropped: count - records.length };
      });
    },
  };

  function changed(): void {
    if (isOn !== false) changes.dispatchEvent(new Event('record'));
  }
}
