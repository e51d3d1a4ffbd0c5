import { useEffect, useRef, useState } from 'react';

import { type CallState, useCall } from '../../ui/calls.ts';
import { useExtension } from '../../ui/extension.ts';
import type { PlainKey, Translate } from '../../ui/text.ts';
import type { CallRecord, RecordBatch } from './background.ts';

/** A record, and the start of the background that it comes from. */
interface Message extends CallRecord {
  /** Milliseconds since 1970. */
  readonly startedAt: number;
}

/** A message, or the start of a background, which has the number 0. */
export type Row = Message | Pick<Message, 'startedAt' | 'number'>;

export const isMessage = (row: Row): row is Message => row.number > 0;

/** Everything that the page has received. */
interface MessageLog extends Pick<RecordBatch, 'recorded'> {
  /** Starts of the backgrounds in ms since 1970. The last one is that of the current background. */
  readonly starts: readonly number[];
  readonly open: readonly Message[];
  /** In the order in which they ended. */
  readonly ended: readonly Row[];
  readonly failures: readonly Message[];
  /** Number of records that the background dropped before they were sent. */
  readonly dropped: number;
}

const nothing: MessageLog = { recorded: 0, starts: [], open: [], ended: [], failures: [], dropped: 0 };

/** Number of rows in the table. Older ones are dropped. */
const MOST = 500;

/** Numbers of starts and of failures that the page keeps for a file. */
const [STARTS, FAILURES] = [20, 20];

/** Outcome of a message that was open when its background stopped. */
const STOPPED = 'stopped';

/** Milliseconds between two updates. Records that arrive in between are shown together. */
const PAUSE = 100;

/** Follows the recorded messages, except during a pause. */
export function useMessageLog(isPaused: boolean): {
  readonly log: MessageLog;
  /** State of the stream that brings the messages. */
  readonly call: CallState<never>;
  readonly clear: () => void;
} {
  const { client } = useExtension();
  const [log, setLog] = useState(nothing);
  const paused = useRef(isPaused);

  useEffect(() => {
    paused.current = isPaused;
  }, [isPaused]);

  const call = useCall<never>('messages.watch', async (signal) => {
    for await (const batch of client.subscribe('messages.watch', undefined, { signal })) {
      setLog((before) => addBatch(before, batch));
      do {
        await new Promise((resolve) => setTimeout(resolve, PAUSE));
      } while (paused.current && !signal.aborted);
    }
  });

  return { log, call, clear: () => setLog((before) => ({ ...before, ended: [], dropped: 0 })) };
}

/** Adds what is new. After a lost connection, the first batch repeats the records that the page has already. */
function addBatch(before: MessageLog, batch: RecordBatch): MessageLog {
  const { startedAt, recorded } = batch;
  const own = (record: CallRecord): Message => ({ ...record, startedAt });
  const isSame = before.starts.at(-1) === startedAt;
  const count = isSame ? recorded - before.recorded : batch.records.length;
  const records = batch.records.slice(Math.max(batch.records.length - count, 0)).map(own);
  const open = batch.open.map(own);
  const stopped = before.open.map((message) => ({ ...message, outcome: STOPPED }));
  const restart = isSame ? [] : [...stopped, { startedAt, number: 0 }];
  return {
    recorded,
    starts: isSame ? before.starts : [...before.starts, startedAt].slice(-STARTS),
    open,
    ended: [...before.ended, ...restart, ...records].slice(-Math.max(MOST - open.length, 1)),
    failures: [
      ...before.failures.filter((failure) => failure.startedAt !== startedAt),
      ...batch.failures.map(own),
    ].slice(-FAILURES),
    dropped: before.dropped + count - records.length,
  };
}

/** Returns the rows that have a text in a cell: open messages first, then all others, with the latest start first. */
export function findRows({ open, ended }: MessageLog, search: string, t: Translate): readonly Row[] {
  const text = search.trim().toLowerCase();
  const matches = (row: Row): boolean => {
    if (text === '' || !isMessage(row)) return text === '';
    const cells = [row.name, row.kind, callerOf(row), outcomeOf(row, t), row.incident ?? ''];
    return cells.some((cell) => cell.toLowerCase().includes(text));
  };
  const latestFirst = (a: Row, b: Row): number => b.startedAt - a.startedAt || b.number - a.number;
  return [...open.toSorted(latestFirst), ...ended.toSorted(latestFirst)].filter(matches);
}

/** Returns the caller, with the number of its connection if it has one. */
export function callerOf({ caller, connection }: CallRecord): string {
  return connection === undefined ? caller : `${caller} ${connection}`;
}

const outcomes: Readonly<Record<string, PlainKey>> = {
  open: 'message_open',
  value: 'message_value',
  end: 'message_end',
  [STOPPED]: 'message_stopped',
};

/** Returns the text for an outcome, or the code of the error. */
export function outcomeOf({ outcome }: CallRecord, t: Translate): string {
  const key = outcomes[outcome];
  return key === undefined ? outcome : t(key);
}
