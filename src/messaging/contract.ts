import type { StandardSchemaV1 as Schema } from '@standard-schema/spec';

import type { Callers } from './callers.ts';
import type { JsonOf } from './json.ts';

/** A query reads, a mutation changes something, and a subscription yields values until it is stopped. */
export type Kind = 'query' | 'mutation' | 'subscription';

/** A mutation changes its `state`, which is written exactly once, or something outside, which cannot be undone. */
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

/** Names of the procedures of one kind, or of those among them that a caller may call. */
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

/** The input that a handler receives: the caller's, parsed by the schema. */
export type ParsedOf<P extends Procedure> = P['input'] extends Schema
  ? Schema.InferOutput<P['input']>
  : undefined;

/** The output that a caller receives. */
export type OutputOf<P extends Pick<Procedure, 'output'>> = Schema.InferOutput<P['output']>;

/** The output that a handler returns: the schema has not parsed it yet. */
export type ReturnedOf<P extends Procedure> = Schema.InferInput<P['output']>;

/**
 * Declares a contract: procedures named `noun.verb`, called by `callers` and by the background itself. The background
 * imports the value, pages import its type alone. `C` does not extend `Contract`, whose wide schemas would be inferred
 * for those that a definition leaves out.
 */
export function defineContract<T extends Callers, const C extends Readonly<Record<string, Callable>>>(
  _callers: T,
  contract: C & Checked<C, (keyof T & string) | 'background'>,
): C {
  return contract;
}

interface Callable {
  readonly kind: Kind;
  readonly callers: readonly string[];
}

type Checked<C extends Readonly<Record<string, Callable>>, Caller> = {
  readonly [Name in keyof C]: Name extends `${string}.${string}`
    ? C[Name]['callers'][number] extends Caller
      ? unknown
      : `"${Exclude<C[Name]['callers'][number], Caller>}" is not a caller.`
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

/** Further rules for a definition: only JSON can cross the wire. */
interface OnlyJson<Input, Output, Errors> {
  readonly input?: Sendable<Input, 'input'>;
  readonly output: Sendable<Output, 'output'>;
  readonly errors?: { readonly [Name in keyof Errors]: Sendable<Errors[Name], 'output'> };
}

/** `unknown` if all values of `S` on the wire are JSON; otherwise a type that no schema fits. */
type Sendable<S, Side extends 'input' | 'output'> = S extends Schema
  ? NonNullable<S['~standard']['types']>[Side] extends JsonOf<NonNullable<S['~standard']['types']>[Side]>
    ? unknown
    : { readonly 'this schema lets values through that are not JSON': never }
  : unknown;

const DEFAULT_MAX_SIZE = 4 * 1024 * 1024;

/** Builds procedures of one kind. The defaults of the parameters stand for members that a definition leaves out. */
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

/** A procedure that reads. It may run again when the background stops before it has answered. */
export const query: Builder<'query'> = createBuilder('query');

/**
 * A procedure that changes something. A page's mutations take effect in the order of its calls. State is changed exactly
 * once. An external effect (`effect: 'external'`) happens at most once, and its call may end with `delivery: 'unknown'`.
 */
export const mutation: Builder<'mutation'> = createBuilder('mutation');

/**
 * A procedure that yields values until its caller stops it. The generator advances only when the caller asks, so at most
 * one value is on its way. If values may come faster, yield them in batches, or yield the latest state alone.
 */
export const subscription: Builder<'subscription'> = createBuilder('subscription');

/** The type parameters of the builders add the members that a definition leaves out. */
function createBuilder<K extends Kind>(kind: K): Builder<K> {
  const defaults = { kind, errors: {}, effect: 'state', maxSize: DEFAULT_MAX_SIZE };
  return ((definition: object) => ({ ...defaults, ...definition })) as unknown as Builder<K>;
}
