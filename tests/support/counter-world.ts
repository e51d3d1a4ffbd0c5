import { counter, counterContract, counterHandlers, testCallers } from './counter.ts';
import { createMemoryWorld, type MemoryWorld, type MemoryWorldOptions } from './memory-world.ts';

/** A memory world that counts. `handlers` replaces single handlers. */
export function createCounterWorld(
  handlers: Partial<typeof counterHandlers> = {},
  options: Partial<
    Pick<
      MemoryWorldOptions<typeof counterContract>,
      'observe' | 'wire' | 'patchStore' | 'patchPort' | 'documents'
    >
  > = {},
): MemoryWorld<typeof counterContract> {
  return createMemoryWorld({
    callers: testCallers,
    contract: counterContract,
    handlers: { ...counterHandlers, ...handlers },
    documents: [counter],
    ...options,
  });
}
