import type { StandardSchemaV1 as Schema } from '@standard-schema/spec';

import type { Caller } from '../callers.ts';
import type { Contract, Kind, Procedure } from '../contract.ts';
import { untilAborted } from '../deadline.ts';
import { type ErrorReport, ProcedureError } from '../errors.ts';
import { copyJson, type Json, type JsonError } from '../json.ts';
import type { Attempt, State } from '../state/state.ts';

/** Everything that answers calls in this background. */
export interface CallServer {
  readonly contract: Contract;
  /** As `Handlers` of the contract: each is called for its own procedure alone, with the context of its kind. */
  readonly handlers: Readonly<Record<string, (context: never) => unknown>>;
  readonly state: State;
  /** Logs an error that no caller may see. Returns the incident id that the caller gets instead. */
  readonly log: (error: unknown) => string;
}

/** One call, or one stream. */
export interface Call extends Attempt {
  readonly caller: Caller;
  readonly kind: Kind;
  readonly name: string;
  /** As it was received: not validated yet. */
  readonly input: unknown;
  /** 1 the first time, one more whenever it is sent again. */
  readonly attempt: number;
}

/** The end of a call. */
export type Settled = { readonly value: Json } | { readonly error: ErrorReport };

/**
 * Answers a query or a mutation: checks that there is such a procedure, that this caller may call it and that the input is
 * valid, runs the handler and validates the output. Never rejects.
 */
export function answerCall(server: CallServer, call: Call): Promise<Settled> {
  return settle(server, call, async (procedure, handle, toOutput) => {
    const { signal, kind, attempt } = call;
    if (kind === 'mutation' && procedure.effect === 'state') {
      // The output is validated before the write: a mutation that cannot be answered does not take effect.
      const run = async (transaction: object): Promise<Json> => toOutput(await handle(transaction));
      return { value: await server.state.transact(call, run) };
    }
    // An earlier attempt may have had its external effect.
    if (kind === 'mutation' && attempt > 1) throw new ProcedureError({ code: 'DISCONNECTED' });
    const run = async (): Promise<Json> => toOutput(await handle(server.state.reader));
    return { value: await untilAborted(signal, run) };
  });
}

/** The ways of a stream to its consumer. */
export interface Consumer {
  readonly send: (value: Json) => void;
  /** Resolves when the consumer asks for one more value. */
  readonly pulled: () => Promise<void>;
}

/**
 * Runs a subscription. Its generator is asked for a value only when the consumer wants one. Returns the error that it ended
 * in, if any. Never rejects.
 */
export async function runStream(
  server: CallServer,
  call: Call,
  { send, pulled }: Consumer,
): Promise<ErrorReport | undefined> {
  const { signal } = call;
  const ended = await settle(server, call, async (_procedure, handle, toOutput) => {
    const stream = handle(server.state.createWatcher(signal)) as AsyncIterable<unknown>;
    const values = stream[Symbol.asyncIterator]();
    try {
      for (;;) {
        const next = await untilAborted(signal, () => values.next());
        if (next.done === true) return { value: null };
        const value = await toOutput(next.value);
        if (!signal.aborted) send(value);
        await untilAborted(signal, pulled);
      }
    } finally {
      // Runs the `finally` of the generator, at once or when it no longer waits.
      values.return?.().catch(server.log);
    }
  });
  return 'error' in ended ? ended.error : undefined;
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
    // The types that `Handlers` has checked end here: a name leads to its own handler, with the state of its kind.
    const handler = handlers[name] as (context: unknown) => unknown;
    const handle = (state: object): unknown =>
      handler({ caller: caller.name, input, signal, fail: failDeclared, state });
    return await run(procedure, handle, (value) => parseOutput(procedure.output, procedure.maxSize, value));
  } catch (error) {
    // The outcome is no longer waited for, so what else went wrong does not count.
    if (signal.aborted) return { error: (signal.reason as ProcedureError).report };
    return { error: await reportFailure(error, found, log) };
  }
}

/** @throws ProcedureError `UNKNOWN_PROCEDURE` or `FORBIDDEN`, before the input is looked at */
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
    new TypeError(`The handler's output breaks the contract: ${JSON.stringify(issues)}`);
  // Copied before it is validated, so that exactly what was validated is sent.
  return (await parse(schema, copy(returned, maxSize, fail), fail)) as Json;
}

function copy(value: unknown, maxSize: number, fail: (report: ErrorReport) => Error, isOwn = false): Json {
  try {
    return copyJson(value, maxSize, isOwn);
  } catch (error) {
    throw fail(error as JsonError);
  }
}

/** Most issues, and most characters of each, that are reported: an answer must not outgrow its question. */
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

/** The part of an error that its caller gets. The cause of a `ProcedureError`, and any other error, goes to the log alone. */
async function reportFailure(
  error: unknown,
  { errors = {}, maxSize = 0 }: Partial<Procedure> = {},
  log: (error: unknown) => string,
): Promise<ErrorReport> {
  try {
    // A thrown proxy may throw here by itself.
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
  } catch {
    // The data of a declared error breaks its schema, or the schema throws: a defect of the handler, logged with it.
  }
  return { code: 'INTERNAL', incident: log(error) };
}
