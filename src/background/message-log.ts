import type { CallRecord, RecordBatch } from '../contract/messages.ts';
import type { Observe } from '../messaging/server/session.ts';
import { watchChanges } from '../messaging/state/watch.ts';

/** Keeps a record of each answered call in memory, never its input or output. */
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
  const ring: CallRecord[] = [];
  const changes = new EventTarget();
  let isOn: boolean | undefined;
  let count = 0;

  return {
    turn: (value) => {
      const isFirst = isOn === undefined;
      isOn = value;
      if (!isFirst) return;
      if (!value) ring.length = count = 0;
      changes.dispatchEvent(new Event('record'));
    },
    observe: (call) => {
      if (isOn === false) return undefined;

      const [at, start] = [Date.now(), performance.now()];
      return (outcome) => {
        if (isOn === false) return;
        count += 1;
        const duration = performance.now() - start;
        ring[count % capacity] = { number: count, at, duration, outcome, ...call };
        changes.dispatchEvent(new Event('record'));
      };
    },
    watch: (signal) => {
      let seen: number | undefined;
      return watchChanges(changes, ['record'], signal, () => {
        if (isOn === undefined) return { records: [], dropped: 0 };

        const records = ring
          .filter(({ number }) => number > (seen ?? 0))
          .toSorted((a, b) => a.number - b.number);
        // What the first look does not find is older than it, and not missed.
        const dropped = seen === undefined ? 0 : count - seen - records.length;
        seen = count;
        return { records, dropped };
      });
    },
  };
}
