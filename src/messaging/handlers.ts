import type { StandardSchemaV1 as Schema } from '@standard-schema/spec';

import type { StateReader, StateWatcher, Transaction } from './create-state.ts';
import type { Contract, Procedure, ReceivedOf, ReturnedOf } from './procedure.ts';
import type { Refusal } from './refusal.ts';

/** One handler a procedure; a missing one is a compile error. */
export type Handlers<C extends Contract> = { readonly [Name in keyof C]: Handler<C[Name]> };

export type Handler<P extends Procedure> = {
  query: (context: QueryContext<P>) => ReturnedOf<P> | Promise<ReturnedOf<P>>;
  mutation: (context: MutationContext<P>) => ReturnedOf<P> | Promise<ReturnedOf<P>>;
  subscription: (context: SubscriptionContext<P>) => AsyncIterable<ReturnedOf<P>>;
}[P['kind']];

/** What every handler is given. */
interface Context<P extends Procedure> {
  /** Validated by the procedure's schema. */
  readonly input: ReceivedOf<P>;
  /** Who is calling, as the browser says. */
  readonly caller: P['callers'][number];
  /**
   * Aborted when nobody waits for the outcome any more: the caller gave up, its deadline passed or its page is gone.
   */
  readonly signal: AbortSignal;
  /** Builds an error that the procedure declares, to be thrown. */
  readonly fail: <Name extends keyof P['errors'] & string>(
    name: Name,
    data: Schema.InferInput<P['errors'][Name]>,
  ) => Refusal;
}

export interface QueryContext<P extends Procedure> extends Context<P> {
  readonly state: StateReader;
}

export interface MutationContext<P extends Procedure> extends Context<P> {
  /**
   * The only way to change state. A mutation may run again when its worker died before it was written. One with an
   * external effect never runs again, and can only read.
   */
  readonly state: P['effect'] extends 'external' ? StateReader : Transaction;
}

export interface SubscriptionContext<P extends Procedure> extends Context<P> {
  readonly state: StateWatcher;
}
