import type { Caller } from './identify-caller.ts';
import {
  type AnswerFrame,
  type ClientFrame,
  createOutbox,
  type IncomingPort,
  type OpeningFrame,
  parseClientFrames,
} from '../wire/frames.ts';
import { answerCall, type Call, type CallRequest, type Core, openCall } from './call.ts';

/** A running call or stream for which the page waits. */
interface RunningCall extends Pick<Call, 'kind' | 'abort'> {
  pull: () => void;
  /** The page knows that the call has arrived. */
  isConfirmed: boolean;
}

/** Milliseconds after which a call without an answer is confirmed as received. */
const READY_DELAY = 50;

/**
 * Serves one page, or one content script, over its port until either end is gone.
 *
 * @param connection number of this connection in this background, for the observer
 */
export function servePort(core: Core, port: IncomingPort, caller: Caller, connection: number): void {
  const calls = new Map<number, RunningCall>();
  /** Mutations that the page has aborted, until they have had their turn. */
  const aborted = new Set<RunningCall>();
  const post = createOutbox(port);
  let confirming: ReturnType<typeof setTimeout> | undefined;

  async function run(opening: OpeningFrame): Promise<void> {
    const { id, kind } = opening;
    const call = openCall(core, toRequest(opening, caller, connection));
    const { abort } = call;
    const running: RunningCall = { kind, abort, pull: () => {}, isConfirmed: false };
    calls.set(id, running);
    const send = (frame: AnswerFrame): void => {
      if (calls.get(id) !== running) return;
      running.isConfirmed = true;
      post(frame);
    };
    const result = await answerCall(core, call, {
      send: (value) => send({ kind: 'next', id, value }),
      pulled: () => new Promise((resolve) => (running.pull = resolve)),
    });
    if ('error' in result) send({ kind: 'error', id, ...result });
    else send(kind === 'subscription' ? { kind: 'end', id } : { kind: 'value', id, ...result });
    if (calls.get(id) === running) calls.delete(id);
    aborted.delete(running);
    call.end(result);
    // Ends the watchers of state that a handler did not end itself.
    if (kind === 'subscription') abort({ code: 'ABORTED' });
  }

  function onFrame(frame: ClientFrame): void {
    const { id } = frame;
    const call = calls.get(id);
    switch (frame.kind) {
      case 'abort':
        return call && onAbort(id, call, frame.reason);
      case 'pull':
        return call?.pull();
      default:
        // A second call with the same id is ignored.
        if (call !== undefined) return undefined;
        // The page aborts a call to make another one, so as many mutations as it may make can still wait for their turn.
        if (calls.size < caller.maxCalls && aborted.size <= caller.maxCalls) return void run(frame);
        return post({ kind: 'error', id, error: { code: 'TOO_MANY_CALLS' } });
    }
  }

  /** Ends a call for which the page waits no longer, except for a confirmation. */
  function onAbort(id: number, call: RunningCall, code: 'ABORTED' | 'TIMEOUT'): void {
    calls.delete(id);
    if (!call.isConfirmed) post({ kind: 'ready', id });
    if (call.kind === 'mutation') aborted.add(call);
    call.abort({ code });
  }

  /** Confirms the calls that were not answered at once, which proves to the page that this background is not silent. */
  function confirm(): void {
    confirming = undefined;
    for (const [id, call] of calls) {
      if (call.isConfirmed) continue;
      call.isConfirmed = true;
      post({ kind: 'ready', id });
    }
  }

  port.onMessage((message) => {
    const frames = parseClientFrames(message);
    for (const frame of frames) onFrame(frame);
    if (calls.size > 0) confirming ??= setTimeout(confirm, READY_DELAY);
  });

  port.onDisconnect(() => {
    clearTimeout(confirming);
    for (const { kind, abort } of calls.values()) {
      // A change that a person made just before closing the popup is still carried out.
      if (kind !== 'mutation') abort({ code: 'DISCONNECTED' });
    }
  });
}

function toRequest(opening: OpeningFrame, caller: Caller, connection: number): CallRequest {
  const { id, kind, name, input, attempt } = opening;
  const request = { caller, connection, kind, name, input, attempt };
  if (opening.kind === 'subscription') return request;
  if (opening.kind === 'query') return { ...request, timeout: opening.timeout };
  const { timeout, sentAt, page } = opening;
  // The source contains the caller, so that callers cannot reach each other's entries in the journal.
  const identity = { source: `${caller.info.name}/${page}`, id, name };
  return { ...request, timeout, sentAt, identity };
}
