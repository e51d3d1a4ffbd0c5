import { expect, it } from 'vitest';

import type { Json } from '../../../src/messaging/json.ts';
import type { Store } from '../../../src/messaging/state/store.ts';
import { createCounterWorld } from '../../support/counter-world.ts';
import { never } from '../../support/promises.ts';
import { callOf } from '../../support/raw-calls.ts';
import { advance, withFakeTimers } from '../../support/time.ts';

withFakeTimers();

const MAKING_ROOM = 'making room';

/** Each `hanging` is a key or a prefix that the store does not read or list while the lock is held. */
it.each<[work: string, hanging: string, stored: Json, frame: () => object]>([
  ['pruning', 'journal', null, () => callOf('counter.tick')],
  ['a move to the quarantine', 'counter', 'broken', () => callOf('counter.read')],
  [MAKING_ROOM, 'journal/', null, () => callOf('counter.tick')],
])(
  'the lock is free after five seconds if the store does not answer during %s',
  async (work, hanging, stored, frame) => {
    const held: number[] = [];
    let isHeld = false;
    const patchStore = (disk: Store): Store => ({
      read: (keys) => (isHeld && keys.includes(hanging) ? never() : disk.read(keys)),
      list: (prefix) => (isHeld && prefix === hanging ? never() : disk.list(prefix)),
      write: async (entries) => {
        if (work === MAKING_ROOM) throw new Error('The disk is full');
        await disk.write(entries);
      },
      lock: (locked) =>
        disk.lock(async () => {
          const since = Date.now();
          isHeld = true;
          try {
            return await locked();
          } finally {
            isHeld = false;
            held.push(Date.now() - since);
          }
        }),
    });
    const world = createCounterWorld({}, { patchStore });
    world.disk.write(hanging, stored);

    world.openPage('options').openRawPort().post(frame());
    await advance(60_000);

    expect(Math.max(...held)).toBe(5_000);
  },
);
