import type { StandardSchemaV1 as Schema } from '@standard-schema/spec';

import type { CallerInfo, Callers } from './define-callers.ts';
import { checkLimit, type DeclaredError, type ProcedureError } from '../wire/errors.ts';
import { createExpose, type Expose } from './expose.ts';
import type { Frozen } from './frozen.ts';
import type { SchemaOfJson } from '../wire/json.ts';
import type { StateReader, StateWatcher, StateWriter } from './handler-state.ts';

/** A query reads, a mutation changes state exactly once, and a subscription yields values until it is stopped. */
export type Kind = 'query' | 'mutation' | 'subscription';

/** Errors that a procedure declares, by name, with the schema of their data. */
type ErrorSchemas = Readonly<Record<string, Schema>>;

/**
 * A declared procedure. Its type holds the types of its values instead of its schemas, so that messages of the compiler stay
 * short. None of its members is optional for the same reason.
 */
export interface Procedure<K extends Kind, Caller extends string, Input, Output, Errors> {
  readonly kind: K;
  /** Other callers are rejected before their input is read. */
  readonly callers: readonly Caller[];
  readonly input: Schema | undefined;
  /** A mutation without an output returns nothing. */
  readonly output: Schema | undefined;
  readonly errors: ErrorSchemas;
  /** Largest input and largest output, in characters of JSON text. */
  readonly maxSize: number;
  readonly handle: (context: never) => unknown;
  /** Exists only in the type. `output` and `errors` are what a caller receives, and `input` is what it passes. */
  readonly '~types': { readonly input: Input; readonly output: Output; readonly errors: Errors };
}

export type AnyProcedure = Procedure<Kind, string, unknown, unknown, unknown>;

/** Procedures by name. */
export type Procedures = Readonly<Record<string, AnyProcedure>>;

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
   * a mutation after five seconds with the lock.
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

/** Maximum length of a procedure's name and of a page's id, in characters. */
export const MAX_NAME = 100;

type TypesOf<P> = P extends { readonly '~types': infer Types extends AnyProcedure['~types'] } ? Types : never;

/** The input that a caller passes. */
export type InputOf<P> = TypesOf<P>['input'];

/** The output that a caller receives. */
export type OutputOf<P> = TypesOf<P>['output'];

/** The name of a procedure if it is of this kind and lists this caller. With `never`, the caller is not checked. */
type NameIf<Name, P, K extends Kind, Caller> =
  P extends Procedure<K, infer Listed, unknown, unknown, unknown>
    ? [Caller] extends [Listed]
      ? Name
      : never
    : never;

/** Names of procedures. It is indexed where it is used, so that messages list the names instead of an alias. */
export type NamesIf<Api, K extends Kind, Caller = never> = {
  readonly [Name in keyof Api & string]: NameIf<Name, Api[Name], K, Caller>;
};

/** A sentence instead of `never`, because `never` would not explain why no name can be passed. */
type NameOrReason<Name, K extends Kind, Caller> = [Name] extends [never]
  ? [Caller] extends [never]
    ? `There is no ${K}.`
    : `No ${K} lists the caller "${Caller & string}".`
  : Name;

/** The arguments after the name of a procedure. Only a procedure that declares no input is called without one. */
export type ArgumentsOf<P, Options> =
  unknown extends InputOf<P>
    ? [input: InputOf<P>, options?: Options]
    : [InputOf<P>] extends [undefined]
      ? [input?: undefined, options?: Options]
      : [input: InputOf<P>, options?: Options];

/** Calls a procedure by its name. */
export type CallProcedure<Api, K extends 'query' | 'mutation', Options, Caller = never> = <
  Name extends NameOrReason<NamesIf<Api, K, Caller>[keyof Api & string], K, Caller>,
>(
  name: Name,
  ...rest: ArgumentsOf<Api[Name & keyof Api], Options>
) => Promise<OutputOf<Api[Name & keyof Api]>>;

/** Narrows an error to one that a procedure declares under this name, with its data. */
export type IsDeclared<Api> = <
  Name extends keyof Api & string,
  ErrorName extends keyof TypesOf<Api[Name]>['errors'] & string,
>(
  procedure: Name,
  name: ErrorName,
  error: unknown,
) => error is DeclaredError<ErrorName, TypesOf<Api[Name]>['errors'][ErrorName]>;
