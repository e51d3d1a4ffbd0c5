import { useEffect, useRef, useState } from 'react';

import { type CallState, useCall } from '../../ui/calls.ts';
import { useExtension } from '../../ui/extension.ts';
import { formatNumber } from '../../ui/text.ts';
import type { CallRecord, RecordBatch } from './background.ts';

/** A record with a unique key. Its number is not unique, because each background starts at 1. */
export interface Message extends CallRecord {
  readonly key: string;
}

/** Number of messages that the page keeps. Older ones are dropped. */
const MOST = 10_000;

/** Milliseconds between two updates. Records that arrive in between are shown together. */
const PAUSE = 100;

interface Recorded {
  /** Messages that have ended, in the order of their end, then open ones. */
  readonly messages: readonly Message[];
  /** Start of each background in ms since 1970. */
  readonly starts: readonly number[];
  /** Number of records that the background dropped before they were sent. */
  readonly dropped: number;
  /** Keys of cleared messages, because the background may send them again. */
  readonly cleared: readonly string[];
}

interface Messages extends Omit<Recorded, 'cleared'> {
  /** State of the stream that brings the messages. */
  readonly call: CallState<never>;
  readonly clear: () => void;
}

/** Follows the recorded messages, except during a pause. */
export function useMessages(isPaused: boolean): Messages {
  const { client } = useExtension();
  const [recorded, setRecorded] = useState(nothing);
  const paused = useRef(isPaused);

  useEffect(() => {
    paused.current = isPaused;
  }, [isPaused]);

  const call = useCall<never>('messages.watch', async (signal) => {
    // The first batch has all records, so it replaces the messages of an earlier run.
    let isFirst = true;
    for await (const batch of client.subscribe('messages.watch', undefined, { signal })) {
      const isReplacing = isFirst;
      setRecorded((latest) =>
        addBatch(isReplacing ? { ...nothing, cleared: latest.cleared } : latest, batch),
      );
      isFirst = false;
      do {
        await new Promise((resolve) => setTimeout(resolve, PAUSE));
      } while (paused.current && !signal.aborted);
    }
  });

  return {
    ...recorded,
    call,
    clear: () => setRecorded((latest) => ({ ...nothing, cleared: knownKeys(latest) })),
  };
}

const nothing: Recorded = { messages: [], starts: [], dropped: 0, cleared: [] };

/** Keys of the latest messages that have ended. A background keeps as many, and sends them again after a lost connection. */
function knownKeys({ messages, cleared }: Recorded): readonly string[] {
  const ended = messages.filter(({ outcome }) => outcome !== 'open');
  return [...cleared, ...ended.map(({ key }) => key)].slice(-1_000);
}

function addBatch(before: Recorded, { startedAt, open, records, dropped }: RecordBatch): Recorded {
  const withKey = (record: CallRecord): Message => ({ ...record, key: `${startedAt} ${record.number}` });
  const ended = before.messages.filter(({ outcome }) => outcome !== 'open');
  const known = new Set(knownKeys(before));
  const fresh = records.map(withKey).filter(({ key }) => !known.has(key));
  return {
    messages: [...ended, ...fresh].slice(-MOST).concat(open.map(withKey)),
    starts: [...new Set([...before.starts, startedAt])],
    dropped: before.dropped + dropped,
    cleared: before.cleared,
  };
}

/** Fields of a message by which messages can be filtered. */
export const choosable = ['caller', 'kind', 'name', 'outcome'] as const;

/** A value for each field, and a text to search for. Empty values match every message. */
export type MessageFilter = Readonly<Record<(typeof choosable)[number] | 'text', string>>;

export const noFilter: MessageFilter = { caller: '', kind: '', name: '', outcome: '', text: '' };

/** Order of messages: `at` puts the latest start first, `duration` the longest. */
export type MessageOrder = 'at' | 'duration';

/** Returns the messages that match a filter, in order. Open messages count as the longest. */
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

/** Formats milliseconds for a language: `1.2 ms`, `340 ms`. */
export function formatDuration(duration: number, language: string): string {
  const maximumFractionDigits = duration < 10 ? 1 : 0;
  return formatNumber(duration, language, { style: 'unit', unit: 'millisecond', maximumFractionDigits });
}
