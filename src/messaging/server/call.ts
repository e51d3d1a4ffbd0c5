import type { StandardSchemaV1 as Schema } from '@standard-schema/spec';

import { startDeadline } from '../wire/deadline.ts';
import { untilAborted } from '../wire/waiting.ts';
import { type ErrorReport, ProcedureError } from '../wire/errors.ts';
import type { Kind } from '../wire/frames.ts';
import { copyJson, type Json, type JsonError } from '../wire/json.ts';
import type { Observe, ObservedCall } from '../define/observe.ts';
import type { AnyProcedure, Procedures } from '../define/procedures.ts';
import { entryKey, findOutcome, type MutationIdentity, toRecord } from '../state/journal.ts';
import type { State } from '../state/state.ts';
import type { Turn } from '../state/turn.ts';
import type { Caller } from './identify-caller.ts';

/** The parts of a background that answer calls. */
export interface CallServer {
  readonly procedures: Procedures;
  readonly state: State;
  readonly observe: Observe;
  /** Keeps the background awake until the returned function is called. */
  readonly stayAwake: () => () => void;
  /** Logs an error that no caller may see. Returns the incident id that the caller gets instead. */
  readonly log: (error: unknown) => string;
}

/** One call, or one stream, before it is answered. */
interface CallRequest extends Pick<ObservedCall, 'connection'> {
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
  readonly end: (settled: Settled) => void;
}

/** The result of a call. The value is missing if the procedure has no output. */
export type Settled = { readonly value?: Json } | { readonly error: ErrorReport };

/**
 * Timeout in ms above which the background stays awake for a call. Browsers stop it after 30 seconds without an event, also
 * while a request is under way, and then a longer query would start again and again.
 */
const LONG = 20_000;

/** Starts the deadline of a call, and notifies the observer. */
export function openCall({ observe, stayAwake }: CallServer, request: CallRequest): Call {
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
    end: (settled) => {
      clearTimeout(timer);
      release?.();
      if ('error' in settled) onEnd?.(settled.error.code, settled.error.incident);
      else onEnd?.(kind === 'subscription' ? 'end' : 'value');
    },
  };
}

/** Answers a query, or a mutation in a turn of its own. Never rejects. */
export function answerCall(server: CallServer, call: Call): Promise<Settled> {
  const { state } = server;
  return settle(server, call, (prepared) => {
    const { handle, toOutput } = prepared;
    if (call.kind === 'mutation') {
      return state.inTurn(
        (turn) => {
          endWith(turn, call);
          return runInTurn(turn, call, prepared);
        },
        call.identity && [entryKey(call.identity)],
      );
    }
    return untilAborted(call.signal, async () => toOutput(await handle(state.reader)));
  });
}

/** Answers a mutation in a turn that it shares with others. Never rejects. */
export function answerInTurn(server: CallServer, call: Call, turn: Turn): Promise<Settled> {
  endWith(turn, call);
  return settle(server, call, (prepared) => runInTurn(turn, call, prepared));
}

/** Ends a mutation in `TIMEOUT` when its turn reaches its limit. */
function endWith(turn: Turn, { abort }: Call): void {
  turn.signal.addEventListener('abort', () => abort({ code: 'TIMEOUT' }));
}

/** Runs the handler of a mutation, or returns the recorded outcome of an earlier attempt. */
async function runInTurn(
  turn: Turn,
  { identity, signal, throwIfOver }: Call,
  { procedure, handle, toOutput }: Prepared,
): Promise<Json | undefined> {
  // The call may have waited so long for its turn that its journal entry was pruned.
  throwIfOver();
  const hasOutput = procedure.output !== undefined;
  const recorded =
    identity && (await untilAborted(signal, () => findOutcome(turn.view, identity, hasOutput)));
  if (recorded !== undefined) return recorded.outcome;

  const { state, merge, close } = turn.open();
  try {
    const value = await untilAborted(signal, async () => {
      // The output is validated before the write, so that a mutation with an invalid output has no effect.
      const output = await toOutput(await handle(state));
      await merge(signal);
      return output;
    });
    if (identity !== undefined) turn.changes.set(entryKey(identity), toRecord(identity, value));
    return value;
  } finally {
    close();
  }
}

/** The page at the other end of a stream. */
export interface Consumer {
  /** Sends a value, unless the call was aborted. */
  readonly send: (value: Json) => void;
  /** Resolves when the consumer asks for one more value. */
  readonly pulled: () => Promise<void>;
}

/**
 * Runs a subscription until its generator ends. The generator computes a value only when the consumer wants one. Never
 * rejects.
 */
export function runStream(server: CallServer, call: Call, { send, pulled }: Consumer): Promise<Settled> {
  const { signal } = call;
  return settle(server, call, async ({ handle, toOutput }) => {
    const stream = handle(server.state.createWatcher(signal)) as AsyncIterable<unknown>;
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
      // Runs the `finally` blocks of the generator, at the latest when its pending `next()` has settled.
      (async () => values.return?.())().catch(server.log);
    }
  });
}

/** A call whose procedure exists, lists the caller and accepts the input. */
interface Prepared {
  readonly procedure: AnyProcedure;
  readonly handle: (state: object) => unknown;
  readonly toOutput: (returned: unknown) => Promise<Json | undefined>;
}

/** Prepares a call and runs it. Errors become reports. */
async function settle(
  { procedures, log }: CallServer,
  call: Call,
  run: (prepared: Prepared) => Promise<Json | undefined>,
): Promise<Settled> {
  const { caller, signal } = call;
  let found: AnyProcedure | undefined;
  try {
    const procedure = authorize(procedures, call);
    found = procedure;
    const input = await untilAborted(signal, () => parseInput(procedure, call));
    const { output, maxSize } = procedure;
    // The functions that declare procedures require a handler of the right type.
    const handler = procedure.handle as (context: unknown) => unknown;
    const value = await run({
      procedure,
      handle: (state) => handler({ caller: caller.info, input, signal, fail: failDeclared, state }),
      toOutput: async (returned) =>
        output === undefined ? undefined : parseOutput(call.name, output, maxSize, returned),
    });
    return value === undefined ? {} : { value };
  } catch (error) {
    return { error: await reportFailure(error, found, { name: call.name, signal, log }) };
  }
}

/** Returns the procedure if this caller may call it. @throws ProcedureError `UNKNOWN_PROCEDURE` or `FORBIDDEN` */
export function authorize(
  procedures: Procedures,
  { kind, name, caller }: Pick<Call, 'kind' | 'name' | 'caller'>,
): AnyProcedure {
  const procedure = Object.hasOwn(procedures, name) ? procedures[name] : undefined;
  if (procedure?.kind !== kind) throw new ProcedureError({ code: 'UNKNOWN_PROCEDURE' });
  if (!procedure.callers.includes(caller.info.name)) throw new ProcedureError({ code: 'FORBIDDEN' });
  return procedure;
}

/** @throws ProcedureError `NOT_JSON`, `TOO_LARGE` or `INVALID_INPUT` */
async function parseInput(
  { input: schema, maxSize }: AnyProcedure,
  { input, caller }: Pick<Call, 'input' | 'caller'>,
): Promise<unknown> {
  const fail = ({ code, issues = [] }: ErrorReport): Error => new ProcedureError({ code, issues });
  const limit = Math.min(maxSize, caller.maxSize);
  if (schema !== undefined) {
    return parse(schema, input === undefined ? input : copy(input, limit, fail), fail);
  }
  if (input === undefined) return undefined;
  throw fail({ code: 'INVALID_INPUT', issues: [{ path: '', message: 'No input is expected.' }] });
}

/** Validates a handler's output or a declared error's data. @throws TypeError if it does not fit its schema */
async function parseOutput(name: string, schema: Schema, maxSize: number, returned: unknown): Promise<Json> {
  const fail = ({ code, issues }: ErrorReport): Error =>
    new TypeError(`The output or the error data of "${name}" is wrong (${code}): ${JSON.stringify(issues)}`);
  // Copied before it is validated, so that the value that is sent is the validated one.
  return (await parse(schema, copy(returned, maxSize, fail), fail)) as Json;
}

function copy(value: unknown, maxSize: number, fail: (report: ErrorReport) => Error): Json {
  try {
    return copyJson(value, maxSize);
  } catch (error) {
    throw fail(error as JsonError);
  }
}

/** Maximum number of reported issues, and of characters of each text. They limit the size of an answer. */
const [MAX_ISSUES, MAX_TEXT] = [20, 200];

/** Shortens a text. Half a character, which its end may be, cannot be sent. */
const shorten = (text: string): string => text.slice(0, MAX_TEXT).toWellFormed();

/** Parses a value with a schema of any library. */
async function parse(schema: Schema, value: unknown, fail: (report: ErrorReport) => Error): Promise<unknown> {
  const result = await schema['~standard'].validate(value);
  if (result.issues === undefined) return result.value;

  const issues = result.issues.slice(0, MAX_ISSUES).map(({ message, path = [] }) => {
    const keys = path.map((step) => String(typeof step === 'object' ? step.key : step));
    return { path: shorten(keys.join('.')), message: shorten(message) };
  });
  throw fail({ code: 'INVALID_INPUT', issues });
}

const failDeclared = (name: string, data: Json): ProcedureError =>
  new ProcedureError({ code: 'DECLARED', declared: { name, data } });

/** Returns the part of an error that the caller gets. Logs each error that has a cause or becomes `INTERNAL`. */
async function reportFailure(
  error: unknown,
  { errors = {}, maxSize = 0 }: Partial<AnyProcedure> = {},
  { name: procedure, signal, log }: Pick<Call, 'name' | 'signal'> & Pick<CallServer, 'log'>,
): Promise<ErrorReport> {
  try {
    // If a proxy was thrown, this line may throw.
    if (error instanceof ProcedureError) {
      const { report, cause } = error;
      if (cause !== undefined) return { code: report.code, incident: log(error) };
      // A handler may have put anything into it, and a report that cannot be sent would never arrive.
      if (report.declared === undefined) return copyJson(report) as unknown as ErrorReport;

      const { name, data } = report.declared;
      const schema = Object.hasOwn(errors, name) ? errors[name] : undefined;
      if (schema !== undefined) {
        const parsed = await untilAborted(signal, () => parseOutput(procedure, schema, maxSize, data));
        return { ...report, declared: { name, data: parsed } };
      }
    }
  } catch (defect) {
    // The data of a declared error breaks its schema, or the schema throws or takes too long.
    return { code: 'INTERNAL', incident: log(defect) };
  }
  return { code: 'INTERNAL', incident: log(error) };
}
