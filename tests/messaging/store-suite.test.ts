import { expect, it } from 'vitest';

import type { Store } from '../../src/messaging/state/store.ts';
import { createCounterWorld } from '../support/counter-world.ts';
import { runStoreCase, storeCases } from '../support/store-suite.ts';

/** A value that the disk refuses. */
const REFUSED = 'refused';

/** Returns the disk of a memory world as a store, for a worker that never dies. */
function mountMemoryDisk(): Store {
  const { disk } = createCounterWorld();
  const store = disk.mount({
    isOver: () => false,
    end: () => {},
    pass: () => {},
    alive: async (value) => value,
  });
  return {
    ...store,
    write: async (entries) => {
      const isRefused = Object.values(entries).includes(REFUSED);
      disk.failWrites(isRefused ? new Error('refused') : undefined);
      try {
        await store.write(entries);
      } finally {
        disk.failWrites(undefined);
      }
    },
  };
}

it.each(Object.entries(storeCases))('the memory disk %s', async (name, { expected }) => {
  expect(await runStoreCase(name, mountMemoryDisk(), REFUSED)).toEqual(expected);
});
