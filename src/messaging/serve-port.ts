import { batchFrames } from './batch-frames.ts';
import type { ErrorCode } from './call-error.ts';
import { createAbort } from './create-abort.ts';
import { createNotify } from './create-notify.ts';
import { parseClientFrame, READY } from './frame.ts';
import type { AnswerFrame, OpeningFrame } from './frame.ts';
import type { IncomingPort } from './port.ts';
import { runCall } from './run-call.ts';
import type { Server } from './serve.ts';
import { MAX_TIMEOUT } from './timeout.ts';
import { watchDeadlines } from './watch-deadlines.ts';

/** A call or a stream that has not ended. */
interface Running {
  readonly kind: OpeningFrame['kind'];
  /** As `performance.now` counts; `Infinity` for a stream. */
  readonly deadline: number;
  readonly giveUp: (reason: ErrorCode) => void;
  readonly pull: () => void;
}

/**
 * Milliseconds after its first frame when a page is greeted that was not answered: an answer says as much, and a
 * greeting delays it. A page that has sent nothing may not listen yet.
 */
const GREETING_DELAY = 50;

/** Serves one page over its port until either is gone. Messages that are no frames are nobody's and are passed over. */
export function servePort(server: Server, incoming: IncomingPort, caller: string): void {
  const port = batchFrames(incoming);
  const calls = new Map<number, Running>();
  const wakeAt = watchDeadlines(calls);
  let hasSpoken = false;
  let greeting: ReturnType<typeof setTimeout> | undefined;

  async function run(frame: OpeningFrame): Promise<void> {
    const abort = createAbort();
    const { notify: pull, notified: pulled } = createNotify();
    const observation = server.recorder?.observe(caller, frame);
    const send = (answer: AnswerFrame): void => {
      if (abort.reason() !== undefined) return;
      observation?.note(answer);
      hasSpoken = true;
      port.post(answer);
    };

    const deadline = deadlineOf(frame);
    calls.set(frame.id, { kind: frame.kind, deadline, giveUp: abort.abort, pull });
    wakeAt(deadline);
    try {
      await runCall(server, caller, frame, { abort, send, pulled });
    } finally {
      calls.delete(frame.id);
      observation?.end(abort.reason() ?? 'ABORTED');
    }
  }

  port.onMessage((message) => {
    const frame = parseClientFrame(message);
    if (frame === undefined) return;
    greeting ??= setTimeout(() => {
      if (!hasSpoken) port.post(READY);
    }, GREETING_DELAY);

    const call = calls.get(frame.id);
    if (frame.kind === 'abort') call?.giveUp(frame.reason);
    else if (frame.kind === 'pull') call?.pull();
    else if (call === undefined) void run(frame);
  });

  port.onDisconnect(() => {
    for (const { kind, giveUp } of calls.values()) {
      // Nobody waits for an answer, but what a person did just before the popup closed still counts.
      if (kind !== 'mutation') giveUp('DISCONNECTED');
    }
  });
}

function deadlineOf(frame: OpeningFrame): number {
  return frame.kind === 'subscription' ? Infinity : performance.now() + Math.min(frame.timeout, MAX_TIMEOUT);
}
