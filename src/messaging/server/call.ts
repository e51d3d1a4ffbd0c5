import { startDeadline, untilAborted } from '../wire/waiting.ts';
import { type ErrorReport, ProcedureError } from '../wire/errors.ts';
import type { Kind } from '../wire/frames.ts';
import type { Json } from '../wire/json.ts';
import type { Observe, ObservedCall } from '../define/observe.ts';
import type { AnyProcedure, Procedures } from '../define/procedures.ts';
import { findOutcome, type MutationIdentity, toEntry } from '../state/journal.ts';
import type { State } from '../state/state.ts';
import type { Turn } from '../state/turn.ts';
import type { Caller } from './identify-caller.ts';
import { parseAnswer, parseInput, reportFailure } from './validate.ts';

/** The parts of a background that answer calls. */
export interface Core {
  readonly procedures: Procedures;
  readonly state: State;
  readonly observe: Observe;
  /** Keeps the background awake until the returned function is called. */
  readonly stayAwake: () => () => void;
  /** Logs an error that no caller may see. Returns the incident id that the caller gets instead. */
  readonly log: (error: unknown) => string;
}

/** One call, or one stream, before it is answered. */
export interface CallRequest extends Pick<ObservedCall, 'connection'> {
  readonly caller: Caller;
  readonly kind: Kind;
  readonly name: string;
  /** Not validated yet. */
  readonly input: unknown;
  /** Number of this attempt, from 1. */
  readonly attempt: number;
  /** Milliseconds until its deadline. A stream and an event have none. */
  readonly timeout?: number;
  /** Time at which a page sent a mutation, in ms since 1970. */
  readonly sentAt?: number;
  /** Recorded in the journal with the outcome. An event without a key has none. */
  readonly identity?: MutationIdentity | undefined;
}

/** A running call or stream. */
export interface Call extends CallRequest {
  /** Aborted when nothing waits for the result any more. A mutation continues without its page, but not longer than its turn. */
  readonly signal: AbortSignal;
  readonly abort: (report: ErrorReport) => void;
  /** @throws ProcedureError if the call was aborted, or if its deadline has passed by either clock */
  readonly throwIfOver: () => void;
  /** Stops the deadline, and notifies the observer. */
  readonly end: (result: Result) => void;
}

/** The result of a call. The value is missing if the procedure has no output. */
export type Result = { readonly value?: Json } | { readonly error: ErrorReport };

/**
 * Timeout in ms above which the background stays awake for a call. Browsers stop it after 30 seconds without an event, also
 * while a request is under way, and then a longer query would start again and again.
 */
const LONG = 20_000;

/** Starts the deadline of a call, and notifies the observer. */
export function openCall({ observe, stayAwake }: Core, request: CallRequest): Call {
  const { caller, connection, kind, name, attempt, timeout, sentAt } = request;
  const controller = new AbortController();
  const { signal } = controller;
  const abort = (report: ErrorReport): void => controller.abort(new ProcedureError(report));
  const timeLeft = timeout === undefined ? () => Infinity : startDeadline(timeout, sentAt);
  const timer = timeout === undefined ? undefined : setTimeout(() => abort({ code: 'TIMEOUT' }), timeLeft());
  const release = timeout !== undefined && timeout > LONG ? stayAwake() : undefined;
  const onEnd = observe({
    caller: caller.info,
    ...(connection !== undefined && { connection }),
    kind,
    name,
    attempts: attempt,
  });
  return {
    ...request,
    signal,
    abort,
    throwIfOver: () => {
      if (timeLeft() <= 0) abort({ code: 'TIMEOUT' });
      signal.throwIfAborted();
    },
    end: (result) => {
      clearTimeout(timer);
      release?.();
      if ('error' in result) onEnd?.(result.error.code, result.error.incident);
      else onEnd?.(kind === 'subscription' ? 'end' : 'value');
    },
  };
}

/** Joins observers. Their errors are logged and change no call. */
export function joinObservers(observers: readonly Observe[], log: (error: unknown) => void): Observe {
  function attempt<T>(work: () => T): T | undefined {
    try {
      return work();
    } catch (error) {
      log(error);
      return undefined;
    }
  }
  return (call) => {
    const listeners = observers.map((observe) => attempt(() => observe(call)));
    return (...end) => listeners.forEach((listener) => attempt(() => listener?.(...end)));
  };
}

/** Answers a call of a page. Never rejects. */
export function answerCall(core: Core, call: Call, consumer: Consumer): Promise<Result> {
  switch (call.kind) {
    case 'query':
      return answerQuery(core, call);
    case 'mutation':
      return answerMutation(core, call);
    case 'subscription':
      return runStream(core, call, consumer);
  }
}

/** Answers a query. Never rejects. */
export function answerQuery(core: Core, call: Call): Promise<Result> {
  return reported(core, call, async () => {
    const { handle, toOutput } = await prepare(core, call);
    return untilAborted(call.signal, async () => toOutput(await handle(core.state.reader)));
  });
}

/** Answers a mutation, in a turn of its own or in one that it shares with others. Never rejects. */
export function answerMutation(core: Core, call: Call, shared?: Turn): Promise<Result> {
  const { abort } = call;
  const endWith = ({ signal }: Turn): void =>
    signal.addEventListener('abort', () => abort({ code: 'TIMEOUT' }));
  return reported(core, call, async () => {
    // The limit of a shared turn also ends an asynchronous schema of the input.
    if (shared !== undefined) endWith(shared);
    const prepared = await prepare(core, call);
    if (shared !== undefined) return runInTurn(shared, call, prepared);
    if (call.identity !== undefined) core.state.prefetch(call.identity);
    // An aborted mutation waits for its turn as well. Otherwise a caller could line up more turns than its limit of calls.
    return core.state.inTurn((turn) => {
      endWith(turn);
      return runInTurn(turn, call, prepared);
    });
  });
}

/** Runs the handler of a mutation, or returns the recorded outcome of an earlier attempt. */
async function runInTurn(
  turn: Turn,
  { identity, signal, throwIfOver }: Call,
  { hasOutput, handle, toOutput }: Prepared,
): Promise<Json | undefined> {
  const { state, merge, close } = turn.open();
  try {
    return await untilAborted(signal, async () => {
      const recorded = identity && (await findOutcome(turn.view, identity, hasOutput));
      if (recorded !== undefined) return recorded.outcome;
      // The call may have waited so long for its turn that its journal entry was pruned.
      throwIfOver();
      // The output is validated before the write, so that a mutation with an invalid output has no effect.
      const output = await toOutput(await handle(state));
      await merge(signal);
      if (identity !== undefined) turn.changes.set(...toEntry(identity, output));
      return output;
    });
  } finally {
    close();
  }
}

/** The page at the other end of a stream. */
interface Consumer {
  /** Sends a value, unless the call was aborted. */
  readonly send: (value: Json) => void;
  /** Resolves when the consumer asks for one more value. */
  readonly pulled: () => Promise<void>;
}

/**
 * Runs a subscription until its generator ends. The generator computes a value only when the consumer wants one. Never
 * rejects.
 */
function runStream(core: Core, call: Call, { send, pulled }: Consumer): Promise<Result> {
  const { signal } = call;
  return reported(core, call, async () => {
    const { handle, toOutput } = await prepare(core, call);
    const stream = handle(core.state.createWatcher(signal)) as AsyncIterable<unknown>;
    const values = stream[Symbol.asyncIterator]();
    try {
      for (;;) {
        const next = await untilAborted(signal, async () => {
          const result = await values.next();
          return result.done === true ? undefined : { output: await toOutput(result.value) };
        });
        if (next === undefined) return undefined;
        send(next.output ?? null);
        await untilAborted(signal, pulled);
      }
    } finally {
      // Runs the `finally` blocks of the generator, at the latest when its pending `next()` has result.
      (async () => values.return?.())().catch(core.log);
    }
  });
}

/** Runs the work of a call. Errors become reports. */
async function reported(
  { procedures, log }: Core,
  call: Call,
  work: () => Promise<Json | undefined>,
): Promise<Result> {
  try {
    const value = await work();
    return value === undefined ? {} : { value };
  } catch (error) {
    const declared = findProcedure(procedures, call) ?? { errors: {}, maxSize: 0 };
    return { error: await reportFailure(error, call, declared, log) };
  }
}

/** A call whose procedure exists, lists the caller and accepts the input. */
interface Prepared {
  readonly hasOutput: boolean;
  readonly handle: (state: object) => unknown;
  readonly toOutput: (returned: unknown) => Promise<Json> | undefined;
}

/** @throws ProcedureError if the caller may not make this call, or if its input is not valid */
async function prepare({ procedures }: Core, call: Call): Promise<Prepared> {
  const { caller, signal } = call;
  const procedure = authorize(procedures, call);
  const { output, maxSize } = procedure;
  const input = await untilAborted(signal, () => parseInput(procedure, call.input, caller));
  // The functions that declare procedures require a handler of the right type.
  const handler = procedure.handle as (context: unknown) => unknown;
  return {
    hasOutput: output !== undefined,
    handle: (state) => handler({ caller: caller.info, input, signal, fail: failDeclared, state }),
    toOutput: (returned) => output && parseAnswer(output, maxSize, call.name, returned),
  };
}

const failDeclared = (name: string, data: Json): ProcedureError =>
  new ProcedureError({ code: 'DECLARED', declared: { name, data } });

type Named = Pick<Call, 'kind' | 'name'>;

/** Returns the procedure if this caller may call it. @throws ProcedureError `UNKNOWN_PROCEDURE` or `FORBIDDEN` */
export function authorize(
  procedures: Procedures,
  { caller, ...named }: Named & Pick<Call, 'caller'>,
): AnyProcedure {
  const procedure = findProcedure(procedures, named);
  if (procedure === undefined) throw new ProcedureError({ code: 'UNKNOWN_PROCEDURE' });
  if (!procedure.callers.includes(caller.info.name)) throw new ProcedureError({ code: 'FORBIDDEN' });
  return procedure;
}

function findProcedure(procedures: Procedures, { kind, name }: Named): AnyProcedure | undefined {
  const procedure = Object.hasOwn(procedures, name) ? procedures[name] : undefined;
  return procedure?.kind === kind ? procedure : undefined;
}
