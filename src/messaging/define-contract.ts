import type { StandardSchemaV1 as Schema } from '@standard-schema/spec';

import type { JsonOf } from './json.ts';

export type Kind = 'query' | 'mutation' | 'subscription';

/**
 * Where a mutation's effect lies: in the `state` that it is given, where it can be written exactly once, or outside of
 * it, `external`, where nobody can tell after the worker died whether it happened.
 */
export type Effect = 'state' | 'external';

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
  /** Values that may be on their way to the consumer of a subscription. */
  readonly window: number;
}

/** Errors that a procedure declares: name → schema of the data that comes with it. */
export type ErrorSchemas = Readonly<Record<string, Schema>>;

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

interface Definition<Caller, Input, Output, Errors> {
  readonly callers: readonly [Caller, ...Caller[]];
  readonly input?: Input;
  readonly output: Output;
  readonly errors?: Errors;
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

/** A procedure that reads. It may be asked again when the worker dies before it has answered. */
export function query<
  const Caller extends string,
  Output extends Schema,
  Input extends Schema | undefined = undefined,
  Errors extends ErrorSchemas = Record<never, never>,
>(
  definition: Definition<Caller, Input, Output, Errors> & Checked<Input, Output, Errors>,
): Procedure<'query', Caller, Input, Output, Errors> {
  return procedure('query', definition);
}

/**
 * A procedure that changes something, in the order in which its page made the calls: state exactly once, and with
 * `effect: 'external'` whatever the handler reaches at most once. Such a call may end in doubt (`delivery: 'unknown'`).
 */
export function mutation<
  const Caller extends string,
  Output extends Schema,
  Input extends Schema | undefined = undefined,
  Errors extends ErrorSchemas = Record<never, never>,
  const E extends Effect = 'state',
>(
  definition: Definition<Caller, Input, Output, Errors> &
    Checked<Input, Output, Errors> & { readonly effect?: E },
): Procedure<'mutation', Caller, Input, Output, Errors, E> {
  return procedure('mutation', definition, { effect: definition.effect });
}

/**
 * A procedure that yields values until its caller stops it. The handler runs only as far as the consumer takes values:
 * at most `window` (1 unless told) are ahead of it.
 */
export function subscription<
  const Caller extends string,
  Output extends Schema,
  Input extends Schema | undefined = undefined,
  Errors extends ErrorSchemas = Record<never, never>,
>(
  definition: Definition<Caller, Input, Output, Errors> &
    Checked<Input, Output, Errors> & { readonly window?: number },
): Procedure<'subscription', Caller, Input, Output, Errors> {
  return procedure('subscription', definition, { window: definition.window });
}

/**
 * The value that both ends import. Its keys are the procedures' names, `noun.verb`.
 *
 * `C` is no more than what the builders say: were it a `Contract`, its wide schemas would be taken for the ones left out.
 */
export function defineContract<const C extends Readonly<Record<string, { readonly kind: Kind }>>>(
  contract: C,
): C {
  for (const name of Object.keys(contract)) {
    if (!/^[a-z][A-Za-z]*\.[a-z][A-Za-z]*$/.test(name)) {
      throw new TypeError(`The procedure "${name}" must be named noun.verb, as in "preferences.update".`);
    }
  }
  return contract;
}

function procedure<
  K extends Kind,
  const Caller extends string,
  Input extends Schema | undefined,
  Output extends Schema,
  Errors extends ErrorSchemas,
  E extends Effect,
>(
  kind: K,
  definition: Definition<Caller, Input, Output, Errors>,
  {
    effect = 'state' as E,
    window = 1,
  }: { readonly effect?: E | undefined; readonly window?: number | undefined } = {},
): Procedure<K, Caller, Input, Output, Errors, E> {
  return {
    kind,
    callers: definition.callers,
    input: definition.input as Input,
    output: definition.output,
    errors: definition.errors ?? ({} as Errors),
    maxBytes: definition.maxBytes ?? DEFAULT_MAX_BYTES,
    effect,
    window,
  };
}
