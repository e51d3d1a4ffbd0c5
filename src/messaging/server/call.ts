import type { StandardSchemaV1 as Schema } from '@standard-schema/spec';

import type { Contract, Procedure } from '../contract.ts';
import { type ErrorReport, ProcedureError } from '../errors.ts';
import { copyJson, type Json, type JsonError } from '../json.ts';
import type { AnswerFrame, OpeningFrame } from '../wire.ts';
import type { State } from './state.ts';

/** What every call in this background is answered with. */
export interface CallServer {
  readonly contract: Contract;
  /** As `Handlers` of the contract; each is called only for its own procedure, with what its kind is given. */
  readonly handlers: Readonly<Record<string, (context: never) => unknown>>;
  readonly state: State;
  /** Logs what no caller may see and returns the incident id that the caller gets instead. */
  readonly log: (error: unknown) => string;
}

/** One call or stream from a page. */
export interface Call {
  readonly caller: string;
  readonly frame: OpeningFrame;
  /** Aborted, with a `ProcedureError` as reason, when the caller no longer waits. */
  readonly signal: AbortSignal;
  /** @throws ProcedureError when the caller no longer waits, by either of two clocks */
  readonly checkDeadline: () => void;
  readonly send: (answer: AnswerFrame) => void;
  /** Resolves when the page asks for one more value of a stream. */
  readonly pulled: () => Promise<void>;
}

/**
 * Answers a call or runs a stream: is there such a procedure, may this caller call it, does the input fit, then the
 * handler, then the output. Nothing is sent once the signal is aborted. Never rejects.
 */
export async function runCall({ contract, handlers, state, log }: CallServer, call: Call): Promise<void> {
  const { caller, frame, signal, send } = call;
  const { id, name } = frame;
  let procedure: Procedure | undefined;
  try {
    procedure = authorize(contract, caller, frame);
    const { effect, output, maxSize } = procedure;
    const input = await parseInput(procedure, frame.input);
    const toOutput = (value: unknown): Promise<Json> => parseOutput(output, maxSize, value);
    // The types that `Handlers` has checked end here: a name leads to its own handler, with the state of its kind.
    const handler = handlers[name] as (context: unknown) => unknown;
    const handle = (given: object) => handler({ caller, input, signal, fail: failDeclared, state: given });
    const { get } = state;

    if (frame.kind === 'subscription') {
      const watch = (key: string, ...others: readonly string[]) => state.watch(key, others, signal);
      await runStream(handle({ get, watch }) as AsyncIterable<unknown>, toOutput, call, log);
      send({ kind: 'end', id });
    } else if (frame.kind === 'mutation' && effect === 'state') {
      // The output is parsed before a mutation is written: what cannot be answered does not take effect.
      const value = await state.transact(frame, call.checkDeadline, async (transaction) =>
        toOutput(await untilAborted(signal, () => handle(transaction))),
      );
      send({ kind: 'value', id, value });
    } else {
      // Of an external effect it cannot be known whether an earlier attempt had it.
      if (effect === 'external' && frame.attempt > 1) throw new ProcedureError({ code: 'DISCONNECTED' });
      send({ kind: 'value', id, value: await toOutput(await untilAborted(signal, () => handle({ get }))) });
    }
  } catch (error) {
    if (!signal.aborted) send({ kind: 'error', id, error: await reportFailure(error, procedure, log) });
  }
}

/** @throws ProcedureError `UNKNOWN_PROCEDURE` or `FORBIDDEN`, before the input is looked at */
function authorize(contract: Contract, caller: string, { kind, name }: OpeningFrame): Procedure {
  const procedure = Object.hasOwn(contract, name) ? contract[name] : undefined;
  if (procedure?.kind !== kind) throw new ProcedureError({ code: 'UNKNOWN_PROCEDURE' });
  if (!procedure.callers.includes(caller)) throw new ProcedureError({ code: 'FORBIDDEN' });
  return procedure;
}

/** @throws ProcedureError `NOT_JSON`, `TOO_LARGE` or `INVALID_INPUT` */
async function parseInput({ input: schema, maxSize }: Procedure, input: unknown): Promise<unknown> {
  const fail = ({ code, issues = [] }: ErrorReport): Error => new ProcedureError({ code, issues });
  if (schema !== undefined)
    return parse(schema, input === undefined ? input : copy(input, maxSize, fail, true), fail);
  if (input === undefined) return undefined;
  throw fail({ code: 'INVALID_INPUT', issues: [{ path: '', message: 'No input is expected.' }] });
}

/** Sends what a generator yields. It is asked for a value only when the page wants one. */
async function runStream(
  stream: AsyncIterable<unknown>,
  toOutput: (value: unknown) => Promise<Json>,
  { frame: { id }, signal, send, pulled }: Call,
  log: (error: unknown) => string,
): Promise<void> {
  const values = stream[Symbol.asyncIterator]();
  try {
    for (;;) {
      const next = await untilAborted(signal, () => values.next());
      if (next.done === true) return;
      send({ kind: 'next', id, value: await toOutput(next.value) });
      await untilAborted(signal, pulled);
    }
  } finally {
    // Runs the `finally` of the generator, at once or when what it waits for is over.
    values.return?.().catch(log);
  }
}

/** Settles as `work` does, or rejects with the signal's reason as soon as it is aborted. */
function untilAborted<T>(signal: AbortSignal, work: () => T | PromiseLike<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const onAbort = (): void => reject(signal.reason as ProcedureError);
    signal.addEventListener('abort', onAbort);
    // Adopts thenables that are not promises as well.
    const working = new Promise<T>((settle) => settle(work()));
    working.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}

/** Parses a handler's output or a declared error's data. @throws TypeError when it breaks the contract */
async function parseOutput(schema: Schema, maxSize: number, returned: unknown): Promise<Json> {
  const fail = ({ issues }: ErrorReport): Error =>
    new TypeError(`The handler's output breaks the contract: ${JSON.stringify(issues)}`);
  // Copied before it is validated, so that what was validated is what is sent.
  return (await parse(schema, copy(returned, maxSize, fail), fail)) as Json;
}

function copy(value: unknown, maxSize: number, fail: (report: ErrorReport) => Error, isOwn = false): Json {
  try {
    return copyJson(value, maxSize, isOwn);
  } catch (error) {
    throw fail(error as JsonError);
  }
}

/** Issues, and characters of each, that are reported: an answer must not outgrow its question. */
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

/** What the caller gets of an error. The cause of a `ProcedureError`, and anything else, goes to the log alone. */
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
