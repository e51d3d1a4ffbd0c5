import type { StandardSchemaV1 as Schema } from '@standard-schema/spec';

import type { JsonOf } from './json.ts';
import type { Effect, ErrorSchemas, Kind, Procedure } from './procedure.ts';

interface Definition<Caller, Input, Output, Errors> {
  readonly callers: readonly [Caller, ...Caller[]];
  readonly input?: Input;
  readonly output: Output;
  readonly errors?: Errors;
  /** 4 MiB unless told. */
  readonly maxBytes?: number;
}

/** What a definition has to fit besides, so that nothing but JSON can cross the wire. */
interface Checked<Input, Output, Errors> {
  readonly input?: Sendable<Input, 'input'>;
  readonly output: Sendable<Output, 'output'>;
  readonly errors?: { readonly [Name in keyof Errors]: Sendable<Errors[Name], 'output'> };
}

/** Anything, if what crosses the wire under `S` is JSON; else a type that nothing fits. */
type Sendable<S, Side extends 'input' | 'output'> = S extends Schema
  ? NonNullable<S['~standard']['types']>[Side] extends JsonOf<NonNullable<S['~standard']['types']>[Side]>
    ? unknown
    : { readonly 'this schema lets values through that are not JSON': never }
  : unknown;

const DEFAULT_MAX_BYTES = 4 * 1024 * 1024;

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

/** A procedure that reads. It may be asked again when the worker dies before it has answered. */
export const query: Builder<'query'> = createBuilder('query');

/**
 * A procedure that changes something, in the order in which its page made the calls: state exactly once, and with
 * `effect: 'external'` whatever the handler reaches at most once. Such a call may end in doubt (`delivery: 'unknown'`).
 */
export const mutation: Builder<'mutation'> = createBuilder('mutation');

/**
 * A procedure that yields values until its caller stops it. The handler runs only as far as the consumer takes values:
 * at most one is on its way. What may come faster is to be yielded in batches, or as the latest state alone.
 */
export const subscription: Builder<'subscription'> = createBuilder('subscription');

/** That a procedure fits what its definition leaves out is what the builders' type parameters say. */
function createBuilder<K extends Kind>(kind: K): Builder<K> {
  return ((definition: object) => ({
    kind,
    errors: {},
    effect: 'state',
    maxBytes: DEFAULT_MAX_BYTES,
    ...definition,
  })) as unknown as Builder<K>;
}
