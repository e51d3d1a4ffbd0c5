import { createCredit } from './create-credit.ts';
import type { Credit } from './create-credit.ts';
import { parseClientFrame } from './frame.ts';
import type { MutationFrame, QueryFrame, ServerFrame, SubscriptionFrame } from './frame.ts';
import type { IncomingPort } from './port.ts';
import { runCall } from './run-call.ts';
import { runStream } from './run-stream.ts';
import type { Server } from './serve.ts';
import { MAX_TIMEOUT } from './timeout.ts';

interface Running {
  readonly frame: QueryFrame | MutationFrame | SubscriptionFrame;
  readonly abort: () => void;
  readonly credit: Credit;
}

/** Serves one page over its port until either is gone. Messages that are no frames are nobody's and are passed over. */
export function servePort(server: Server, port: IncomingPort, caller: string): void {
  const calls = new Map<number, Running>();

  function start(frame: Running['frame']): void {
    const controller = new AbortController();
    const { signal } = controller;
    const abort = (): void => controller.abort();
    const credit = createCredit(signal);
    calls.set(frame.id, { frame, abort, credit });

    const send = (answer: ServerFrame | undefined): void => {
      if (answer !== undefined && !signal.aborted) port.post(answer);
    };
    const done = (): void => {
      calls.delete(frame.id);
    };
    if (frame.kind === 'subscription') {
      credit.grant(frame.credit);
      void runStream(server, caller, frame, { credit, signal, send }).finally(done);
    } else {
      const deadline = setTimeout(abort, Math.min(frame.timeout, MAX_TIMEOUT));
      void runCall(server, caller, frame, signal)
        .then(send)
        .finally(() => {
          clearTimeout(deadline);
          done();
        });
    }
  }

  port.onMessage((message) => {
    const frame = parseClientFrame(message);
    if (frame === undefined) return;

    const call = calls.get(frame.id);
    if (frame.kind === 'abort') call?.abort();
    else if (frame.kind === 'credit') call?.credit.grant(frame.credit);
    else if (call === undefined) start(frame);
  });

  port.onDisconnect(() => {
    for (const { frame, abort } of calls.values()) {
      // Nobody waits for an answer, but what a person did just before the popup closed still counts.
      if (frame.kind !== 'mutation') abort();
    }
  });
}
