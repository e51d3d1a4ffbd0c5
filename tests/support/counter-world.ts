import { CallError } from '../../src/messaging/errors.ts';
import { counter, counterContract, counterHandlers, testCallers } from './counter.ts';
import { createMemoryWorld, type MemoryWorld, type MemoryWorldOptions } from './memory-world.ts';

export type CounterWorld = MemoryWorld<typeof counterContract>;

/** Creates a memory world with the counter's contract. `handlers` replaces handlers by name. */
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
