import type { ErrorCode } from './call-error.ts';
import { createNotify } from './create-notify.ts';
import { parseClientFrame, READY } from './frame.ts';
import type { AnswerFrame, OpeningFrame } from './frame.ts';
import type { IncomingPort } from './port.ts';
import { runCall } from './run-call.ts';
import { runStream } from './run-stream.ts';
import type { Server } from './serve.ts';
import { MAX_TIMEOUT } from './timeout.ts';

/** A call or a stream that has not ended. */
interface Running {
  readonly kind: OpeningFrame['kind'];
  readonly abort: (reason: ErrorCode) => void;
  readonly pull: () => void;
}

/** Serves one page over its port until either is gone. Messages that are no frames are nobody's and are passed over. */
export function servePort(server: Server, port: IncomingPort, caller: string): void {
  const calls = new Map<number, Running>();

  async function run(frame: OpeningFrame): Promise<void> {
    const controller = new AbortController();
    const { signal } = controller;
    const { notify: pull, notified: pulled } = createNotify();
    const observation = server.recorder?.observe(caller, frame);
    let reason: ErrorCode = 'ABORTED';
    const abort = (why: ErrorCode): void => {
      reason = why;
      controller.abort();
    };
    const send = (answer: AnswerFrame): void => {
      if (signal.aborted) return;
      observation?.note(answer);
      port.post(answer);
    };

    calls.set(frame.id, { kind: frame.kind, abort, pull });
    if (frame.kind === 'subscription') {
      await runStream(server, caller, frame, { pulled, signal, send });
    } else {
      const deadline = setTimeout(abort, Math.min(frame.timeout, MAX_TIMEOUT), 'TIMEOUT');
      const answer = await runCall(server, caller, frame, signal);
      clearTimeout(deadline);
      if (answer !== undefined) send(answer);
    }
    calls.delete(frame.id);
    observation?.end(reason);
  }

  port.onMessage((message) => {
    const frame = parseClientFrame(message);
    if (frame === undefined) return;

    const call = calls.get(frame.id);
    if (frame.kind === 'abort') call?.abort(frame.reason);
    else if (frame.kind === 'pull') call?.pull();
    else if (call === undefined) void run(frame);
  });

  port.onDisconnect(() => {
    for (const { kind, abort } of calls.values()) {
      // Nobody waits for an answer, but what a person did just before the popup closed still counts.
      if (kind !== 'mutation') abort('DISCONNECTED');
    }
  });

  port.post(READY);
}
