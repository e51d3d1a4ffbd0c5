import { CallError } from '../../src/messaging/errors.ts';
import { counter, counterContract, counterHandlers, testCallers } from './counter.ts';
import { createMemoryWorld, type MemoryWorld, type MemoryWorldOptions } from './memory-world.ts';

export type CounterWorld = MemoryWorld<typeof counterContract>;

/** A memory world that counts. `handlers` replaces single handlers. */
export function createCounterWorld(
  handlers: Partial<typeof counterHandlers> = {},
  options: Partial<
    Pick<
      MemoryWorldOptions<typeof counterContract>,
      'observe' | 'wire' | 'patchStore' | 'patchPort' | 'documents'
    >
  > = {},
): CounterWorld {
  return createMemoryWorld({
    callers: testCallers,
    contract: counterContract,
    handlers: { ...counterHandlers, ...handlers },
    documents: [counter],
    ...options,
  });
}

/** Fires an event whose listener adds to the counter. */
export const fireAdd = (world: CounterWorld, count = 1, key?: string): Promise<number> =>
  world.fire(({ mutate }) => mutate('counter.add', count, key === undefined ? {} : { key }));

/** Keys of the events that are noted and not over. */
export const notesOf = (world: CounterWorld): readonly string[] =>
  world.disk.keys().filter((key) => key.startsWith('inbox/'));

/** The outcome of a promise: its value, or the code and the delivery of its error. */
export async function outcomeOf(promise: Promise<unknown>): Promise<unknown> {
  return promise.catch((error: unknown) => {
    if (!(error instanceof CallError)) throw error;
    return `${error.code} ${error.delivery}`;
  });
}
