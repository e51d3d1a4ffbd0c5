import { useEffect, useRef, useState } from 'react';

import { type CallState, useCall } from '../../ui/calls.ts';
import { useExtension } from '../../ui/extension.ts';
import type { CallRecord, RecordBatch } from './contract.ts';

/** A record with a key of its own: the numbers start over with every background. */
export interface Message extends CallRecord {
  readonly key: string;
}

/** Most messages that the page holds; the oldest make room. */
const MOST = 10_000;

/** ms between two updates: records that arrive faster are shown together. The background keeps as many as it can. */
const PAUSE = 100;

interface Recorded {
  /** In the order in which they ended, then those that are open. */
  readonly messages: readonly Message[];
  /** When each background started, in ms since 1970. */
  readonly starts: readonly number[];
  /** How many there were that were not kept. */
  readonly dropped: number;
}

interface Messages extends Recorded {
  /** State of the stream that brings the messages. */
  readonly call: CallState<never>;
  readonly clear: () => void;
}

/** The recorded messages. New ones are added while `isPaused` is false. */
export function useMessages(isPaused: boolean): Messages {
  const { client } = useExtension();
  const [recorded, setRecorded] = useState(nothing);
  const paused = useRef(isPaused);

  useEffect(() => {
    paused.current = isPaused;
  }, [isPaused]);

  const call = useCall<never>('messages.watch', async (signal) => {
    // The first batch has all records, so it replaces those of an earlier run.
    let isFirst = true;
    for await (const batch of client.subscribe('messages.watch', undefined, { signal })) {
      const isReplacing = isFirst;
      setRecorded((latest) => addBatch(isReplacing ? nothing : latest, batch));
      isFirst = false;
      do await pause();
      while (paused.current && !signal.aborted);
    }
  });

  return { ...recorded, call, clear: () => setRecorded(nothing) };
}

const nothing: Recorded = { messages: [], starts: [], dropped: 0 };

function addBatch(before: Recorded, { startedAt, open, records, dropped }: RecordBatch): Recorded {
  const withKey = (record: CallRecord): Message => ({ ...record, key: `${startedAt} ${record.number}` });
  const ended = before.messages.filter(({ outcome }) => outcome !== 'open');
  // A background that stayed gives all of its records again when the connection was lost.
  const known = new Set(ended.slice(-1_000).map(({ key }) => key));
  const fresh = records.map(withKey).filter(({ key }) => !known.has(key));
  return {
    messages: [...ended, ...fresh].slice(-MOST).concat(open.map(withKey)),
    starts: [...new Set([...before.starts, startedAt])],
    dropped: before.dropped + dropped,
  };
}

/** What to show. An empty text is everything. */
export interface MessageFilter {
  readonly caller: string;
  readonly kind: string;
  readonly name: string;
  readonly outcome: string;
  /** In any of these, in upper or lower case. */
  readonly text: string;
}

export const noFilter: MessageFilter = { caller: '', kind: '', name: '', outcome: '', text: '' };

/** The fields of a message that can be chosen from. */
export const choosable = ['caller', 'kind', 'name', 'outcome'] as const;

/** Which message comes first: the one that started last, or the one that took longest. */
export type MessageOrder = 'at' | 'duration';

/** The messages to show. An open one has taken longest, as far as anyone knows. */
export function filterMessages(
  messages: readonly Message[],
  filter: MessageFilter,
  order: MessageOrder = 'at',
): readonly Message[] {
  const text = filter.text.trim().toLowerCase();
  const chosen = choosable.filter((field) => filter[field] !== '');
  const lasted = ({ duration = Infinity }: Message): number => (order === 'duration' ? duration : 0);
  return messages
    .filter(
      (message) =>
        chosen.every((field) => message[field] === filter[field]) &&
        (text === '' ||
          message.incident === text ||
          choosable.some((field) => message[field].toLowerCase().includes(text))),
    )
    .toSorted((a, b) => Math.sign(lasted(b) - lasted(a)) || b.at - a.at || b.number - a.number);
}

function pause(): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, PAUSE);
  });
}
