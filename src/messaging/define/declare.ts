import type { StandardSchemaV1 as Schema } from '@standard-schema/spec';

import type { ProcedureError } from '../wire/errors.ts';
import { checkLimit } from './limits.ts';
import type { Kind } from '../wire/frames.ts';
import type { SchemaOfJson } from '../wire/json.ts';
import type { CallerInfo, Callers } from './define-callers.ts';
import { createExpose, type Expose } from './expose.ts';
import type { Frozen } from './frozen.ts';
import type { StateReader, StateWatcher, StateWriter } from './handler-state.ts';
import type { ErrorSchemas, Procedure } from './procedures.ts';

type InputOfSchema<S, Missing = undefined> = S extends Schema ? Schema.InferInput<S> : Missing;
type OutputOfSchema<S, Missing = undefined> = S extends Schema ? Schema.InferOutput<S> : Missing;

/** The argument of every handler. */
interface Context<Caller, Input, Errors, State> {
  /** Validated by the procedure's schema. */
  readonly input: OutputOfSchema<Input>;
  /** The caller, as the browser identifies it. The background itself has the name `background`. */
  readonly caller: CallerInfo<Caller>;
  /**
   * Aborted when the caller aborts or the deadline passes. A query or a subscription is also aborted when its page closes, and
   * a mutation after five seconds of its turn.
   */
  readonly signal: AbortSignal;
  readonly state: State;
  /** Returns a declared error to throw. */
  readonly fail: <Name extends keyof Errors & string>(
    name: Name,
    data: InputOfSchema<Errors[Name]>,
  ) => ProcedureError;
}

/** This is an interface because, with an intersection, one wrong member would stop all inference. */
interface Declaration<Caller, Input, Output, Errors, State, Result> {
  /** Names of `defineCallers`, or `background`. */
  readonly callers: readonly [Caller, ...Caller[]];
  readonly input?: Input & SchemaOfJson<Input, 'input'>;
  /** Without it, the caller receives `undefined`, whatever the handler returns, and the journal does not keep the result. */
  readonly output?: Output & SchemaOfJson<Output, 'output'>;
  readonly errors?: Errors & { readonly [Name in keyof Errors]: SchemaOfJson<Errors[Name], 'output'> };
  /** Largest input and largest output, in characters of JSON text; 4 Mi by default. */
  readonly maxSize?: number;
  readonly handle: (context: Context<Caller, Input, Errors, State>) => Result;
}

/** Values of the state are frozen, and a handler can return them as they are. */
type Returnable<Output> = Frozen<InputOfSchema<Output, unknown>>;

type Returned<K, Output> = K extends 'subscription'
  ? AsyncIterable<Returnable<Output>>
  : Returnable<Output> | Promise<Returnable<Output>>;

type ErrorData<Errors> = { readonly [Name in keyof Errors]: OutputOfSchema<Errors[Name]> };

type DeclareOne<K extends Kind, Callable extends string, State> = <
  const Caller extends Callable,
  Output extends Schema | undefined = undefined,
  Input extends Schema | undefined = undefined,
  Errors extends ErrorSchemas = {},
>(
  declaration: Declaration<Caller, Input, Output, Errors, State, Returned<K, Output>>,
) => Procedure<K, Caller, InputOfSchema<Input>, OutputOfSchema<Output, void>, ErrorData<Errors>>;

/** Functions that declare procedures for the callers of one extension. */
interface Declare<Callable extends string> {
  /** Declares a procedure that reads. It may run again if the background stops before it answers. */
  readonly query: DeclareOne<'query', Callable, StateReader>;
  /** Declares a procedure that changes state exactly once. A page's mutations take effect in the order of its calls. */
  readonly mutation: DeclareOne<'mutation', Callable, StateWriter>;
  /**
   * Declares a procedure that yields values until its caller stops it. The generator advances only when the caller requests a
   * value, so at most one value is in flight. If values may come faster, yield them in batches, or only the latest state.
   */
  readonly subscription: DeclareOne<'subscription', Callable, StateWatcher>;
  readonly expose: Expose<Callable>;
}

const DEFAULTS = { input: undefined, output: undefined, errors: {}, maxSize: 4 * 1024 * 1024 };

/**
 * Returns the functions that declare procedures. They accept only these callers and the background. They throw a TypeError
 * for a `maxSize` that is not above 0.
 */
export function proceduresFor<T extends Callers>(_callers: T): Declare<(keyof T & string) | 'background'> {
  const declare = (kind: Kind) => (declaration: object) => {
    const procedure = { ...DEFAULTS, ...declaration, kind };
    checkLimit('`maxSize`', procedure.maxSize);
    return procedure;
  };
  const [query, mutation, subscription] = [declare('query'), declare('mutation'), declare('subscription')];
  const expose = createExpose(subscription, mutation);
  return { query, mutation, subscription, expose } as unknown as Declare<(keyof T & string) | 'background'>;
}
