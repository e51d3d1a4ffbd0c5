import { describe, expect, it, onTestFinished, vi } from 'vitest';

import {
  addToCounter,
  type CounterWorld,
  createCounterWorld,
  fireAdd,
  notesOf,
  outcomeOf,
} from '../support/counter-world.ts';
import { MOST } from '../support/counter.ts';
import type { DeathPoint } from '../support/memory-world.ts';

const WEEK = 7 * 24 * 60 * 60 * 1_000;

/** Starts the next worker, and waits until it has carried out the notes of earlier ones and adds 1 itself. */
async function settle(world: CounterWorld): Promise<void> {
  await fireAdd(world);
}

describe('when the worker dies', () => {
  it('at any step, an event takes effect once if it was noted, and otherwise not at all', async () => {
    let isOver = false;
    for (let step = 0; !isOver; step += 1) {
      const world = createCounterWorld();
      const outcome = fireAdd(world, 5).then(() => (isOver = true));
      void outcome;
      for (let settled = 0; settled < step; settled += 1) await Promise.resolve();
      const isNoted = notesOf(world).length > 0 || world.disk.dataOf('counter') === 5;
      world.killWorker();

      await settle(world);

      expect([step, world.disk.dataOf('counter')]).toEqual([step, isNoted ? 6 : 1]);
      expect(notesOf(world)).toEqual([]);
    }
  });

  it.each<[DeathPoint, number]>([
    ['before-note', 0],
    ['after-note', 5],
    ['before-commit', 5],
    ['after-commit', 5],
  ])('%s, an event that adds 5 has added %d after the next worker has started', async (point, expected) => {
    const world = createCounterWorld();
    world.killWorkerAt(point);
    void fireAdd(world, 5);
    await vi.waitFor(() => expect(world.isWorkerRunning()).toBe(false));

    await settle(world);

    expect(world.disk.dataOf('counter')).toBe(expected + 1);
  });

  it('a noted event is carried out when a page starts the next worker', async () => {
    const world = createCounterWorld();
    world.killWorkerAt('after-note');
    void fireAdd(world, 5);
    await vi.waitFor(() => expect(notesOf(world)).toHaveLength(1));

    const watched = world.openPage('popup').client.subscribe('counter.watch');
    const first = await watched.next();
    const second = await watched.next();

    expect([first.value, second.value]).toEqual([0, 5]);
  });

  it('noted events are carried out in their order, before those of the next worker', async () => {
    const order: number[] = [];
    const world = createCounterWorld({
      'counter.add': ({ input }) => {
        order.push(input);
        return input;
      },
    });
    const counts = Array.from({ length: 12 }, (_, index) => index + 1);
    world.killWorkerAt('before-commit');
    for (const count of counts) void fireAdd(world, count);
    await vi.waitFor(() => expect(order).toEqual([1]));

    await fireAdd(world, 13);

    expect(order).toEqual([1, ...counts, 13]);
  });
});

describe('a note', () => {
  const note = { name: 'counter.add', input: 5, at: Date.now() };

  it.each<[what: string, stored: object, logged: string]>([
    ['is too old', { ...note, at: Date.now() - WEEK }, 'counter.add · TIMEOUT'],
    [
      'is from a contract with other procedures',
      { ...note, name: 'counter.sub' },
      'counter.sub · UNKNOWN_PROCEDURE',
    ],
    ['has an input of an older version', { ...note, input: 'five' }, 'counter.add · INVALID_INPUT'],
    ['ends in a declared error', { ...note, input: MOST + 1 }, 'counter.add · DECLARED · tooHigh'],
  ])('that %s is logged and removed', async (_what, stored, logged) => {
    const world = createCounterWorld();
    world.disk.write('inbox', true);
    world.disk.write('inbox/1', JSON.stringify(stored));

    world.fire(() => {});
    await vi.waitFor(() => expect(notesOf(world)).toEqual([]));

    expect(String([...world.logged.values()][0])).toContain(logged);
    expect(world.disk.dataOf('counter')).toBeUndefined();
  });

  it.each(['{"name":', '7', 'null', '{}', '{"name":"counter.add"}', '{"at":1}'])(
    'that cannot be read, such as %s, is logged and kept for a later version',
    async (text) => {
      const world = createCounterWorld();
      world.disk.write('inbox', true);
      world.disk.write('inbox/1', text);
      world.disk.write('inbox/2', JSON.stringify({ ...note, at: Date.now() }));

      world.fire(() => {});
      await vi.waitFor(() => expect([world.disk.dataOf('counter'), world.logged.size]).toEqual([5, 1]));

      expect(String([...world.logged.values()][0])).toContain('The note inbox/1 cannot be read.');
      expect(notesOf(world)).toEqual(['inbox/1']);
      // With this flag, a later version looks for notes.
      expect(world.disk.read('inbox')).toBe(true);
    },
  );

  it('of an earlier worker whose handler does not end is left for a later worker', async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    let isSlow = true;
    const world = createCounterWorld({
      'counter.add': (context) => (isSlow ? new Promise<never>(() => {}) : addToCounter(context)),
    });
    world.disk.write('inbox', true);
    world.disk.write('inbox/1', JSON.stringify({ ...note, at: Date.now() }));
    world.fire(() => {});
    await vi.advanceTimersByTimeAsync(11_000);
    const left = notesOf(world);

    isSlow = false;
    world.killWorker();
    world.fire(() => {});
    await vi.advanceTimersByTimeAsync(1_000);

    expect([left, world.disk.dataOf('counter'), notesOf(world)]).toEqual([['inbox/1'], 5, []]);
  });

  it('keeps the flag set as long as it is there, and the last one resets it', async () => {
    const notesAtReset: number[] = [];
    const world = createCounterWorld(
      {},
      {
        patchStore: (store) => ({
          ...store,
          write: (entries) => {
            if (entries['inbox'] === false) notesAtReset.push(notesOf(world).length);
            return store.write(entries);
          },
        }),
      },
    );
    world.killWorkerAt('after-note');
    void fireAdd(world);
    await vi.waitFor(() => expect(notesOf(world)).toHaveLength(1));
    world.killWorkerAt('before-commit');
    for (let more = 0; more < 3; more += 1) void fireAdd(world);
    await vi.waitFor(() => expect(world.isWorkerRunning()).toBe(false));

    await Promise.all([fireAdd(world), fireAdd(world), outcomeOf(fireAdd(world, MOST + 1))]);
    await fireAdd(world);
    await vi.waitFor(() => expect(world.disk.read('inbox')).toBe(false));

    expect(notesAtReset.length).toBeGreaterThan(0);
    expect(notesAtReset.filter((count) => count > 0)).toEqual([]);
  });

  it('is ignored if another worker has removed it since it was listed', async () => {
    const world = createCounterWorld(
      {},
      {
        patchStore: (store) => ({
          ...store,
          list: async (prefix) => [...(await store.list(prefix)), `${prefix}gone`],
        }),
      },
    );

    await fireAdd(world);
    await vi.waitFor(() => expect(world.disk.read('inbox')).toBe(false));

    expect(world.logged.size).toBe(0);
  });

  it('whose effect the store refuses is left for a later worker', async () => {
    let isFull = true;
    const world = createCounterWorld(
      {},
      {
        patchStore: (store) => ({
          ...store,
          write: (entries) =>
            isFull && 'counter' in entries ? Promise.reject(new Error('QUOTA_BYTES')) : store.write(entries),
        }),
      },
    );
    world.disk.write('inbox', true);
    world.disk.write('inbox/1', JSON.stringify({ ...note, at: Date.now() }));
    world.fire(() => {});
    await vi.waitFor(() => expect(world.logged.size).toBe(1));

    isFull = false;
    world.killWorker();
    world.fire(() => {});

    await vi.waitFor(() => expect([world.disk.dataOf('counter'), notesOf(world)]).toEqual([5, []]));
  });

  it('that could not be removed is removed by the next worker', async () => {
    let isFull = true;
    const world = createCounterWorld(
      {},
      {
        patchStore: (store) => ({
          ...store,
          write: (entries) =>
            isFull && Object.values(entries).includes(null)
              ? Promise.reject(new Error('QUOTA_BYTES'))
              : store.write(entries),
        }),
      },
    );
    const outcome = await outcomeOf(fireAdd(world, MOST + 1));
    isFull = false;
    world.killWorker();

    world.fire(() => {});

    await vi.waitFor(() => expect(notesOf(world)).toEqual([]));
    expect(outcome).toBe('DECLARED unknown');
    expect([...world.logged.values()].map(String)).toContain('ProcedureError: NOT_STORED');
  });

  it('is carried out later if the store cannot be read at first', async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const world = createCounterWorld();
    world.disk.write('inbox', true);
    world.disk.write('inbox/1', JSON.stringify({ ...note, at: Date.now() }));
    world.disk.failReads(new Error('The disk is gone'));
    const outcome = outcomeOf(fireAdd(world));
    await vi.advanceTimersByTimeAsync(1_000);

    world.disk.failReads(undefined);
    await vi.advanceTimersByTimeAsync(10_000);

    expect([await outcome, world.disk.dataOf('counter'), notesOf(world)]).toEqual([6, 6, []]);
    // The flag and the notes.
    expect([...world.logged.values()].map(String)).toEqual(
      Array.from({ length: 2 }, () => 'ProcedureError: NOT_READ'),
    );
  });

  it('is stored as text', async () => {
    const world = createCounterWorld();
    world.killWorkerAt('after-note');
    void fireAdd(world, 5);
    await vi.waitFor(() => expect(notesOf(world)).toHaveLength(1));

    expect(notesOf(world).map((key) => typeof world.disk.read(key))).toEqual(['string']);
  });

  it('is looked for with a single read at the start of a worker', async () => {
    const reads: string[] = [];
    const world = createCounterWorld(
      {},
      {
        patchStore: (store) => ({
          ...store,
          read: (keys) => (reads.push(...keys), store.read(keys)),
          list: (prefix) => (reads.push(`${prefix}*`), store.list(prefix)),
        }),
      },
    );

    world.fire(() => {});
    await vi.waitFor(() => expect(reads).not.toEqual([]));

    expect(reads).toEqual(['inbox']);
  });
});
