import { describe, expect, it } from 'vitest';

import { addToCounter, createCounterWorld, eventsIn, fireAdd } from '../../support/counter-world.ts';
import { createEventWorld, noting } from '../../support/event-world.ts';
import { createDeferred, never } from '../../support/promises.ts';
import { gone, recordStore, refusing } from '../../support/store-faults.ts';
import { advance, SECOND, withFakeTimers } from '../../support/time.ts';

withFakeTimers();

/** Creates a world that counts the operations of its store. */
function createCountingWorld() {
  const { reads, lists, writes, locks, patchStore } = recordStore();
  const created = createEventWorld(addToCounter, { patchStore });
  const cost = () => ({ reads: reads.length, lists: lists.length, writes: writes.length, locks: locks() });
  return { ...created, writes, cost };
}

describe('an event', () => {
  it('is noted without waiting for a read or for the lock', async () => {
    const world = createCounterWorld({}, { patchStore: (store) => ({ ...store, read: never, lock: never }) });

    void fireAdd(world, 5);
    await advance(0);

    expect(eventsIn(world)).toMatchObject([{ name: 'counter.add', input: 5 }]);
  });

  it('costs two writes, two reads and one lock: it is noted, and written with its change', async () => {
    const { add, cost } = createCountingWorld();
    await add(1);
    await advance(SECOND);
    const before = cost();

    await add(1);

    const { reads, lists, writes, locks } = before;
    expect(cost()).toEqual({ reads: reads + 2, lists, writes: writes + 2, locks: locks + 1 });
  });

  it('costs the next start one read', async () => {
    const { add, restart, cost } = createCountingWorld();
    await add(1);
    await advance(SECOND);
    const before = cost();

    await restart();

    expect(cost()).toEqual({ ...before, reads: before.reads + 1 });
  });

  it('shares a write with others of its moment, also while an earlier one is noted', async () => {
    const { add, writes } = createCountingWorld();

    const counts = [add(1)];
    await Promise.resolve();
    await Promise.resolve();
    counts.push(add(2), add(3));

    expect(await Promise.all(counts)).toEqual([1, 3, 6]);
    expect(writes.filter((keys) => keys.includes('queue/noted'))).toHaveLength(2);
  });

  it('is noted in one of at most 64 writes at the same time, and later ones then share a write', async () => {
    const { promise, resolve } = createDeferred();
    let notes = 0;
    const patchStore = noting(async (write) => {
      notes += 1;
      await promise;
      await write();
    });
    const { add } = createEventWorld(addToCounter, { patchStore });
    const outcomes: Promise<unknown>[] = [];
    for (let count = 1; count <= 70; count += 1) {
      outcomes.push(add(1));
      await advance(1);
    }
    const most = notes;

    resolve();
    await advance(SECOND);

    expect([most, notes]).toEqual([64, 65]);
    expect(await Promise.all(outcomes)).toEqual(outcomes.map((_, index) => index + 1));
  });

  it('is carried out if its note took place, although the disk says that it did not', async () => {
    const { add, log } = createEventWorld(addToCounter, {
      patchStore: noting((write) => write().then(gone)),
    });

    const outcome = add(5);
    await advance(SECOND);

    expect([await outcome, log()]).toEqual([5, []]);
  });

  it('is not noted again if another background may have carried it out', async () => {
    const { promise, resolve } = createDeferred();
    const { world, add, count, left } = createEventWorld(addToCounter, {
      patchStore: noting(async (write) => {
        await write();
        if (world.starts() === 1) await promise.then(gone);
      }),
    });
    const outcome = add(5);
    await advance(1);
    world.detachWorker();
    const other = add(1);
    await advance(SECOND);

    resolve();
    await advance(SECOND);

    expect([await outcome, await other, count()]).toEqual(['IN_DOUBT unknown', 6, 6]);
    expect(left()).toEqual([]);
  });

  it.each([
    ['NOT_STORED not-sent', false],
    ['IN_DOUBT unknown', true],
  ])('ends in %s and has no effect when it cannot be noted', async (ended, isUnknown) => {
    const { world, add, log } = createEventWorld();
    world.disk.failWrites(new Error('The disk is full'));
    if (isUnknown) world.disk.failReads(new Error('The disk is gone'));

    const outcome = add(5);
    await advance(SECOND);
    world.disk.failWrites(undefined);
    world.disk.failReads(undefined);
    await advance(6 * SECOND);

    expect([await outcome, await add(1)]).toEqual([ended, 1]);
    expect(log()).toContain(`ProcedureError: ${ended.split(' ')[0]}`);
  });

  it('is noted in a full store, because outcomes are removed', async () => {
    const isFull = (): boolean => JSON.stringify(world.disk.read('journal/options/closed')).length > 2_000;
    const { world, add } = createEventWorld(addToCounter, {
      patchStore: refusing((entries) => isFull() && !('journal/options/closed' in entries)),
    });
    const large = { id: 1, name: 'counter.add', outcome: 'x'.repeat(2_000), at: Date.now() };
    world.disk.write('journal/options/closed', large);

    const outcome = add(5);
    await advance(SECOND);

    expect(await outcome).toBe(5);
  });
});
