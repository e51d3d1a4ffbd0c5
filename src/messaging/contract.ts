import type { StandardSchemaV1 as Schema } from '@standard-schema/spec';

import type { Callers } from './callers.ts';
import type { DeclaredError } from './errors.ts';
import type { JsonOf } from './json.ts';

/** A query reads, a mutation changes something, and a subscription yields values until it is stopped. */
export type Kind = 'query' | 'mutation' | 'subscription';

/** Effect of a mutation: `state` changes stored state, exactly once; `external` cannot be undone, such as a sent request. */
type Effect = 'state' | 'external';

/** Errors that a procedure declares, by name, with the schema of their data. */
type ErrorSchemas = Readonly<Record<string, Schema>>;

/** A procedure of a contract, with its callers, its input and its output. */
export interface Procedure<
  K extends Kind = Kind,
  Caller extends string = string,
  Input extends Schema | undefined = Schema | undefined,
  Output extends Schema = Schema,
  Errors extends ErrorSchemas = ErrorSchemas,
  E extends Effect = Effect,
> {
  readonly kind: K;
  /** Other callers are rejected before their input is read. */
  readonly callers: readonly Caller[];
  readonly input: Input;
  readonly output: Output;
  readonly errors: Errors;
  readonly effect: E;
  /** Largest input and largest output, in characters of JSON text. */
  readonly maxSize: number;
}

export type Contract = Readonly<Record<string, Procedure>>;

/** Names of the procedures of one kind, optionally only of those that a caller may call. */
export type NameOf<C extends Contract, K extends Kind, Caller extends string = never> = {
  [Name in keyof C & string]: C[Name]['kind'] extends K
    ? [Caller] extends [C[Name]['callers'][number]]
      ? Name
      : never
    : never;
}[keyof C & string];

/** The input that a caller passes. */
export type InputOf<P extends Procedure> = P['input'] extends Schema
  ? Schema.InferInput<P['input']>
  : undefined;

/** The input that a handler receives, after the schema has parsed it. */
export type ParsedOf<P extends Procedure> = P['input'] extends Schema
  ? Schema.InferOutput<P['input']>
  : undefined;

/** The output that a caller receives. */
export type OutputOf<P extends Pick<Procedure, 'output'>> = Schema.InferOutput<P['output']>;

/** The output that a handler returns, before the schema parses it. */
export type ReturnedOf<P extends Procedure> = Schema.InferInput<P['output']>;

/** The arguments after the name of a procedure. */
export type ArgumentsOf<P extends Procedure, Options> =
  InputOf<P> extends undefined
    ? [input?: undefined, options?: Options]
    : [input: InputOf<P>, options?: Options];

/** Narrows an error to one that a procedure declares under this name, with its data. */
export type IsDeclared<C extends Contract> = <
  Name extends keyof C & string,
  E extends keyof C[Name]['errors'] & string,
>(
  procedure: Name,
  name: E,
  error: unknown,
) => error is DeclaredError<E, OutputOf<{ output: C[Name]['errors'][E] }>>;

/** Procedures by name. With schemas in this type, TypeScript would infer a schema for each optional one that is missing. */
type ProcedureRecord = Readonly<Record<string, Pick<Procedure, 'kind' | 'callers'>>>;

/**
 * Declares a contract from one or more records of procedures, usually one for each feature. Procedures are named
 * `noun.verb`. They can list only `callers` and the background. The background imports the contract, and
 * pages import only its type.
 *
 * @throws TypeError if two records have a procedure of the same name, which TypeScript reports as well, or if a name has more
 *   than 100 characters
 */
export function defineContract<T extends Callers, const R extends readonly ProcedureRecord[]>(
  _callers: T,
  ...records: R & { readonly [I in keyof R]: Checked<R, R[I], (keyof T & string) | 'background'> }
): Joined<R> {
  const joined: Record<string, ProcedureRecord[string]> = {};
  for (const [name, procedure] of records.flatMap((record) => Object.entries(record))) {
    if (Object.hasOwn(joined, name)) throw new TypeError(`Two procedures have the name "${name}".`);
    if (name.length > MAX_NAME) throw new TypeError(`"${name}" has more than ${MAX_NAME} characters.`);
    joined[name] = procedure;
  }
  return joined as Joined<R>;
}

/** One record of all procedures. */
type Joined<R extends readonly ProcedureRecord[]> = {
  readonly [Name in KeyOfAny<R[number]>]: Extract<R[number], Readonly<Record<Name, unknown>>>[Name];
};

type KeyOfAny<Union> = Union extends unknown ? keyof Union : never;

/** `unknown` for a valid procedure. Otherwise a string that explains why the code does not compile. */
type Checked<All extends readonly ProcedureRecord[], One extends ProcedureRecord, Caller> = {
  readonly [Name in keyof One]: Name extends `${string}.${string}`
    ? One[Name]['callers'][number] extends Caller
      ? [Extract<All[number], Readonly<Record<Name, unknown>>>] extends [One]
        ? unknown
        : `Another record has "${Name}".`
      : `"${Exclude<One[Name]['callers'][number], Caller>}" is not a caller.`
    : 'A procedure is named noun.verb.';
};

interface Definition<Caller, Input, Output, Errors> {
  readonly callers: readonly [Caller, ...Caller[]];
  readonly input?: Input;
  readonly output: Output;
  readonly errors?: Errors;
  /** Characters of JSON text; 4 Mi by default. */
  readonly maxSize?: number;
}

/** Rejects schemas whose values are not JSON, because only JSON can be sent. */
interface OnlyJson<Input, Output, Errors> {
  readonly input?: Sendable<Input, 'input'>;
  readonly output: Sendable<Output, 'output'>;
  readonly errors?: { readonly [Name in keyof Errors]: Sendable<Errors[Name], 'output'> };
}

/** `unknown` if all values of `S` on the wire are JSON, otherwise a type that no schema has. */
type Sendable<S, Side extends 'input' | 'output'> = S extends Schema
  ? NonNullable<S['~standard']['types']>[Side] extends JsonOf<NonNullable<S['~standard']['types']>[Side]>
    ? unknown
    : { readonly 'this schema accepts values that are not JSON': never }
  : unknown;

/** Maximum length of a procedure's name and of a page's id, in characters. */
export const MAX_NAME = 100;

const DEFAULT_MAX_SIZE = 4 * 1024 * 1024;

/** Builds procedures of one kind. If a definition leaves a member out, the default of its type parameter applies. */
type Builder<K extends Kind> = <
  const Caller extends string,
  Output extends Schema,
  Input extends Schema | undefined = undefined,
  Errors extends ErrorSchemas = Record<never, never>,
  const E extends Effect = 'state',
>(
  definition: Definition<Caller, Input, Output, Errors> &
    OnlyJson<Input, Output, Errors> &
    (K extends 'mutation' ? { readonly effect?: E } : unknown),
) => Procedure<K, Caller, Input, Output, Errors, E>;

/** Declares a procedure that reads. It may run again if the background stops before it answers. */
export const query: Builder<'query'> = createBuilder('query');

/**
 * Declares a procedure that changes state exactly once. A page's mutations take effect in the order of its calls. An
 * external effect (`effect: 'external'`) happens at most once, and its call may end with `delivery: 'unknown'`.
 */
export const mutation: Builder<'mutation'> = createBuilder('mutation');

/**
 * Declares a procedure that yields values until its caller stops it. The generator advances only when the caller requests
 * a value, so at most one value is in flight. If values may come faster, yield them in batches, or only the latest state.
 */
export const subscription: Builder<'subscription'> = createBuilder('subscription');

/** Adds the members that a definition leaves out. */
function createBuilder<K extends Kind>(kind: K): Builder<K> {
  const defaults = { kind, errors: {}, effect: 'state', maxSize: DEFAULT_MAX_SIZE };
  return ((definition: object) => ({ ...defaults, ...definition })) as unknown as Builder<K>;
}
