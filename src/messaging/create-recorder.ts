import type { ErrorCode } from './call-error.ts';
import { followChanges } from './follow-changes.ts';
import type { OpeningFrame, AnswerFrame } from './frame.ts';
import { measureJson } from './measure-json.ts';
import type { Kind } from './procedure.ts';

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
  /**
   * While it is off nothing is recorded and nothing is measured. Until it is told, it records for the case that it is
   * on, shows nothing, and forgets all of it when it is off: what wakes a worker comes before anything has been read.
   */
  readonly turn: (isOn: boolean) => void;
  readonly observe: (caller: string, frame: OpeningFrame) => Observation | undefined;
  /** The records there are, then those that come, until the signal is aborted. */
  readonly watch: (signal: AbortSignal) => AsyncGenerator<RecordBatch, void>;
}

/** @param capacity most records that are kept; the oldest make room */
export function createRecorder(capacity = 1_000): Recorder {
  const ring: CallRecord[] = [];
  const changes = new EventTarget();
  let isOn: boolean | undefined;
  let count = 0;
  const isOff = (): boolean => isOn === false;

  function observe(caller: string, frame: OpeningFrame): Observation | undefined {
    if (isOff()) return undefined;

    const { kind, name, input, attempt: attempts } = frame;
    const [at, start] = [Date.now(), performance.now()];
    let bytes = sizeOf(input);
    let outcome: CallRecord['outcome'] | undefined;
    return {
      note: (answer) => {
        if ('value' in answer) bytes += sizeOf(answer.value);
        if (answer.kind !== 'next') outcome = answer.kind === 'error' ? answer.error.code : answer.kind;
      },
      end: (otherwise) => {
        if (isOff()) return;
        const duration = performance.now() - start;
        const record = { caller, kind, name, outcome: outcome ?? otherwise, at, duration, attempts, bytes };
        count += 1;
        ring[count % capacity] = { number: count, ...record };
        changes.dispatchEvent(new Event('record'));
      },
    };
  }

  function watch(signal: AbortSignal): AsyncGenerator<RecordBatch, void> {
    let seen: number | undefined;
    return followChanges(changes, 'record', signal, () => {
      if (isOn === undefined) return { records: [], dropped: 0 };

      const records = ring
        .filter(({ number }) => number > (seen ?? 0))
        .toSorted((a, b) => a.number - b.number);
      // What the first look does not find is older than it, and not missed.
      const dropped = seen === undefined ? 0 : count - seen - records.length;
      seen = count;
      return { records, dropped };
    });
  }

  return {
    turn: (value) => {
      const isFirst = isOn === undefined;
      isOn = value;
      if (!isFirst) return;
      if (!value) ring.length = count = 0;
      changes.dispatchEvent(new Event('record'));
    },
    observe,
    watch,
  };
}

/** Bytes, none for what is not JSON. */
const sizeOf = (value: unknown): number => Number(measureJson(value)) || 0;
