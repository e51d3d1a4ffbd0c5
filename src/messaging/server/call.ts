import type { StandardSchemaV1 as Schema } from '@standard-schema/spec';

import type { Caller } from '../callers.ts';
import type { Contract, Kind, Procedure } from '../contract.ts';
import { startDeadline, untilAborted } from '../deadline.ts';
import { type ErrorCode, type ErrorReport, ProcedureError } from '../errors.ts';
import { copyJson, type Json, type JsonError } from '../json.ts';
import type { Attempt, State } from '../state/state.ts';

/** The parts of a background that answer calls. */
export interface CallServer {
  readonly contract: Contract;
  /** The handlers of the contract by name. `Handlers` has their exact types. */
  readonly handlers: Readonly<Record<string, (context: never) => unknown>>;
  readonly state: State;
  readonly observe: Observe;
  /** Logs an error that no caller may see. Returns the incident id that the caller gets instead. */
  readonly log: (error: unknown) => string;
}

/** A call as an observer sees it, without input and output. */
export interface ObservedCall {
  readonly caller: string;
  /** Number of the page's connection, from 1 in each background. Calls of the background itself have none. */
  readonly connection?: number;
  readonly kind: Kind;
  readonly name: string;
  /** Number of attempts so far. It is more than 1 if the call was sent or tried again. */
  readonly attempts: number;
}

/** The outcome of a call: `value` for a call, `end` for a stream, or the code of an error. */
export type Outcome = 'value' | 'end' | ErrorCode;

/** Called when a call starts. It may return a function, which is called when the call has ended. */
export type Observe = (call: ObservedCall) => ((outcome: Outcome, incident?: string) => void) | undefined;

/** One call, or one stream, before it is answered. */
interface Request extends Pick<Attempt, 'identity' | 'note'>, Pick<ObservedCall, 'connection'> {
  readonly caller: Caller;
  readonly kind: Kind;
  readonly name: string;
  /** Not validated yet. */
  readonly input: unknown;
  /** Number of this attempt, from 1. */
  readonly attempt: number;
  /** Milliseconds until its deadline. A stream has none. */
  readonly timeout?: number;
  /** Time at which a page sent a mutation, in ms since 1970. */
  readonly sentAt?: number;
  /** An earlier attempt may have had its external effect. */
  readonly mayHaveRun?: boolean;
}

/** A running call or stream. */
export interface Call extends Request, Attempt {
  /** Stops the deadline of an event until `onTurn`, because an event must not be lost while other mutations run. */
  readonly onWait: () => void;
  readonly abort: (report: ErrorReport) => void;
  /** Stops the deadline, and notifies the observer. */
  readonly end: (settled: Settled) => void;
}

/** The result of a call. */
export type Settled = { readonly value: Json } | { readonly error: ErrorReport };

/** Starts the deadline of a call, and notifies the observer. */
export function openCall({ observe }: CallServer, request: Request): Call {
  const { caller, connection, kind, name, attempt, timeout, sentAt, note } = request;
  const isEvent = note !== undefined;
  const controller = new AbortController();
  const { signal } = controller;
  const abort = (report: ErrorReport): void => controller.abort(new ProcedureError(report));
  const onTimeout = (): void => abort({ code: 'TIMEOUT' });
  const start = () => {
    const timeLeft = startDeadline(timeout ?? Infinity, sentAt);
    return { timeLeft, timer: timeout === undefined ? undefined : setTimeout(onTimeout, timeLeft()) };
  };
  let deadline = start();
  const onEnd = observe({
    caller: caller.name,
    ...(connection !== undefined && { connection }),
    kind,
    name,
    attempts: attempt,
  });
  return {
    ...request,
    signal,
    abort,
    onWait: () => {
      if (isEvent) clearTimeout(deadline.timer);
    },
    onTurn: () => {
      if (isEvent) deadline = start();
      else if (deadline.timeLeft() <= 0) onTimeout();
      signal.throwIfAborted();
    },
    end: (settled) => {
      clearTimeout(deadline.timer);
      if ('error' in settled) onEnd?.(settled.error.code, settled.error.incident);
      else onEnd?.(kind === 'subscription' ? 'end' : 'value');
    },
  };
}

/**
 * Answers a query or a mutation. It checks that the procedure exists, that this caller may call it and that the input is
 * valid, runs the handler and validates the output. Never rejects.
 */
export function answerCall(server: CallServer, call: Call): Promise<Settled> {
  return settle(server, call, async (procedure, handle, toOutput) => {
    const { signal, kind, mayHaveRun } = call;
    if (kind === 'mutation' && procedure.effect === 'state') {
      // The output is validated before the write, so that a mutation with an invalid output has no effect.
      const run = async (transaction: object): Promise<Json> => toOutput(await handle(transaction));
      call.onWait();
      return { value: await server.state.transact(call, run) };
    }
    if (kind === 'mutation' && mayHaveRun) throw new ProcedureError({ code: 'DISCONNECTED' });
    const run = async (): Promise<Json> => toOutput(await handle(server.state.reader));
    const running = untilAborted(signal, run);
    return { value: await (kind === 'mutation' ? running.catch(throwInDoubt) : running) };
  });
}

/** An unexpected error does not say whether the external effect happened. */
function throwInDoubt(error: unknown): never {
  throw error instanceof ProcedureError
    ? error
    : new ProcedureError({ code: 'DISCONNECTED' }, { cause: error });
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
  return settle(server, call, async (_procedure, handle, toOutput) => {
    const stream = handle(server.state.createWatcher(signal)) as AsyncIterable<unknown>;
    const values = stream[Symbol.asyncIterator]();
    try {
      for (;;) {
        const next = await untilAborted(signal, () => values.next());
        if (next.done === true) return { value: null };
        send(await toOutput(next.value));
        await untilAborted(signal, pulled);
      }
    } finally {
      // Runs the `finally` blocks of the generator, at the latest when its pending `next()` has settled.
      values.return?.().catch(server.log);
    }
  });
}

type Run = (
  procedure: Procedure,
  handle: (state: object) => unknown,
  toOutput: (value: unknown) => Promise<Json>,
) => Promise<Settled>;

async function settle({ contract, handlers, log }: CallServer, call: Call, run: Run): Promise<Settled> {
  const { caller, name, signal } = call;
  let found: Procedure | undefined;
  try {
    const procedure = authorize(contract, call);
    found = procedure;
    const input = await untilAborted(signal, () => parseInput(procedure, call));
    // The type `Handlers` requires a handler of the right type for each name.
    const handler = handlers[name] as (context: unknown) => unknown;
    const handle = (state: object): unknown =>
      handler({ caller: caller.name, input, signal, fail: failDeclared, state });
    return await run(procedure, handle, (value) => parseOutput(procedure.output, procedure.maxSize, value));
  } catch (error) {
    return { error: await reportFailure(error, found, log) };
  }
}

/** Returns the report with which a call was aborted. */
export const reasonOf = ({ reason }: AbortSignal): ErrorReport => (reason as ProcedureError).report;

/** Returns the procedure if this caller may call it. @throws ProcedureError `UNKNOWN_PROCEDURE` or `FORBIDDEN` */
export function authorize(
  contract: Contract,
  { kind, name, caller }: Pick<Call, 'kind' | 'name' | 'caller'>,
): Procedure {
  const procedure = Object.hasOwn(contract, name) ? contract[name] : undefined;
  if (procedure?.kind !== kind) throw new ProcedureError({ code: 'UNKNOWN_PROCEDURE' });
  if (!procedure.callers.includes(caller.name)) throw new ProcedureError({ code: 'FORBIDDEN' });
  return procedure;
}

/** @throws ProcedureError `NOT_JSON`, `TOO_LARGE` or `INVALID_INPUT` */
async function parseInput(
  { input: schema, maxSize }: Procedure,
  { input, caller }: Pick<Call, 'input' | 'caller'>,
): Promise<unknown> {
  const fail = ({ code, issues = [] }: ErrorReport): Error => new ProcedureError({ code, issues });
  const limit = Math.min(maxSize, caller.maxSize);
  if (schema !== undefined) {
    return parse(schema, input === undefined ? input : copy(input, limit, fail, true), fail);
  }
  if (input === undefined) return undefined;
  throw fail({ code: 'INVALID_INPUT', issues: [{ path: '', message: 'No input is expected.' }] });
}

/** Validates a handler's output or a declared error's data. @throws TypeError when it breaks the contract */
async function parseOutput(schema: Schema, maxSize: number, returned: unknown): Promise<Json> {
  const fail = ({ issues }: ErrorReport): Error =>
    new TypeError(`The handler's output or error data breaks the contract: ${JSON.stringify(issues)}`);
  // Copied before it is validated, so that the value that is sent is the validated one.
  return (await parse(schema, copy(returned, maxSize, fail), fail)) as Json;
}

function copy(value: unknown, maxSize: number, fail: (report: ErrorReport) => Error, isOwn = false): Json {
  try {
    return copyJson(value, maxSize, isOwn);
  } catch (error) {
    throw fail(error as JsonError);
  }
}

/** Maximum number of reported issues, and of characters of each text. They limit the size of an answer. */
const [MAX_ISSUES, MAX_TEXT] = [20, 200];

/** Parses a value with a schema of any library. */
async function parse(schema: Schema, value: unknown, fail: (report: ErrorReport) => Error): Promise<unknown> {
  const result = await schema['~standard'].validate(value);
  if (result.issues === undefined) return result.value;

  const issues = result.issues.slice(0, MAX_ISSUES).map(({ message, path = [] }) => {
    const keys = path.map((step) => String(typeof step === 'object' ? step.key : step));
    return { path: keys.join('.').slice(0, MAX_TEXT), message: message.slice(0, MAX_TEXT) };
  });
  throw fail({ code: 'INVALID_INPUT', issues });
}

const failDeclared = (name: string, data: Json): ProcedureError =>
  new ProcedureError({ code: 'DECLARED', declared: { name, data } });

/** Returns the part of an error that the caller gets. Logs each error that has a cause or becomes `INTERNAL`. */
async function reportFailure(
  error: unknown,
  { errors = {}, maxSize = 0 }: Partial<Procedure> = {},
  log: (error: unknown) => string,
): Promise<ErrorReport> {
  try {
    // If a proxy was thrown, this line may throw.
    if (error instanceof ProcedureError) {
      const { report, cause } = error;
      if (cause !== undefined) return { code: report.code, incident: log(error) };
      if (report.declared === undefined) return report;

      const { name, data } = report.declared;
      const schema = Object.hasOwn(errors, name) ? errors[name] : undefined;
      if (schema !== undefined) {
        return { ...report, declared: { name, data: await parseOutput(schema, maxSize, data) } };
      }
    }
  } catch (defect) {
    // The data of a declared error breaks its schema, or the schema throws.
    return { code: 'INTERNAL', incident: log(defect) };
  }
  return { code: 'INTERNAL', incident: log(error) };
}
