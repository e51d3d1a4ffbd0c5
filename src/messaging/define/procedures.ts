import type { StandardSchemaV1 as Schema } from '@standard-schema/spec';

import type { DeclaredError } from '../wire/errors.ts';
import type { Kind } from '../wire/frames.ts';

/** Errors that a procedure declares, by name, with the schema of their data. */
export type ErrorSchemas = Readonly<Record<string, Schema>>;

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
  /** Largest input and largest output, in characters of JSON text, of which an escaped one counts once. */
  readonly maxSize: number;
  readonly handle: (context: never) => unknown;
  /** Exists only in the type. `output` and `errors` are what a caller receives, and `input` is what it passes. */
  readonly '~types': { readonly input: Input; readonly output: Output; readonly errors: Errors };
}

export type AnyProcedure = Procedure<Kind, string, unknown, unknown, unknown>;

/** Procedures by name. */
export type Procedures = Readonly<Record<string, AnyProcedure>>;

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
