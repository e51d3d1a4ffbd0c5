import type { StandardSchemaV1 as Schema } from '@standard-schema/spec';

export type Kind = 'query' | 'mutation' | 'subscription';

/**
 * Where a mutation's effect lies: in the `state` that it is given, where it can be written exactly once, or outside of
 * it, `external`, where nobody can tell after the worker died whether it happened.
 */
export type Effect = 'state' | 'external';

/** Errors that a procedure declares: name → schema of the data that comes with it. */
export type ErrorSchemas = Readonly<Record<string, Schema>>;

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
  /** Everybody who is not named here is refused before the input is looked at. */
  readonly callers: readonly Caller[];
  readonly input: Input;
  readonly output: Output;
  readonly errors: Errors;
  readonly effect: E;
  /** Largest input and largest output, in bytes as `measureJson` counts them. */
  readonly maxBytes: number;
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

/** What the handler receives: the caller's input after the schema has read it. */
export type ReceivedOf<P extends Procedure> = P['input'] extends Schema
  ? Schema.InferOutput<P['input']>
  : undefined;

/** What the caller receives. */
export type OutputOf<P extends Procedure> = Schema.InferOutput<P['output']>;

/** What the handler returns: the output before the schema has read it. */
export type ReturnedOf<P extends Procedure> = Schema.InferInput<P['output']>;
