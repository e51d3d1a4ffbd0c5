import { CallError } from '../../src/messaging/errors.ts';
import type { Observe } from '../../src/messaging/server/call.ts';
import { type CounterApi, counterFeature, testCallers } from './counter.ts';
import { type Handlers, withHandlers } from './handlers.ts';
import { createMemoryWorld, type MemoryWorld, type MemoryWorldOptions } from './memory-world.ts';

export type CounterWorld = MemoryWorld<CounterApi>;

export type CounterHandlers = Handlers<typeof counterFeature.procedures>;

/** The real handler of `counter.add`. */
export const addToCounter = counterFeature.procedures['counter.add'].handle as CounterHandlers['counter.add'];

type Options = Partial<Pick<MemoryWorldOptions<[]>, 'wire' | 'patchStore' | 'patchPort'>>;

/** Creates a memory world with the feature of the counter. `handlers` replaces handlers by name. */
export function createCounterWorld(
  handlers: Partial<CounterHandlers> = {},
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
