import { describe, expect, it } from 'vitest';

import type { Entries, Store } from '../../../src/messaging/state/store.ts';
import {
  addToCounter,
  type CounterHandlers,
  createCounterWorld,
  eventsIn,
  fireAdd,
  groupOf,
  leaveGroups,
  logOf,
  outcomeOf,
  quarantineIn,
  restart,
} from '../../support/counter-world.ts';
import { createDeferred, sleep } from '../../support/promises.ts';
import { doubt, gone, refusing } from '../../support/store-faults.ts';
import { advance, HOUR, SECOND, withFakeTimers } from '../../support/time.ts';

withFakeTimers();

const isGroup = (key: string): boolean => key.startsWith('queue/event/');
const isNote = (entries: object): boolean => 'queue/noted' in entries;

/** Creates a world that records turns and attempts. Its journal has just been pruned, so that nothing else uses the store. */
function createTurnWorld(
  handle: CounterHandlers['counter.add'] = addToCounter,
  patchStore = (store: Store): Store => store,
) {
  /** The inputs that ran in each holding of the lock. */
  const turns: number[][] = [];
  /** The numbers of groups that were read together. */
  const reads: number[] = [];
  /** Writes of groups: the state has changed too, and the attempts of the events that were left. */
  const writes: (readonly [isChanged: boolean, tries: readonly number[]])[] = [];
  const listed: string[] = [];
  const observed: (readonly [attempts: number, outcome: string])[] = [];
  let gate = Promise.resolve();
  const world = createCounterWorld(
    {
      'counter.add': (context) => {
        turns.at(-1)?.push(context.input);
        return handle(context);
      },
    },
    {
      observe:
        ({ attempts }) =>
        (outcome) =>
          observed.push([attempts, outcome]),
      patchStore: (store) =>
        patchStore({
          ...store,
          read: (keys) => {
            const groups = keys.filter(isGroup);
            if (groups.length > 0) reads.push(groups.length);
            return store.read(keys);
          },
          list: (prefix) => (listed.push(prefix), store.list(prefix)),
          write: async (entries) => {
            await store.write(entries);
            if (Object.keys(entries).some(isGroup) && !isNote(entries))
              writes.push(['counter' in entries, eventsIn(world).map(({ tries }) => tries)]);
          },
          lock: async (work) => {
            await gate;
            return store.lock(() => (turns.push([]), work()));
          },
        }),
    },
  );
  world.disk.write('journal', Date.now());
  return {
    world,
    turns: () => turns.filter((inputs) => inputs.length > 0),
    reads,
    writes,
    listed,
    observed,
    add: (input: number) => outcomeOf(fireAdd(world, input)),
    /** Keeps the lock from this background until the returned function is called. */
    holdLock: (): (() => void) => {
      const { promise, resolve } = createDeferred();
      gate = promise;
      return resolve;
    },
  };
}

describe('events that wait', () => {
  it.each<[notes: readonly number[], sizes: readonly number[], groups: readonly number[]]>([
    [[24], [8, 8, 8], [1, 1, 1]],
    [Array(13).fill(1), [1, 8, 4], [1, 8, 4]],
    [
      [1, 1, 8],
      [1, 8, 1],
      [1, 2, 1],
    ],
  ])(
    'in notes of %j events are carried out at most 8 in a turn, which reads only their groups',
    async (notes, sizes, groups) => {
      const { turns, reads, add, holdLock } = createTurnWorld();
      const release = holdLock();
      const outcomes: Promise<unknown>[] = [];
      for (const size of notes) {
        outcomes.push(...Array.from({ length: size }, () => add(1)));
        await advance(1);
      }

      release();
      await advance(1);

      expect(await Promise.all(outcomes)).toEqual(outcomes.map((_, index) => index + 1));
      expect([turns().map(({ length }) => length), reads]).toEqual([sizes, groups]);
    },
  );

  it('after a change that the disk refuses run alone at first, and then more and more together', async () => {
    const isRefused = ({ counter = null }: Entries): boolean => JSON.stringify(counter).includes('"data":9');
    const { world, turns, add, observed } = createTurnWorld(addToCounter, refusing(isRefused));

    void add(900);
    for (let others = 0; others < 7; others += 1) void add(1);
    await advance(0.9 * SECOND);

    expect(turns().map(({ length }) => length)).toEqual([8, 1, 2, 4, 1]);
    expect(observed.map(([, outcome]) => outcome)).toEqual([
      ...Array(9).fill('NOT_STORED'),
      ...Array(7).fill('value'),
    ]);
    expect(world.disk.dataOf('counter')).toBe(7);
  });

  it.each([
    [50, [2, 3, 'page']],
    [51, [2, 'page', 3]],
  ])('let a page change the state first after an event that takes %d ms', async (duration, expected) => {
    const order: unknown[] = [];
    const written: number[] = [];
    const { world, add, holdLock } = createTurnWorld(
      async (context) => {
        if (context.input > 1) order.push(context.input);
        if (context.input === 2) {
          void page.client.mutate('counter.tick').then(() => order.push('page'));
          await sleep(duration);
        }
        return addToCounter(context);
      },
      (store) => ({
        ...store,
        write: (entries) => {
          if (!isNote(entries)) written.push(Object.keys(entries).filter(isGroup).length);
          return store.write(entries);
        },
      }),
    );
    const page = world.openPage('options');
    const release = holdLock();
    for (const input of [1, 2, 3]) {
      void add(input);
      await advance(1);
    }

    release();
    await advance(SECOND);

    expect([order, world.disk.dataOf('counter')]).toEqual([expected, 7]);
    // A group of which no event ran is not written.
    expect(written.filter((groups) => groups > 0)).toEqual(duration === 50 ? [1, 2] : [1, 1, 1]);
  });

  it('are noted in at most 64 writes at the same time, and then share a write', async () => {
    const { promise, resolve } = createDeferred();
    let notes = 0;
    const { add } = createTurnWorld(addToCounter, (store) => ({
      ...store,
      write: async (entries) => {
        if (isNote(entries)) {
          notes += 1;
          await promise;
        }
        await store.write(entries);
      },
    }));
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
});

describe('a group that cannot be carried out', () => {
  it.each<[what: string, stored: string | null, names: readonly string[]]>([
    ['is damaged, moves to the quarantine', '{"name":', ['queue']],
    ['is gone, leaves nothing in the quarantine', null, []],
  ])('because it %s, and its event ends in doubt', async (_what, stored, names) => {
    const { world, add, holdLock } = createTurnWorld();
    const release = holdLock();
    const outcome = add(5);
    await advance(1);
    for (const key of world.disk.keys().filter(isGroup)) world.disk.write(key, stored);

    release();
    await advance(SECOND);

    expect([await outcome, eventsIn(world)]).toEqual(['IN_DOUBT unknown', []]);
    expect(namesIn(world)).toEqual(names);
  });

  it('because it is gone when the list is read, leaves nothing behind', async () => {
    const { world } = createTurnWorld(addToCounter, (store) => ({
      ...store,
      list: async (prefix) => [...(await store.list(prefix)), 'queue/event/2'],
    }));
    leaveGroups(world, groupOf({}));

    await restart(world);

    expect([namesIn(world), eventsIn(world), world.disk.dataOf('counter')]).toEqual([[], [], 1]);
  });
});

/** The names of what is in the quarantine. */
const namesIn = ({ disk }: ReturnType<typeof createCounterWorld>): readonly unknown[] =>
  disk
    .keys()
    .filter((key) => key.startsWith('quarantine/'))
    .map((key) => key.split('.').at(-1));

describe('events of another background', () => {
  it.each<[tries: readonly number[], writes: readonly unknown[]]>([
    [
      [0, 0, 0],
      [
        [false, [1, 1, 1]],
        [true, []],
      ],
    ],
    [
      [1, 0, 0],
      [
        [false, [1, 1, 1]],
        [false, [2, 1, 1]],
        [true, [1, 1]],
        [true, []],
      ],
    ],
    [
      [0, 1],
      [
        [false, [1, 1]],
        [true, [1]],
        [false, [2]],
        [true, []],
      ],
    ],
  ])(
    'that did not survive %j attempts are counted before they run, and run alone if any was not survived',
    async (tries, expected) => {
      const { world, writes } = createTurnWorld();
      leaveGroups(world, groupOf(...tries.map((count) => ({ tries: count }))));

      await restart(world);

      expect(writes).toEqual(expected);
    },
  );

  it('are given up after ten failed attempts, each of which is logged once', async () => {
    const { world, observed } = createTurnWorld(() => Promise.reject(new Error('broken')));
    leaveGroups(world, groupOf({ tries: 0 }));

    await restart(world);
    await advance(5 * HOUR);

    expect(observed).toEqual(Array.from({ length: 10 }, (_, index) => [index + 1, 'INTERNAL']));
    expect([logOf(world).length, quarantineIn(world).length]).toEqual([11, 1]);
    expect(logOf(world).at(-1)).toMatch(/"counter.add" was given up/u);
  });

  it('are carried out in their order: taken over, of others, of the background that noted last', async () => {
    const { world, turns } = createTurnWorld();
    world.disk.write('queue/event/0-000000000000001-late-', groupOf({ input: 1 }));
    world.disk.write('queue/event/1-2-late-1', groupOf({ input: 3 }));
    world.disk.write('queue/event/1-3-other-1', groupOf({ input: 2 }));
    world.disk.write('queue/noted', 'late:1');

    await restart(world);

    expect(turns().flat()).toEqual([1, 2, 3]);
  });

  it('keep their order when several backgrounds die, also if they fill more than ten groups', async () => {
    const { world, turns, add } = createTurnWorld();
    const inputs = Array.from({ length: 170 }, (_, index) => index + 1);
    world.killWorkerAt('after-note');
    for (const input of inputs) void add(input);
    await advance(10);
    world.killWorkerAt('after-commit');
    await restart(world);

    await restart(world);

    expect(turns().flat()).toEqual(inputs);
  });
});

describe('a start', () => {
  it('lists no keys if an earlier one has found nothing', async () => {
    const { world, listed } = createTurnWorld();
    leaveGroups(world);
    await restart(world);
    const first = listed.length;

    await restart(world);

    expect([first, listed.length]).toEqual([1, 1]);
  });

  it('finds an event that is tried again, although others have been carried out since', async () => {
    let isBroken = true;
    const { world, add } = createTurnWorld((context) =>
      isBroken && context.input === 5 ? Promise.reject(new Error('broken')) : addToCounter(context),
    );
    void add(5);
    await advance(10);
    expect(await add(1)).toBe(1);
    isBroken = false;

    await restart(world);

    expect(world.disk.dataOf('counter')).toBe(6);
  });

  it('finds an event whose note is not confirmed, although an earlier one was carried out since', async () => {
    let notes = 0;
    const { promise, resolve } = createDeferred();
    const { world, add } = createTurnWorld(addToCounter, (store) => ({
      ...store,
      write: async (entries) => {
        if (!isNote(entries) || notes >= 3) return store.write(entries);
        notes += 1;
        if (notes === 1) return gone();
        if (notes === 3) {
          // Writes take effect in the order of their calls.
          await promise;
          return store.write(entries);
        }
        await sleep(100);
        await store.write(entries);
        resolve();
        return sleep(SECOND);
      },
    }));
    void add(1);
    await advance(50);
    void add(2);
    await advance(200);
    const first = world.disk.dataOf('counter');

    await restart(world);

    expect([first, world.disk.dataOf('counter')]).toEqual([1, 3]);
  });
});

describe('an event', () => {
  it('is carried out if its note took place, although the disk says that it did not', async () => {
    const { world, add } = createTurnWorld(addToCounter, (store) => ({
      ...store,
      write: async (entries) => {
        await store.write(entries);
        if (isNote(entries)) await gone();
      },
    }));

    const outcome = add(5);
    await advance(SECOND);

    expect([await outcome, logOf(world)]).toEqual([5, []]);
  });

  it('is not noted again if another background may have carried it out', async () => {
    const { promise, resolve } = createDeferred();
    const { world, add } = createTurnWorld(addToCounter, (store) => ({
      ...store,
      write: async (entries) => {
        await store.write(entries);
        if (!isNote(entries) || world.starts() > 1) return;
        await promise;
        await gone();
      },
    }));
    const outcome = add(5);
    await advance(1);
    world.detachWorker();
    const other = add(1);
    await advance(SECOND);

    resolve();
    await advance(SECOND);

    expect([await outcome, await other, world.disk.dataOf('counter')]).toEqual(['IN_DOUBT unknown', 6, 6]);
    expect(eventsIn(world)).toEqual([]);
  });

  it('is tried again without counting an attempt and without listing if its change is in doubt', async () => {
    const { patchStore, recover } = doubt({ isMade: false, isMeant: (entries) => 'counter' in entries });
    const { world, add, observed, listed } = createTurnWorld(addToCounter, patchStore);

    const outcome = add(5);
    await advance(500);
    recover();
    await advance(5 * SECOND);

    expect([await outcome, observed, listed]).toEqual([
      5,
      [
        [1, 'IN_DOUBT'],
        [1, 'value'],
      ],
      [],
    ]);
    expect(logOf(world)).toEqual(['ProcedureError: IN_DOUBT']);
  });

  it('waits while the disk refuses every change', async () => {
    let isRefusing = true;
    const { world, add } = createTurnWorld(
      addToCounter,
      refusing((entries) => isRefusing && !isNote(entries)),
    );

    const outcome = add(5);
    await advance(5 * SECOND);
    isRefusing = false;
    await advance(10 * SECOND);

    expect([await outcome, new Set(logOf(world))]).toEqual([5, new Set(['ProcedureError: NOT_STORED'])]);
  });
});
