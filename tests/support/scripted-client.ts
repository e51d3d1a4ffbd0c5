import { onTestFinished, vi } from 'vitest';

import { createClient } from '../../src/messaging/client/client.ts';
import type { AnswerFrame, ClientFrame, Port, ServerFrame } from '../../src/messaging/wire/frames.ts';
import type { CounterApi } from './counter.ts';

export const value = (id: number): AnswerFrame => ({ kind: 'value', id, value: 7 });

/** Opens a client for which the test acts as background and browser. Time passes only when the test advances it. */
export function openScriptedClient() {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const frames: ClientFrame[] = [];
  const ports: { receive: (frames: readonly ServerFrame[]) => void; lose: () => void }[] = [];
  let isRefusing = false;
  let isOrphaned = false;

  function connect(): Port {
    if (isOrphaned) throw new Error('Extension context invalidated.');
    const port = { receive: (_: readonly ServerFrame[]): void => {}, lose: (): void => {} };
    ports.push(port);
    return {
      post: (message) => {
        if (!isRefusing) frames.push(...(message as readonly ClientFrame[]));
        return !isRefusing;
      },
      onMessage: (listener) => (port.receive = listener),
      onDisconnect: (listener) => (port.lose = listener),
      disconnect: () => {},
      isOrphaned: () => isOrphaned,
    };
  }

  const settle = (): Promise<unknown> => vi.advanceTimersByTimeAsync(0);
  return {
    client: createClient<CounterApi>(connect),
    /** Frames that the page has posted. */
    frames,
    /** The kind, id and attempt of each of these frames. */
    posted: () =>
      frames.map((frame) =>
        'attempt' in frame ? [frame.kind, frame.id, frame.attempt] : [frame.kind, frame.id],
      ),
    /** Number of ports that the page has opened. */
    opened: () => ports.length,
    /** Waits for everything that takes no time. */
    settle,
    /** Answers over the newest port, or over the one with this index. */
    answer: async (frame: ServerFrame | readonly ServerFrame[], index = -1) => {
      ports.at(index)?.receive([frame].flat());
      await settle();
    },
    losePort: async (index = -1) => {
      ports.at(index)?.lose();
      await settle();
    },
    /** From now on the browser refuses every message. */
    refuse: () => (isRefusing = true),
    /** From now on the page cannot open a port. */
    orphan: () => (isOrphaned = true),
  };
}

/** Opens a scripted client that has made a query. By default, its deadline is later than any test waits. */
export async function openAsking(timeout = 600_000) {
  const scripted = openScriptedClient();
  const ask = () => scripted.client.query('counter.read', undefined, { timeout });
  const asked = ask();
  asked.catch(() => {});
  await scripted.settle();
  return {
    ...scripted,
    ...scripted.client.connection,
    asked,
    ask,
    /** Makes another query, and waits until it is sent. */
    askAgain: async () => {
      void ask();
      await scripted.settle();
    },
  };
}
