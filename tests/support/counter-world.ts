import { CallError } from '../../src/messaging/errors.ts';
import type { Procedures } from '../../src/messaging/procedures.ts';
import type { Observe } from '../../src/messaging/server/call.ts';
import { type CounterApi, counterFeature, testCallers } from './counter.ts';
import { createMemoryWorld, type MemoryWorld, type MemoryWorldOptions } from './memory-world.ts';

export type CounterWorld = MemoryWorld<CounterApi>;

/** Handlers by the names of their procedures. */
type Handlers<P extends Procedures> = { readonly [Name in keyof P]?: P[Name]['handle'] };

/** Replaces handlers of procedures by name. */
export function withHandlers<const P extends Procedures>(procedures: P, handlers: Handlers<P>): P {
  const replaced = Object.entries(handlers).map(([name, handle]) => [name, { ...procedures[name], handle }]);
  return { ...procedures, ...(Object.fromEntries(replaced) as Partial<P>) };
}

type Options = Partial<Pick<MemoryWorldOptions<[]>, 'wire' | 'patchStore' | 'patchPort'>>;

/** Creates a memory world with the feature of the counter. `handlers` replaces handlers by name. */
export function createCounterWorld(
  handlers: Handlers<typeof counterFeature.procedures> = {},
  { observe, ...options }: Options & { readonly observe?: Observe } = {},
): CounterWorld {
  const procedures = withHandlers(counterFeature.procedures, handlers);
  const feature = { ...counterFeature, procedures, observe };
  return createMemoryWorld({ callers: testCallers, features: [feature], ...options });
}

/** Fires an event whose listener adds to the counter. */
export const fireAdd = (world: CounterWorld, count = 1, key?: string): Promise<number> =>
  world.fire(({ mutate }) => mutate('counter.add', count, key === undefined ? {} : { key }));

/** Keys of the notes of events whose mutation has not ended. */
export const notesOf = (world: CounterWorld): readonly string[] =>
  world.disk.keys().filter((key) => key.startsWith('inbox/'));

/** Resolves with the value of a promise, or with the code and the delivery of its `CallError`. */
export async function outcomeOf(promise: Promise<unknown>): Promise<unknown> {
  return promise.catch((error: unknown) => {
    if (!(error instanceof CallError)) throw error;
    return `${error.code} ${error.delivery}`;
  });
}
