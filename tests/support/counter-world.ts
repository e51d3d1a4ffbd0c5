import { counterContract, counterHandlers } from './counter.ts';
import { createMemoryWorld } from './memory-world.ts';
import type { MemoryWorld } from './memory-world.ts';

/** A memory world that counts. `handlers` replaces single handlers. */
export function createCounterWorld(
  handlers: Partial<typeof counterHandlers> = {},
): MemoryWorld<typeof counterContract> {
  return createMemoryWorld({ contract: counterContract, handlers: { ...counterHandlers, ...handlers } });
}
