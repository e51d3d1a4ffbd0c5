import fc from 'fast-check';

import { hugeFrames } from './huge-frames.ts';
import { FORGED_PAGE, malformedFrame, STREAM_ID } from './malformed-frame.ts';

/** What became of malformed frames. */
interface MalformedReport {
  readonly sent: number;
  /** Frames that the browser did not take: too large, or not to be copied. */
  readonly refused: number;
  /** Error answers, by code. What is left was passed over. */
  readonly answers: Readonly<Record<string, number>>;
  /** The first answers that were no typed errors. */
  readonly unexpected: readonly unknown[];
  readonly isPortOpen: boolean;
}

/** Frames that are sent before a well-formed query shows that the worker has taken them all. */
const BATCH = 500;

const ADD = {
  kind: 'mutation',
  id: 1_000,
  name: 'counter.add',
  input: 1,
  attempt: 1,
  timeout: 600_000,
  sentAt: Date.now(),
};
const WATCH = { kind: 'subscription', id: STREAM_ID, name: 'counter.watch', attempt: 1 };
const FENCE = { kind: 'query', name: 'worker.facts', attempt: 1, timeout: 60_000 };

/** Sends generated frames that are malformed, and unless told otherwise the huge ones, over one real port of this page. */
export async function sendMalformed(seed: number, count: number, isHugeToo = true): Promise<MalformedReport> {
  const port = chrome.runtime.connect();
  const answers: Record<string, number> = {};
  const unexpected: unknown[] = [];
  const waiting = new Map<number, () => void>();
  let [sent, refused, fences, isPortOpen] = [0, 0, 1_000_000, true];

  port.onDisconnect.addListener(() => (isPortOpen = false));
  port.onMessage.addListener((message) => {
    for (const frame of message as readonly unknown[]) {
      const { kind, id, error } = frame as { kind: string; id: number; error?: { code: string } };
      if (waiting.has(id)) waiting.get(id)?.();
      else if (kind === 'error' && error !== undefined) answers[error.code] = (answers[error.code] ?? 0) + 1;
      else if (kind !== 'ready' && unexpected.length < 5) unexpected.push(frame);
    }
  });

  function post(frame: unknown): void {
    sent += 1;
    try {
      // An array is a message: what is not a frame may stand in one, or for one.
      port.postMessage(Array.isArray(frame) ? frame : [frame]);
    } catch {
      refused += 1;
    }
  }
  const answered = (frame: { readonly id: number; readonly [key: string]: unknown }): Promise<void> =>
    new Promise((resolve) => {
      waiting.set(frame.id, resolve);
      port.postMessage([frame]);
    });
  const fence = (): Promise<void> => answered({ ...FENCE, id: (fences += 1) });

  await answered({ ...ADD, page: FORGED_PAGE, sentAt: Date.now() });
  await answered(WATCH);
  if (isHugeToo) {
    for (const frame of hugeFrames()) {
      post(frame);
      await fence();
    }
  }
  for (let batch = 0; sent < count; batch += 1) {
    const numRuns = Math.min(BATCH, count - sent);
    for (const frame of fc.sample(malformedFrame, { seed: seed + batch, numRuns })) post(frame);
    await fence();
  }
  port.disconnect();
  return { sent, refused, answers, unexpected, isPortOpen };
}
