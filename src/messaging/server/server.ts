import type { StandardSchemaV1 as Schema } from '@standard-schema/spec';

import type { Contract, Kind, ParsedOf, Procedure, ReturnedOf } from '../contract.ts';
import { type ErrorCode, ProcedureError } from '../errors.ts';
import {
  type ClientFrame,
  createOutbox,
  type IncomingPort,
  type OpeningFrame,
  parseClientFrames,
  READY,
  type Sender,
  type ServerFrame,
  startDeadline,
} from '../wire.ts';
import { type CallServer, runCall } from './call.ts';
import { createState, type StateReader, type StateWatcher, type Store, type Transaction } from './state.ts';

/** One handler a procedure; a missing one is a compile error. */
export type Handlers<C extends Contract> = { readonly [Name in keyof C]: Handler<C[Name]> };

export type Handler<P extends Procedure> = {
  query: (context: Context<P, StateReader>) => ReturnedOf<P> | Promise<ReturnedOf<P>>;
  mutation: (context: Context<P, MutationState<P>>) => ReturnedOf<P> | Promise<ReturnedOf<P>>;
  subscription: (context: Context<P, StateWatcher>) => AsyncIterable<ReturnedOf<P>>;
}[P['kind']];

/** A mutation may run again if it was not written before the background stopped. One with an external effect only reads. */
type MutationState<P extends Procedure> = P['effect'] extends 'external' ? StateReader : Transaction;

/** What every handler is given. */
interface Context<P extends Procedure, State> {
  /** Validated by the procedure's schema. */
  readonly input: ParsedOf<P>;
  /** Who is calling, as the browser says. */
  readonly caller: P['callers'][number];
  /** Aborted when the outcome is no longer waited for: the caller gave up, its deadline passed or its page is gone. */
  readonly signal: AbortSignal;
  readonly state: State;
  /** Builds an error that the procedure declares, to be thrown. */
  readonly fail: <Name extends keyof P['errors'] & string>(
    name: Name,
    data: Schema.InferInput<P['errors'][Name]>,
  ) => ProcedureError;
}

export interface ServerOptions {
  /** Names the caller behind a sender; `undefined` refuses everything that comes from it. */
  readonly identify: (sender: Sender | undefined) => string | undefined;
  readonly store: Store;
  /** Runs once in each background, before its first mutation: puts in order what an older version or a fault left. */
  readonly prepare?: (state: Transaction) => Promise<void>;
  /** Called when a call starts. What it returns is called when that call has ended. */
  readonly observe?: (call: ObservedCall) => ((outcome: Outcome) => void) | undefined;
  /** Keeps what no caller may see. `incident` is the id that the caller gets instead. */
  readonly log: (incident: string, error: unknown) => void;
}

/** What can be known of a call. Never what is said in it. */
export interface ObservedCall {
  readonly caller: string;
  readonly kind: Kind;
  readonly name: string;
  /** How often it was sent; more than once when backgrounds stopped during it. */
  readonly attempts: number;
}

/** How a call ended: `value` and `end` are answers, the rest is what it ended in instead. */
export type Outcome = 'value' | 'end' | ErrorCode;

/**
 * Answers a contract. Returns the listener for incoming ports, which must be registered before the background's first
 * script has ended: otherwise the browser starts the background for a port and finds no listener.
 */
export function createServer<const C extends Contract>(
  contract: C,
  handlers: Handlers<C>,
  { identify, store, prepare = async () => {}, observe, log }: ServerOptions,
): (port: IncomingPort) => void {
  const logIncident = (error: unknown): string => {
    const incident = crypto.randomUUID();
    log(incident, error);
    return incident;
  };
  const state = createState(store, logIncident);
  void state.prepare(prepare);
  const server = { contract, handlers, state, log: logIncident };

  return (port) => {
    const caller = identify(port.sender);
    if (caller === undefined) port.disconnect();
    else serveSession(server, port, caller, observe);
  };
}

/** A call or a stream that has not ended. */
interface RunningCall {
  readonly kind: Kind;
  readonly abort: (code: ErrorCode) => void;
  pull: () => void;
}

/** Milliseconds after its first frame when a page gets READY. An answer says as much. */
const READY_DELAY = 50;

/** Serves one page over its port until either is gone. */
function serveSession(
  server: CallServer,
  port: IncomingPort,
  caller: string,
  observe: ServerOptions['observe'],
): void {
  const calls = new Map<number, RunningCall>();
  const post = createOutbox<ServerFrame>(port, onRefused);
  let hasAnswered = false;
  let ready: ReturnType<typeof setTimeout> | undefined;

  async function run(frame: OpeningFrame): Promise<void> {
    const { id, kind, name, attempt: attempts } = frame;
    const controller = new AbortController();
    const abort = (code: ErrorCode): void => controller.abort(new ProcedureError({ code }));
    const running: RunningCall = { kind, abort, pull: () => {} };
    const sentAt = frame.kind === 'mutation' ? frame.sentAt : undefined;
    const deadline = frame.kind === 'subscription' ? undefined : startDeadline(frame.timeout, sentAt);
    const timer = deadline && setTimeout(() => abort('TIMEOUT'), deadline());
    const observed = observe?.({ caller, kind, name, attempts });
    let outcome: Outcome = 'ABORTED';

    calls.set(id, running);
    await runCall(server, {
      caller,
      frame,
      signal: controller.signal,
      checkDeadline: () => {
        if (deadline !== undefined && deadline() <= 0) abort('TIMEOUT');
        controller.signal.throwIfAborted();
      },
      send: (answer) => {
        if (controller.signal.aborted) return;
        hasAnswered = true;
        if (answer.kind !== 'next') outcome = answer.kind === 'error' ? answer.error.code : answer.kind;
        post(answer);
      },
      pulled: () => new Promise((resolve) => (running.pull = resolve)),
    });
    clearTimeout(timer);
    calls.delete(id);
    const reason: unknown = controller.signal.reason;
    observed?.(reason instanceof ProcedureError ? reason.report.code : outcome);
    // What its handler left running, such as a watcher of the state, ends with it.
    if (kind === 'subscription') abort('ABORTED');
  }

  /** The browser refuses an answer even alone: the call ends in an error instead of not at all. */
  function onRefused(frame: ServerFrame): void {
    if (frame.kind === 'ready' || frame.kind === 'error') return;
    const incident = server.log(
      new Error(`The browser refused an answer to call ${frame.id} of the ${caller} page.`),
    );
    calls.get(frame.id)?.abort('INTERNAL');
    post({ kind: 'error', id: frame.id, error: { code: 'INTERNAL', incident } });
  }

  function onFrame(frame: ClientFrame): void {
    const call = calls.get(frame.id);
    switch (frame.kind) {
      case 'abort':
        return call?.abort(frame.reason);
      case 'pull':
        return call?.pull();
      case 'ack':
        return void server.state.acknowledge(frame);
      default:
        // A second call of the same number is ignored.
        if (call === undefined) void run(frame);
    }
  }

  port.onMessage((message) => {
    const frames = parseClientFrames(message);
    if (frames.length === 0) return;
    ready ??= setTimeout(() => {
      if (!hasAnswered) post(READY);
    }, READY_DELAY);
    for (const frame of frames) onFrame(frame);
  });

  port.onDisconnect(() => {
    for (const { kind, abort } of calls.values()) {
      // There is no page to answer, but what a person did just before the popup closed still counts.
      if (kind !== 'mutation') abort('DISCONNECTED');
    }
  });
}
