import type { Caller } from '../callers.ts';
import type { Kind } from '../contract.ts';
import { startDeadline } from '../deadline.ts';
import { type ErrorCode, type ErrorReport, ProcedureError } from '../errors.ts';
import {
  type AnswerFrame,
  type ClientFrame,
  createOutbox,
  type IncomingPort,
  type OpeningFrame,
  parseClientFrames,
  type ServerFrame,
} from '../wire.ts';
import { answerCall, type Call, type CallServer, type Consumer, reasonOf, runStream } from './call.ts';

/** A call as an observer sees it, without input and output. */
export interface ObservedCall {
  readonly caller: string;
  readonly kind: Kind;
  readonly name: string;
  /** Number of times that it was sent: more than 1 if a background stopped during the call. */
  readonly attempts: number;
}

/** The end of a call: `value` for a call, `end` for a stream, or the code of an error. */
export type Outcome = 'value' | 'end' | ErrorCode;

/** Called when a call starts. It may return a function, which is called when the call has ended. */
export type Observe = (call: ObservedCall) => ((outcome: Outcome, incident?: string) => void) | undefined;

/** A call or a stream that has not ended. */
interface RunningCall {
  readonly kind: Kind;
  readonly abort: (report: ErrorReport) => void;
  pull: () => void;
  /** The page knows that the call has arrived. */
  isConfirmed: boolean;
}

/** Milliseconds after which a call without an answer is confirmed as received. */
const READY_DELAY = 50;

/** Serves one page, or one content script, over its port until either end is gone. */
export function serveSession(
  server: CallServer,
  port: IncomingPort,
  caller: Caller,
  observe: Observe = () => undefined,
): void {
  const calls = new Map<number, RunningCall>();
  const post = createOutbox<ServerFrame>(port, onRefused);
  let confirming: ReturnType<typeof setTimeout> | undefined;

  async function run(frame: OpeningFrame): Promise<void> {
    const { id, kind, name, attempt } = frame;
    const controller = new AbortController();
    const { signal } = controller;
    const abort = (report: ErrorReport): void => controller.abort(new ProcedureError(report));
    const running: RunningCall = { kind, abort, pull: () => {}, isConfirmed: false };
    const sentAt = frame.kind === 'mutation' ? frame.sentAt : undefined;
    const deadline = frame.kind === 'subscription' ? undefined : startDeadline(frame.timeout, sentAt);
    const timer = deadline && setTimeout(() => abort({ code: 'TIMEOUT' }), deadline());
    const onEnd = observe({ caller: caller.name, kind, name, attempts: attempt });
    const call: Call = {
      caller,
      kind,
      name,
      input: frame.input,
      attempt,
      signal,
      checkDeadline: () => {
        if (deadline !== undefined && deadline() <= 0) abort({ code: 'TIMEOUT' });
        signal.throwIfAborted();
      },
      ...(frame.kind === 'mutation' && { identity: { source: sourceOf(frame.page), id, name } }),
    };

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
    // The browser may refuse the answer, which is posted at the end of this turn.
    await Promise.resolve();
    clearTimeout(timer);
    calls.delete(id);
    const ended = signal.aborted ? { error: reasonOf(signal) } : settled;
    if ('error' in ended) onEnd?.(ended.error.code, ended.error.incident);
    else onEnd?.(isStream ? 'end' : 'value');
    // Ends the watchers of state that a handler did not end itself.
    if (isStream) abort({ code: 'ABORTED' });
  }

  /** Names a page in the journal. Callers cannot reach each other's entries. */
  function sourceOf(page: string): string {
    return `${caller.name}/${page}`;
  }

  /** Ends a call in an error if the browser refuses its answer, which would otherwise never arrive. */
  function onRefused(frame: ServerFrame): void {
    if (frame.kind !== 'value' && frame.kind !== 'next') return;
    const incident = server.log(
      new Error(`The browser refused an answer to call ${frame.id} of the caller "${caller.name}".`),
    );
    const error: ErrorReport = { code: 'INTERNAL', incident };
    calls.get(frame.id)?.abort(error);
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
        // A second call of the same number is ignored.
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
      // The page acknowledges again.
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
      // A change that a person made just before the popup closed still counts.
      if (kind !== 'mutation') abort({ code: 'DISCONNECTED' });
    }
  });
}
