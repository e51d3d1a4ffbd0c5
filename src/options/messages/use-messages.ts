import { useEffect, useEffectEvent, useRef, useState } from 'react';

import type { CallRecord, RecordBatch } from '../../contract/messages.ts';
import type { CallError } from '../../messaging/errors.ts';
import { toCallError, useReturnOfBackground } from '../../ui/calls.ts';
import { useExtension } from '../../ui/extension.ts';

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
  readonly error: CallError | undefined;
  /** Follows again after an error. */
  readonly retry: () => void;
  readonly clear: () => void;
}

/** The recorded messages, as they come while `isPaused` is false. */
export function useMessages(isPaused: boolean): Messages {
  const { client } = useExtension();
  const [state, setState] = useState(nothing);
  const [failure, setFailure] = useState<{ readonly attempt: number; readonly error: CallError }>();
  const [attempt, setAttempt] = useState(0);
  const error = failure?.attempt === attempt ? failure.error : undefined;
  const paused = useRef(isPaused);

  useEffect(() => {
    paused.current = isPaused;
  }, [isPaused]);

  const follow = useEffectEvent(async (signal: AbortSignal): Promise<void> => {
    let isFirst = true;
    for await (const batch of client.subscribe('messages.watch', undefined, { signal })) {
      // The first batch holds all there are; a worker that starts over later begins a new count and not a new list.
      add(batch, isFirst);
      isFirst = false;
      do await pause();
      while (paused.current && !signal.aborted);
    }
  });

  function add(batch: RecordBatch, isFirst: boolean): void {
    setState((latest) => addBatch(isFirst ? nothing : latest, batch));
  }

  useEffect(() => {
    const abort = new AbortController();
    follow(abort.signal).catch((reason: unknown) => {
      if (!abort.signal.aborted) setFailure({ attempt, error: toCallError(reason) });
    });
    return () => abort.abort();
  }, [attempt]);

  function retry(): void {
    setAttempt((count) => count + 1);
  }

  useReturnOfBackground(() => {
    if (error !== undefined) retry();
  });

  return { ...state, error, retry, clear: () => setState(nothing) };
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
