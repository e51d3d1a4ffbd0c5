import type { CallerInfo } from '../../src/messaging/define/define-callers.ts';
import type { AnyProcedure, InputOf, Procedures } from '../../src/messaging/define/procedures.ts';
import type { StateWatcher, StateWriter } from '../../src/messaging/define/handler-state.ts';

/** A handler of a test. Its result is not checked, because tests also return wrong ones. */
export type Handler<P extends AnyProcedure> = (context: {
  readonly input: InputOf<P>;
  readonly caller: CallerInfo;
  readonly signal: AbortSignal;
  readonly state: P['kind'] extends 'mutation' ? StateWriter : StateWatcher;
}) => unknown;

/** Handlers by the names of their procedures. */
export type Handlers<P extends Procedures> = { readonly [Name in keyof P]: Handler<P[Name]> };

/** Replaces handlers of procedures by name. */
export function withHandlers<const P extends Procedures>(procedures: P, handlers: Partial<Handlers<P>>): P {
  const replaced = Object.entries(procedures).map(([name, procedure]) => {
    const { [name]: handle = procedure.handle } = handlers;
    return [name, { ...procedure, handle }];
  });
  return Object.fromEntries(replaced) as P;
}
