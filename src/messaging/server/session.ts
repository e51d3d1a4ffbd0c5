import type { Caller } from './identify-caller.ts';
import {
  type AnswerFrame,
  type ClientFrame,
  createOutbox,
  type IncomingPort,
  type OpeningFrame,
  parseClientFrames,
} from '../wire/frames.ts';
import { answerCall, type Call, type CallServer, type Consumer, openCall, runStream } from './call.ts';

/** A running call or stream, and what the page knows of it. */
interface RunningCall extends Pick<Call, 'kind' | 'abort'> {
  pull: () => void;
  /** The page knows that the call has arrived. */
  isConfirmed: boolean;
  /** The page has aborted the call. It waits for a confirmation, but not for an answer. */
  isAbandoned: boolean;
}

/** Milliseconds after which a call without an answer is confirmed as received. */
const READY_DELAY = 50;

/**
 * Serves one page, or one content script, over its port until either end is gone.
 *
 * @param connection number of this connection in this background, for the observer
 */
export function serveSession(
  server: CallServer,
  port: IncomingPort,
  caller: Caller,
  connection: number,
): void {
  const calls = new Map<number, RunningCall>();
  const post = createOutbox(port);
  let confirming: ReturnType<typeof setTimeout> | undefined;

  async function run(frame: OpeningFrame): Promise<void> {
    const { id, kind, name, input, attempt } = frame;
    const call = openCall(server, {
      caller,
      connection,
      kind,
      name,
      input,
      attempt,
      ...(frame.kind !== 'subscription' && { timeout: frame.timeout }),
      ...(frame.kind === 'mutation' && {
        sentAt: frame.sentAt,
        identity: { source: sourceOf(frame.page), id, name },
      }),
    });
    const { abort } = call;
    const running: RunningCall = { kind, abort, pull: () => {}, isConfirmed: false, isAbandoned: false };
    calls.set(id, running);
    const send = (answer: AnswerFrame): void => {
      if (!running.isAbandoned) post(answer);
      else if (!running.isConfirmed) post({ kind: 'ready', id });
      running.isConfirmed = true;
    };
    const consumer: Consumer = {
      send: (value) => send({ kind: 'next', id, value }),
      pulled: () => new Promise((resolve) => (running.pull = resolve)),
    };
    const isStream = kind === 'subscription';
    const settled = await (isStream ? runStream(server, call, consumer) : answerCall(server, call));
    if ('error' in settled) send({ kind: 'error', id, ...settled });
    else send(isStream ? { kind: 'end', id } : { kind: 'value', id, ...settled });
    calls.delete(id);
    call.end(settled);
    // Ends the watchers of state that a handler did not end itself.
    if (isStream) abort({ code: 'ABORTED' });
  }

  /** Names a page in the journal. The name contains the caller, so that callers cannot reach each other's entries. */
  function sourceOf(page: string): string {
    return `${caller.info.name}/${page}`;
  }

  function onFrame(frame: ClientFrame): void {
    const { id } = frame;
    const call = calls.get(id);
    switch (frame.kind) {
      case 'abort':
        if (call !== undefined) call.isAbandoned = true;
        return call?.abort({ code: frame.reason });
      case 'pull':
        return call?.pull();
      default:
        // A second call with the same id is ignored.
        if (call !== undefined) return undefined;
        if (calls.size < caller.maxCalls) return void run(frame);
        return post({ kind: 'error', id, error: { code: 'TOO_MANY_CALLS' } });
    }
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
