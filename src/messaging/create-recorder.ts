import type { ErrorCode } from './call-error.ts';
import { createNotify } from './create-notify.ts';
import type { Kind } from './procedure.ts';
import type { OpeningFrame, AnswerFrame } from './frame.ts';
import { measureJson } from './measure-json.ts';

/** What is left of a call or a stream that has ended. Never what was said in it. */
export type CallRecord = {
  /** Rises by one a record, from 1, and starts over with every worker. */
  readonly number: number;
  readonly caller: string;
  readonly kind: Kind;
  readonly name: string;
  /** `value` and `end` are answers, the rest what it ended in instead. */
  readonly outcome: 'value' | 'end' | ErrorCode;
  /** When it began, in ms since 1970. */
  readonly at: number;
  /** Milliseconds in this worker. */
  readonly duration: number;
  /** How often it was sent; more than once when workers died over it. */
  readonly attempts: number;
  /** Bytes of its input and of all that it was answered. */
  readonly bytes: number;
};

/** The records that came since the last look, and how many were gone before they could be seen. */
export type RecordBatch = { readonly records: CallRecord[]; readonly dropped: number };

/** Follows one call until it has ended. */
export interface Observation {
  readonly note: (frame: AnswerFrame) => void;
  /** `outcome` is what it ended in when no frame was sent that says so. */
  readonly end: (outcome: ErrorCode) => void;
}

export interface Recorder {
  /** While it is off nothing is recorded and nothing is measured. It is off at first. */
  readonly turn: (isOn: boolean) => void;
  readonly observe: (caller: string, frame: OpeningFrame) => Observation | undefined;
  /** The records there are, then those that come, until the signal is aborted. */
  readonly watch: (signal: AbortSignal) => AsyncGenerator<RecordBatch, void>;
}

/** @param capacity most records that are kept; the oldest make room */
export function createRecorder(capacity = 1_000): Recorder {
  const ring: CallRecord[] = [];
  const watchers = new Set<() => void>();
  let isOn = false;
  let count = 0;

  function add(record: Omit<CallRecord, 'number'>): void {
    count += 1;
    ring[count % capacity] = { number: count, ...record };
    for (const notify of watchers) notify();
  }

  async function* watch(signal: AbortSignal): AsyncGenerator<RecordBatch, void> {
    const { notify, notified } = createNotify();
    let seen = -1;
    watchers.add(notify);
    signal.addEventListener('abort', notify);
    try {
      while (!signal.aborted) {
        const records = ring.filter(({ number }) => number > seen).toSorted((a, b) => a.number - b.number);
        const dropped = count - Math.max(seen, 0) - records.length;
        const isNews = count > seen;
        seen = count;
        if (isNews) yield { records, dropped };
        await notified();
      }
    } finally {
      watchers.delete(notify);
      signal.removeEventListener('abort', notify);
    }
  }

  return {
    turn: (value) => {
      isOn = value;
    },
    observe: (caller, frame) => (isOn ? observe(caller, frame, add) : undefined),
    watch,
  };
}

function observe(
  caller: string,
  { kind, name, input, attempt }: OpeningFrame,
  add: (record: Omit<CallRecord, 'number'>) => void,
): Observation {
  const [at, start] = [Date.now(), performance.now()];
  let bytes = sizeOf(input);
  let outcome: CallRecord['outcome'] | undefined;

  return {
    note: (frame) => {
      if (frame.kind === 'error') outcome = frame.error.code;
      else if (frame.kind === 'end') outcome = 'end';
      else bytes += sizeOf(frame.value);
      if (frame.kind === 'value') outcome = 'value';
    },
    end: (otherwise) => {
      const duration = performance.now() - start;
      add({ caller, kind, name, outcome: outcome ?? otherwise, at, duration, attempts: attempt, bytes });
    },
  };
}

function sizeOf(value: unknown): number {
  const size = measureJson(value);
  return typeof size === 'number' ? size : 0;
}
