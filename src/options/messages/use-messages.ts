import { useEffect, useEffectEvent, useRef, useState } from 'react';

import type { CallRecord, RecordBatch } from '../../contract/messages.ts';
import type { CallError } from '../../messaging/errors.ts';
import { toCallError, useReturnOfBackground } from '../../ui/calls.ts';
import { useExtension } from '../../ui/extension.ts';

/** A record with a key that is this page's own: the numbers of the background start over with every worker. */
export interface Message extends CallRecord {
  readonly key: number;
}

/** Most messages that the page holds; the oldest make room. */
const MOST = 10_000;

/** ms between two updates: records that arrive faster are shown together. The background keeps as many as it can. */
const PAUSE = 100;

interface Messages {
  /** Oldest first. */
  readonly messages: readonly Message[];
  /** How many there were that were not kept. */
  readonly dropped: number;
  readonly error: CallError | undefined;
  /** Follows again after an error. */
  readonly retry: () => void;
  readonly clear: () => void;
}

/** The recorded messages, as they come while `isPaused` is false. */
export function useMessages(isPaused: boolean): Messages {
  const { client } = useExtension();
  const [state, setState] = useState<{ messages: readonly Message[]; dropped: number }>({
    messages: [],
    dropped: 0,
  });
  const [failure, setFailure] = useState<{ readonly attempt: number; readonly error: CallError }>();
  const [attempt, setAttempt] = useState(0);
  const error = failure?.attempt === attempt ? failure.error : undefined;
  const paused = useRef(isPaused);
  const lastKey = useRef(0);

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

  function add({ records, dropped }: RecordBatch, isFirst: boolean): void {
    const fresh = records.map((record) => withKey(record, (lastKey.current += 1)));
    setState((before) =>
      isFirst
        ? { messages: fresh, dropped }
        : { messages: [...before.messages, ...fresh].slice(-MOST), dropped: before.dropped + dropped },
    );
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

  return { ...state, error, retry, clear: () => setState({ messages: [], dropped: 0 }) };
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

/** The messages to show, the one that started last first. They come in the order in which they ended. */
export function filterMessages(messages: readonly Message[], filter: MessageFilter): readonly Message[] {
  const text = filter.text.trim().toLowerCase();
  return messages
    .filter(
      (message) =>
        choosable.every((field) => filter[field] === '' || message[field] === filter[field]) &&
        (text === '' || choosable.some((field) => message[field].toLowerCase().includes(text))),
    )
    .toSorted((a, b) => b.at - a.at || b.key - a.key);
}

function withKey(record: CallRecord, key: number): Message {
  return { ...record, key };
}

function pause(): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, PAUSE);
  });
}
