import { describe, expect, it, onTestFinished, vi } from 'vitest';

import { CallError } from '../../src/messaging/errors.ts';
import type { Background } from '../../src/messaging/server/background.ts';
import { createCounterWorld } from '../support/counter-world.ts';
import { counter, counterContract, counterHandlers, MOST, rings, testCallers } from '../support/counter.ts';
import { createMemoryWorld, type DeathPoint, type MemoryWorld } from '../support/memory-world.ts';
import { createDeferred } from '../support/promises.ts';

type World = MemoryWorld<typeof counterContract>;

const WEEK = 7 * 24 * 60 * 60 * 1_000;

/** Fires an event whose listener adds to the counter. */
const fireAdd = (world: World, count = 1, key?: string): Promise<number> =>
  world.fire(({ mutate }) => mutate('counter.add', count, key === undefined ? {} : { key }));

/** What became of a promise: its value, or the code and the delivery of its error. */
async function outcomeOf(promise: Promise<unknown>): Promise<unknown> {
  return promise.catch((error: unknown) => {
    if (!(error instanceof CallError)) throw error;
    return `${error.code} ${error.delivery}`;
  });
}

/** Starts the next worker and waits until it has carried out what earlier ones left. */
async function settle(world: World): Promise<void> {
  await fireAdd(world);
}

const notesOf = (world: World): readonly string[] =>
  world.disk.keys().filter((key) => key.startsWith('inbox/'));

describe('a mutation of the background’s own', () => {
  it('changes state like a page’s, and open pages see it', async () => {
    const world = createCounterWorld();
    const watched = world.openPage('popup').client.subscribe('counter.watch');
    await watched.next();

    const count = await fireAdd(world, 3);

    expect([count, (await watched.next()).value, world.disk.dataOf('counter')]).toEqual([3, 3, 3]);
    expect(notesOf(world)).toEqual([]);
  });

  it('is noted in the first write, before anything is read and before the lock is asked for', async () => {
    const operations: string[] = [];
    const world = createCounterWorld(
      {},
      {
        patchStore: (store) => ({
          read: (keys) => (operations.push('read'), store.read(keys)),
          list: (prefix) => (operations.push('list'), store.list(prefix)),
          write: (entries) => (
            operations.push(`write ${Object.keys(entries).join().slice(0, 6)}`),
            store.write(entries)
          ),
          lock: (work) => (operations.push('lock'), store.lock(work)),
        }),
      },
    );

    await fireAdd(world);

    expect(operations[0]).toBe('write inbox/');
    expect(operations.filter((operation) => operation === 'write inbox/')).toHaveLength(1);
  });

  it('adds up with changes that pages make at the same moment', async () => {
    const world = createCounterWorld();
    const pages = [world.openPage('options'), world.openPage('options')];
    const changes: Promise<number>[] = [];

    for (let round = 0; round < 10; round += 1) {
      changes.push(fireAdd(world), fireAdd(world));
      for (const { client } of pages) changes.push(client.mutate('counter.add', 1));
    }
    await Promise.all(changes);

    expect(world.disk.dataOf('counter')).toBe(40);
  });

  it('takes effect in the order of the calls', async () => {
    const order: number[] = [];
    const add = counterHandlers['counter.add'];
    const world = createCounterWorld({
      'counter.add': async (context) => {
        // The earlier ones take longer.
        await new Promise((resolve) => setTimeout(resolve, 10 - context.input));
        order.push(context.input);
        return add(context);
      },
    });

    await Promise.all([1, 2, 3, 4, 5].map((count) => fireAdd(world, count)));

    expect(order).toEqual([1, 2, 3, 4, 5]);
  });

  it.each<
    [what: string, call: (background: Background<typeof counterContract>) => Promise<unknown>, ended: string]
  >([
    ['an input that does not fit', ({ mutate }) => mutate('counter.add', 0.5), 'INVALID_INPUT handled'],
    ['an input that is not JSON', ({ mutate }) => mutate('counter.add', Number.NaN), 'NOT_JSON not-sent'],
    ['a declared error', ({ mutate }) => mutate('counter.add', MOST + 1), 'DECLARED handled'],
    ['an empty key', ({ mutate }) => mutate('counter.add', 1, { key: '' }), 'INVALID_INPUT not-sent'],
    [
      'a key that is too long',
      ({ mutate }) => mutate('counter.add', 1, { key: 'x'.repeat(101) }),
      'INVALID_INPUT not-sent',
    ],
    [
      'a key that is not a text',
      ({ mutate }) => mutate('counter.add', 1, { key: 7 as never }),
      'INVALID_INPUT not-sent',
    ],
    [
      'a name that the contract does not have',
      ({ mutate }) => mutate('counter.sub' as 'counter.add', 1),
      'UNKNOWN_PROCEDURE not-sent',
    ],
    [
      'a query in the place of a mutation',
      ({ mutate }) => mutate('counter.read' as 'counter.add', 1),
      'UNKNOWN_PROCEDURE not-sent',
    ],
    [
      'a query that does not list the background',
      ({ query }) => query('text.echo' as 'counter.read'),
      'FORBIDDEN handled',
    ],
  ])('ends in a typed error for %s, and leaves no note', async (_what, call, ended) => {
    const world = createCounterWorld();

    const outcome = await outcomeOf(world.fire(call));

    expect(outcome).toBe(ended);
    expect([world.disk.dataOf('counter'), notesOf(world)]).toEqual([undefined, []]);
  });

  it('hands a declared error to its caller, and logs it', async () => {
    const world = createCounterWorld();

    const isDeclared = await world.fire(async ({ mutate, isDeclared: is }) => {
      const error: unknown = await mutate('counter.add', MOST + 1).catch((reason: unknown) => reason);
      return is('counter.add', 'tooHigh', error) && error.declared.data.most;
    });

    expect(isDeclared).toBe(MOST);
    expect([...world.logged.values()].map(String)).toEqual(['CallError: counter.add · DECLARED · tooHigh']);
  });

  it('shows in what is observed, by name and never by input', async () => {
    const observe = vi.fn<() => (outcome: string) => void>(() => () => {});
    const world = createCounterWorld({}, { observe });

    await fireAdd(world);
    await world.fire(({ query }) => query('counter.read'));

    const shared = { caller: 'background', attempts: 1 };
    expect(observe.mock.calls).toEqual([
      [{ ...shared, kind: 'mutation', name: 'counter.add' }],
      [{ ...shared, kind: 'query', name: 'counter.read' }],
    ]);
  });

  it.each([
    ['NOT_STORED not-sent', false],
    ['DISCONNECTED', true],
  ])('ends in %s when its note cannot be written', async (ended, isUnknown) => {
    const world = createCounterWorld();
    world.disk.failWrites(new Error('The disk is full'));
    if (isUnknown) world.disk.failReads(new Error('The disk is gone'));

    const outcome = await outcomeOf(fireAdd(world));

    expect(outcome).toMatch(ended);
  });
});

describe('when the worker dies', () => {
  it('at any of its steps once the event is noted, an event takes effect once', async () => {
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
  ])('%s, an event is carried out by the next one, once', async (point, expected) => {
    const world = createCounterWorld();
    world.killWorkerAt(point);
    void fireAdd(world, 5);
    await vi.waitFor(() => expect(world.isWorkerRunning()).toBe(false));

    await settle(world);

    expect(world.disk.dataOf('counter')).toBe(expected + 1);
  });

  it('an event that was left is carried out as soon as a page starts the next one', async () => {
    const world = createCounterWorld();
    world.killWorkerAt('after-note');
    void fireAdd(world, 5);
    await vi.waitFor(() => expect(notesOf(world)).toHaveLength(1));

    const watched = world.openPage('popup').client.subscribe('counter.watch');
    const first = await watched.next();
    const second = await watched.next();

    expect([first.value, second.value]).toEqual([0, 5]);
  });

  it('events that were left come before those of the next one, in their order', async () => {
    const order: number[] = [];
    const world = createCounterWorld({
      'counter.add': ({ input }) => {
        order.push(input);
        return input;
      },
    });
    world.killWorkerAt('before-commit');
    for (const count of [1, 2, 3]) void fireAdd(world, count);
    await vi.waitFor(() => expect(order).toEqual([1]));

    await fireAdd(world, 4);

    expect(order).toEqual([1, 1, 2, 3, 4]);
  });

  it('an external effect that has begun is not repeated, and is logged', async () => {
    rings.count = 0;
    let hasBegun = false;
    const world = createCounterWorld({
      'bell.ring': async () => {
        rings.count += 1;
        hasBegun = true;
        return new Promise<number>(() => {});
      },
    });
    void world.fire(({ mutate }) => mutate('bell.ring'));
    await vi.waitFor(() => expect(hasBegun).toBe(true));
    world.killWorker();

    await settle(world);

    expect(rings.count).toBe(1);
    expect([...world.logged.values()].map(String)).toEqual(['CallError: bell.ring · DISCONNECTED']);
    expect(notesOf(world)).toEqual([]);
  });

  it('an external effect that has not begun is made up for', async () => {
    rings.count = 0;
    const world = createCounterWorld();
    world.killWorkerAt('after-note');
    void world.fire(({ mutate }) => mutate('bell.ring'));
    await vi.waitFor(() => expect(notesOf(world)).toHaveLength(1));

    await settle(world);

    await vi.waitFor(() => expect(rings.count).toBe(1));
  });
});

describe('a key', () => {
  it('lets an event that is repeated count once, also in a later worker', async () => {
    const world = createCounterWorld();

    const answers = [await fireAdd(world, 5, 'tidy/1'), await fireAdd(world, 5, 'tidy/1')];
    world.killWorker();
    answers.push(await fireAdd(world, 5, 'tidy/1'), await fireAdd(world, 5, 'tidy/2'));

    expect(answers).toEqual([5, 5, 5, 10]);
    expect(notesOf(world)).toEqual([]);
  });

  it('counts once when the same event is fired twice at once', async () => {
    const world = createCounterWorld();

    const answers = await Promise.all([1, 2, 3].map(() => fireAdd(world, 5, 'tidy/1')));

    expect([answers, world.disk.dataOf('counter')]).toEqual([[5, 5, 5], 5]);
  });

  it.each<DeathPoint>(['after-note', 'before-commit', 'after-commit'])(
    'counts once when the worker dies %s and the event is repeated',
    async (point) => {
      const world = createCounterWorld();
      world.killWorkerAt(point);
      void fireAdd(world, 5, 'tidy/1');
      await vi.waitFor(() => expect(world.isWorkerRunning()).toBe(false));

      await fireAdd(world, 5, 'tidy/1');

      expect(world.disk.dataOf('counter')).toBe(5);
    },
  );

  it('is kept for a week', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    onTestFinished(() => void vi.useRealTimers());
    const world = createCounterWorld();
    await fireAdd(world, 5, 'tidy/1');
    // The newest hundred entries are kept longer.
    for (let other = 0; other < 100; other += 1) {
      vi.setSystemTime(Date.now() + 1);
      await fireAdd(world, 1, `other/${other}`);
    }

    vi.setSystemTime(Date.now() + WEEK + 1_000);
    world.killWorker();
    await fireAdd(world);
    await vi.waitFor(() => expect(world.disk.keys()).not.toContain('journal/background/counter.add/tidy/1'));

    expect(world.disk.dataOf('counter')).toBe(106);
  });

  it('belongs to one procedure', async () => {
    const world = createCounterWorld();
    rings.count = 0;

    await fireAdd(world, 5, 'same');
    await world.fire(({ mutate }) => mutate('bell.ring', undefined, { key: 'same' }));
    const repeated = await outcomeOf(
      world.fire(({ mutate }) => mutate('bell.ring', undefined, { key: 'same' })),
    );

    expect([world.disk.dataOf('counter'), rings.count, repeated]).toEqual([5, 1, 'ABORTED handled']);
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
    world.disk.write('inbox/1', stored as never);

    world.fire(() => {});
    await vi.waitFor(() => expect(notesOf(world)).toEqual([]));

    expect(String([...world.logged.values()][0])).toContain(logged);
    expect(world.disk.dataOf('counter')).toBeUndefined();
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
    world.disk.write('inbox/1', { ...note, at: Date.now() });
    world.fire(() => {});
    await vi.waitFor(() => expect(world.logged.size).toBe(1));

    isFull = false;
    world.killWorker();
    world.fire(() => {});

    await vi.waitFor(() => expect([world.disk.dataOf('counter'), notesOf(world)]).toEqual([5, []]));
  });

  it('that the store cannot give is tried again', async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const world = createCounterWorld();
    world.disk.write('inbox', true);
    world.disk.write('inbox/1', { ...note, at: Date.now() });
    world.disk.failReads(new Error('The disk is gone'));
    const outcome = outcomeOf(fireAdd(world));
    await vi.advanceTimersByTimeAsync(1_000);

    world.disk.failReads(undefined);
    await vi.advanceTimersByTimeAsync(10_000);

    expect([await outcome, world.disk.dataOf('counter'), notesOf(world)]).toEqual([6, 6, []]);
  });

  it('is looked for by one read when there is none', async () => {
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

describe('a watch of the background', () => {
  /** A world whose workers each note what their watch is given. */
  function createWatchedWorld(listener: (count: number) => unknown): World {
    return createMemoryWorld({
      callers: testCallers,
      contract: counterContract,
      documents: [counter],
      handlers: () => ({
        handlers: counterHandlers,
        start: (background) => background.watch(counter, listener),
      }),
    });
  }

  it('gets the state of now and after every change, in every worker', async () => {
    const seen: number[] = [];
    const world = createWatchedWorld((count) => seen.push(count));

    await world.openPage('options').client.mutate('counter.add', 1);
    await vi.waitFor(() => expect(seen).toEqual([1]));
    await fireAdd(world, 2);
    world.killWorker();
    world.fire(() => {});

    await vi.waitFor(() => expect(seen).toEqual([1, 3, 3]));
  });

  it('gets a change whose page closes at once, made while the worker slept', async () => {
    const seen: number[] = [];
    const world = createWatchedWorld((count) => seen.push(count));
    const page = world.openPage('options');

    void page.client.mutate('counter.add', 4);
    await vi.waitFor(() => expect(world.disk.dataOf('counter')).toBe(4));
    page.close();

    await vi.waitFor(() => expect(seen).toEqual([4]));
  });

  it('goes on after a listener that throws or rejects, and logs that', async () => {
    const seen: number[] = [];
    const world = createWatchedWorld((count) => {
      seen.push(count);
      if (count === 1) throw new Error('thrown');
      return Promise.reject(new Error('rejected'));
    });

    for (const expected of [1, 2]) {
      await fireAdd(world);
      await vi.waitFor(() => expect(seen.at(-1)).toBe(expected));
    }

    await vi.waitFor(() =>
      expect([...world.logged.values()].map(String)).toEqual(['Error: thrown', 'Error: rejected']),
    );
  });

  it('gets the last of several changes that come while the listener is busy', async () => {
    const seen: number[] = [];
    const gate = createDeferred();
    const world = createWatchedWorld(async (count) => {
      seen.push(count);
      await gate.promise;
    });
    await fireAdd(world);
    await vi.waitFor(() => expect(seen).toEqual([1]));
    for (let more = 0; more < 5; more += 1) await fireAdd(world);

    gate.resolve();

    await vi.waitFor(() => expect(seen).toEqual([1, 6]));
  });

  it('of a document that is not in the list is refused at once', () => {
    const world = createCounterWorld({}, { documents: [] });

    expect(() => world.fire((background) => background.watch(counter, () => {}))).toThrow(
      '"counter" must be among the `documents` of `createBackground`.',
    );
  });
});
