import { describe, expect, it, vi } from 'vitest';

import { createCounterWorld } from '../support/counter-world.ts';
import { ask, callOf } from '../support/raw-calls.ts';
import { recordStore } from '../support/store-faults.ts';

/** Opens a port of a page whose first mutation was answered. `reads` lists the journal entries that are read from then on. */
async function openAfterFirst() {
  const { patchStore, reads } = recordStore();
  const world = createCounterWorld({}, { patchStore });
  const port = world.openPage('options').openRawPort();
  await ask(port, callOf('counter.add', { id: 5, page: 'known' }));
  // The journal is pruned soon after the first write.
  await vi.waitFor(() => expect(world.disk.keys()).toContain('journal'));
  reads.length = 0;
  return { port, world, reads: () => reads.flat().filter((key) => key.startsWith('journal/')) };
}

describe('a mutation', () => {
  it('does not read the journal if its port has answered an earlier one of its page', async () => {
    const { port, reads } = await openAfterFirst();

    const [answer] = await ask(port, callOf('counter.add', { id: 6, page: 'known' }));

    expect([answer, reads()]).toEqual([{ kind: 'value', id: 6, value: 2 }, []]);
  });

  it.each<[what: string, frame: object, count: number]>([
    ['is another attempt', { id: 6, page: 'known', attempt: 2 }, 2],
    ['is of another page', { id: 6, page: 'other' }, 2],
    ['was answered before', { id: 5, page: 'known' }, 1],
  ])('reads the journal if it %s, and takes effect once', async (_what, frame, count) => {
    const { port, reads, world } = await openAfterFirst();

    const [answer] = await ask(port, callOf('counter.add', frame));

    expect(answer).toMatchObject({ kind: 'value', value: count });
    expect(reads()).toHaveLength(1);
    expect(world.disk.read('counter')).toEqual({ version: 1, data: count });
  });
});

it('an acknowledgement by a page that may not mutate does not take the lock', async () => {
  const { patchStore, locks } = recordStore();
  const port = createCounterWorld({}, { patchStore }).openPage('popup').openRawPort();

  port.post({ kind: 'ack', id: 1, page: 'known' });
  const answers = await ask(port, callOf('counter.read'));

  expect([answers, locks()]).toEqual([[{ kind: 'value', id: 1, value: 0 }], 0]);
});
