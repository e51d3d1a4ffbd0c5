import { counterContract, counterHandlers } from './counter.ts';
import { createMemoryWorld, type MemoryWorld, type MemoryWorldOptions } from './memory-world.ts';

/** A memory world that counts. `handlers` replaces single handlers. */
export function createCounterWorld(
  handlers: Partial<typeof counterHandlers> = {},
  options: Pick<
    MemoryWorldOptions<typeof counterContract>,
    'observe' | 'wire' | 'patchStore' | 'patchPort' | 'identify'
  > = {},
): MemoryWorld<typeof counterContract> {
  const all = { ...counterHandlers, ...handlers };
  return createMemoryWorld({ contract: counterContract, handlers: all, ...options });
}
