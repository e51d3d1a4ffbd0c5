import type { Caller } from '../callers.ts';
import type { ErrorReport } from '../errors.ts';
import {
  type AnswerFrame,
  type ClientFrame,
  createOutbox,
  type IncomingPort,
  type OpeningFrame,
  parseClientFrames,
  type ServerFrame,
} from '../wire.ts';
import {
  answerCall,
  type Call,
  type CallServer,
  type Consumer,
  openCall,
  reasonOf,
  runStream,
} from './call.ts';

/** A running call or stream, and what the page knows of it. */
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
export function serveSession(
  server: CallServer,
  port: IncomingPort,
  caller: Caller,
  connection: number,
): void {
  const calls = new Map<number, RunningCall>();
  const post = createOutbox<ServerFrame>(port, onRefused);
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
      mayHaveRun: attempt > 1,
      ...(frame.kind !== 'subscription' && { timeout: frame.timeout }),
      ...(frame.kind === 'mutation' && {
        sentAt: frame.sentAt,
        identity: { source: sourceOf(frame.page), id, name },
      }),
    });
    const { signal, abort } = call;
    const running: RunningCall = { kind, abort, pull: () => {}, isConfirmed: false };
    calls.set(id, running);
    const send = (answer: AnswerFrame): void => {
      if (signal.aborted) return;
      running.isConfirmed = true;
      post(answer);
    };
    const consumer: Consumer = {
      send: (value) => send({ kind: 'next', id, value }),
      pulled: () => new Promise((resolve) => (running.pull = resolve)),
    };
    const isStream = kind === 'subscription';
    const settled = await (isStream ? runStream(server, call, consumer) : answerCall(server, call));
    if ('error' in settled) send({ kind: 'error', id, ...settled });
    else send(isStream ? { kind: 'end', id } : { kind: 'value', id, ...settled });
    // The answer is posted in a microtask. If the browser refuses it, that aborts the call.
    await Promise.resolve();
    calls.delete(id);
    call.end(signal.aborted ? { error: reasonOf(signal) } : settled);
    // Ends the watchers of state that a handler did not end itself.
    if (isStream) abort({ code: 'ABORTED' });
  }

  /** Names a page in the journal. The name contains the caller, so that callers cannot reach each other's entries. */
  function sourceOf(page: string): string {
    return `${caller.name}/${page}`;
  }

  /** Ends a call in an error if the browser refuses its answer, which would otherwise never arrive. */
  function onRefused(frame: ServerFrame): void {
    if (frame.kind !== 'value' && frame.kind !== 'next') return;
    const incident = server.log(
      new Error(`The browser refused an answer to call ${frame.id} of the caller "${caller.name}".`),
    );
    const call = calls.get(frame.id);
    // The state may have changed, but the page does not get the outcome.
    const error: ErrorReport = { code: call?.kind === 'mutation' ? 'DISCONNECTED' : 'INTERNAL', incident };
    call?.abort(error);
    post({ kind: 'error', id: frame.id, error });
  }

  function onFrame(frame: ClientFrame): void {
    const { id } = frame;
    const call = calls.get(id);
    switch (frame.kind) {
      case 'abort':
        return call?.abort({ code: frame.reason });
      case 'pull':
        return call?.pull();
      case 'ack':
        return void acknowledge(frame);
      default:
        // A second call with the same id is ignored.
        if (call !== undefined) return undefined;
        if (calls.size < caller.maxCalls) return void run(frame);
        return post({ kind: 'error', id, error: { code: 'TOO_MANY_CALLS' } });
    }
  }

  async function acknowledge({ id, page }: ClientFrame & { kind: 'ack' }): Promise<void> {
    try {
      await server.state.acknowledge(sourceOf(page), id);
      post({ kind: 'acked', id });
    } catch (error) {
      // The page will acknowledge again.
      server.log(error);
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
