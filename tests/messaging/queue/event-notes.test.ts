import { describe, expect, it } from 'vitest';

import { addToCounter } from '../../support/counter-world.ts';
import { createEventWorld, noting } from '../../support/event-world.ts';
import { isNote } from '../../support/memory-world.ts';
import { createDeferred, never } from '../../support/promises.ts';
import { gone, recordStore, refusing } from '../../support/store-faults.ts';
import { createTaskWorld, ring } from '../../support/task-world.ts';
import { advance, SECOND, withFakeTimers } from '../../support/time.ts';

withFakeTimers();

describe('an event', () => {
  it('is noted as text in one write with the mark, also while a page has its turn', async () => {
    const { world, add, left, mark, holdTurn } = createEventWorld();
    const release = await holdTurn();

    const counts = [add(5), add(6)];
    await advance(1);
    const [noted, before] = [left(), mark()];
    const texts = ['queue/000000000001', 'queue/000000000002'].map((key) => world.disk.read(key));
    release();

    expect(noted).toMatchObject([
      { kind: 'event', name: 'counter.add', data: 5 },
      { kind: 'event', name: 'counter.add', data: 6 },
    ]);
    expect([before, ...texts.map((text) => typeof text)]).toEqual(['2', 'string', 'string']);
    expect([await Promise.all(counts), left(), mark()]).toEqual([[5, 11], [], '2 empty']);
  });

  it('shares a write with others of its moment, also while an earlier one is noted', async () => {
    let notes = 0;
    const { add } = createEventWorld(addToCounter, {
      patchStore: noting((write) => {
        notes += 1;
        return write();
      }),
    });

    const counts = [add(1)];
    await Promise.resolve();
    await Promise.resolve();
    counts.push(add(2), add(3));

    expect([await Promise.all(counts), notes]).toEqual([[1, 3, 6], 2]);
  });

  it('costs one write to note and one to carry out, together with others of its moment', async () => {
    const { patchStore, writes } = recordStore();
    const { add } = createEventWorld(addToCounter, { patchStore });

    await Promise.all([add(1), add(2)]);

    expect(writes).toHaveLength(2);
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

  it('is noted in a turn if its first write is refused, and keeps its place', async () => {
    const writes = [gone];
    const { add, order, left, mark, log } = createEventWorld(addToCounter, {
      patchStore: noting((write) => (writes.pop() ?? write)()),
    });

    const outcomes = [add(1)];
    await advance(0);
    outcomes.push(add(2));

    expect([await Promise.all(outcomes), order()]).toEqual([
      [1, 3],
      [1, 2],
    ]);
    expect([left(), mark(), log()]).toEqual([[], '2 empty', []]);
  });

  it.each<[code: string, fault: 'failWrites' | 'failReads']>([
    ['NOT_STORED', 'failWrites'],
    ['NOT_READ', 'failReads'],
  ])('ends in %s and has no effect when it cannot be noted', async (code, fault) => {
    const { world, add, count, left, mark, log } = createEventWorld();
    world.disk[fault](new Error('The disk is full'));

    const outcome = add(5);
    await advance(SECOND);
    world.disk[fault](undefined);
    await advance(6 * SECOND);

    expect([await outcome, log()[0]]).toEqual([`${code} not-sent`, `ProcedureError: ${code}`]);
    expect([count(), left()]).toEqual([undefined, []]);
    expect(await add(1)).toBe(1);
    expect(mark()).toMatch(/^\d empty$/u);
  });

  it('stays stored although its id, which a page can guess, is cancelled while it is noted', async () => {
    const noted = createDeferred();
    const { world, change, keys } = createTaskWorld(never, {
      patchStore: (store) => ({
        ...store,
        write: async (entries) => {
          await store.write(entries);
          if (isNote(entries)) await noted.promise;
        },
      }),
    });
    void world.fire(({ mutate }) => mutate('test.change'));
    await advance(1);

    await change((state) => state.cancel(ring, '000000000001'));

    expect(keys()).toEqual(['queue/000000000001']);
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
