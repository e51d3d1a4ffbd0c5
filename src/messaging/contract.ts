import type { StandardSchemaV1 as Schema } from '@standard-schema/spec';

import type { JsonOf } from './json.ts';

/** What a procedure does: a query reads, a mutation changes something, a subscription yields values until it is stopped. */
export type Kind = 'query' | 'mutation' | 'subscription';

/** Where a mutation's effect lies: in its `state`, written exactly once, or outside, where none can be taken back. */
type Effect = 'state' | 'external';

/** Errors that a procedure declares: name → schema of the data that comes with it. */
type ErrorSchemas = Readonly<Record<string, Schema>>;

/** One line of a contract: who may call what, with which input, for which output. */
export interface Procedure<
  K extends Kind = Kind,
  Caller extends string = string,
  Input extends Schema | undefined = Schema | undefined,
  Output extends Schema = Schema,
  Errors extends ErrorSchemas = ErrorSchemas,
  E extends Effect = Effect,
> {
  readonly kind: K;
  /** A caller that is not named here is rejected before its input is looked at. */
  readonly callers: readonly Caller[];
  readonly input: Input;
  readonly output: Output;
  readonly errors: Errors;
  readonly effect: E;
  /** Largest input and largest output, in characters of JSON text. */
  readonly maxSize: number;
}

export type Contract = Readonly<Record<string, Procedure>>;

/** Names of the procedures of one kind. */
export type NameOf<C extends Contract, K extends Kind> = {
  [Name in keyof C & string]: C[Name]['kind'] extends K ? Name : never;
}[keyof C & string];

/** What the caller passes. */
export type InputOf<P extends Procedure> = P['input'] extends Schema
  ? Schema.InferInput<P['input']>
  : undefined;

/** What the handler receives: the caller's input after the schema has parsed it. */
export type ParsedOf<P extends Procedure> = P['input'] extends Schema
  ? Schema.InferOutput<P['input']>
  : undefined;

/** What the caller receives. */
export type OutputOf<P extends Pick<Procedure, 'output'>> = Schema.InferOutput<P['output']>;

/** What the handler returns: the output before the schema has parsed it. */
export type ReturnedOf<P extends Procedure> = Schema.InferInput<P['output']>;

/**
 * Declares a contract, of names `noun.verb`. The background imports the value, pages its type alone. `C` is no `Contract`:
 * the wide schemas of that would be taken for those that a definition leaves out.
 */
export function defineContract<const C extends Readonly<Record<string, { readonly kind: Kind }>>>(
  contract: C & Named<C>,
): C {
  return contract;
}

type Named<C> = {
  readonly [Name in keyof C]: Name extends `${string}.${string}`
    ? unknown
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

/** What a definition must fit as well, so that only JSON can cross the wire. */
interface Checked<Input, Output, Errors> {
  readonly input?: Sendable<Input, 'input'>;
  readonly output: Sendable<Output, 'output'>;
  readonly errors?: { readonly [Name in keyof Errors]: Sendable<Errors[Name], 'output'> };
}

/** Anything, if what crosses the wire under `S` is JSON; otherwise a type that no schema fits. */
type Sendable<S, Side extends 'input' | 'output'> = S extends Schema
  ? NonNullable<S['~standard']['types']>[Side] extends JsonOf<NonNullable<S['~standard']['types']>[Side]>
    ? unknown
    : { readonly 'this schema lets values through that are not JSON': never }
  : unknown;

const DEFAULT_MAX_SIZE = 4 * 1024 * 1024;

/** Builds procedures of one kind. What a definition leaves out has the defaults of these parameters. */
type Builder<K extends Kind> = <
  const Caller extends string,
  Output extends Schema,
  Input extends Schema | undefined = undefined,
  Errors extends ErrorSchemas = Record<never, never>,
  const E extends Effect = 'state',
>(
  definition: Definition<Caller, Input, Output, Errors> &
    Checked<Input, Output, Errors> &
    (K extends 'mutation' ? { readonly effect?: E } : unknown),
) => Procedure<K, Caller, Input, Output, Errors, E>;

/** A procedure that reads. It may run again when the background stops before it has answered. */
export const query: Builder<'query'> = createBuilder('query');

/**
 * A procedure that changes something, in the order in which its page made the calls: state exactly once, and with
 * `effect: 'external'` whatever the handler reaches at most once. Such a call may end with `delivery: 'unknown'`.
 */
export const mutation: Builder<'mutation'> = createBuilder('mutation');

/**
 * A procedure that yields values until its caller stops it, only as far as they are taken: at most one is on its way.
 * What may come faster is yielded in batches, or as the latest state alone.
 */
export const subscription: Builder<'subscription'> = createBuilder('subscription');

/** The builders' type parameters say that a procedure has what its definition leaves out. */
function createBuilder<K extends Kind>(kind: K): Builder<K> {
  const defaults = { kind, errors: {}, effect: 'state', maxSize: DEFAULT_MAX_SIZE };
  return ((definition: object) => ({ ...defaults, ...definition })) as unknown as Builder<K>;
}
