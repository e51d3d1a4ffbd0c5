import { describe, expect, it, onTestFinished, vi } from 'vitest';

import type { Background } from '../../../src/messaging/server/background.ts';
import { createCounterWorld, eventsIn, fireAdd, logOf, outcomeOf } from '../../support/counter-world.ts';
import { type CounterApi, MOST } from '../../support/counter.ts';
import type { DeathPoint } from '../../support/memory-world.ts';
import { never, rejectionOf, sleep } from '../../support/promises.ts';
import { refusing } from '../../support/store-faults.ts';

const WEEK = 7 * 24 * 60 * 60 * 1_000;

/** Creates a world whose store records its operations. */
function createCountingWorld() {
  const seen: string[] = [];
  const short = (keys: readonly string[]): string =>
    keys.map((key) => (key.startsWith('queue/event/') ? 'queue/event/…' : key)).join();
  const world = createCounterWorld(
    {},
    {
      patchStore: (store) => ({
        read: (keys) => (seen.push(`read ${short(keys)}`), store.read(keys)),
        list: (prefix) => (seen.push(`list ${prefix}`), store.list(prefix)),
        write: (entries) => (seen.push(`write ${short(Object.keys(entries))}`), store.write(entries)),
        lock: (work) => (seen.push('lock'), store.lock(work)),
      }),
    },
  );
  /** The operations without those of the journal. */
  const operations = (): readonly string[] => seen.filter((operation) => !operation.endsWith(' journal'));
  return { world, operations };
}

describe('a mutation that the background makes', () => {
  it('changes the state, and open pages receive the change', async () => {
    const world = createCounterWorld();
    const watched = world.openPage('popup').client.subscribe('counter.watch');
    await watched.next();

    const count = await fireAdd(world, 3);

    expect([count, (await watched.next()).value, world.disk.dataOf('counter')]).toEqual([3, 3, 3]);
    expect(eventsIn(world)).toEqual([]);
  });

  it('is noted without waiting for a read or for the lock', async () => {
    const world = createCounterWorld({}, { patchStore: (store) => ({ ...store, read: never, lock: never }) });

    void fireAdd(world, 5);
    await vi.waitFor(() => expect(eventsIn(world)).toMatchObject([{ name: 'counter.add', input: 5 }]));
  });

  it('is noted together with others of its moment, and carried out with them, in groups of 16', async () => {
    const { world, operations } = createCountingWorld();
    const before = operations().length;

    const counts = await Promise.all(Array.from({ length: 200 }, () => fireAdd(world)));

    expect(counts).toEqual(counts.map((_, index) => index + 1));
    const writes = operations()
      .slice(before)
      .filter((operation) => operation.startsWith('write'));
    // One write has noted them. The others also contain the new state.
    expect(writes.filter((operation) => operation.includes('queue/noted'))).toHaveLength(1);
    expect(writes.filter((operation) => operation.includes('counter')).length).toBeGreaterThanOrEqual(13);
    expect(eventsIn(world)).toEqual([]);
  });

  it('is written twice: when it is noted, and with its change', async () => {
    const { world, operations } = createCountingWorld();
    await fireAdd(world);
    await vi.waitFor(() => expect(world.disk.keys()).toContain('journal'));
    const before = operations().length;

    await fireAdd(world);

    expect(operations().slice(before)).toEqual([
      'write queue/event/…,queue/noted',
      'lock',
      'read queue/event/…',
      'read counter',
      'write counter,queue/event/…,queue/done',
    ]);
  });

  it('shares a write with other events that are made while an earlier one is noted', async () => {
    const notes: string[] = [];
    const world = createCounterWorld(
      {},
      {
        patchStore: (store) => ({
          ...store,
          write: async (entries) => {
            if ('queue/noted' in entries) notes.push(...Object.values(entries).map(String));
            await sleep(5);
            await store.write(entries);
          },
        }),
      },
    );

    const counts = [fireAdd(world, 1)];
    await Promise.resolve();
    await Promise.resolve();
    counts.push(fireAdd(world, 2), fireAdd(world, 3));

    expect(await Promise.all(counts)).toEqual([1, 3, 6]);
    expect(notes.filter((text) => text.startsWith('['))).toHaveLength(2);
  });

  it('costs the next start one read if nothing is left', async () => {
    const { world, operations } = createCountingWorld();
    await Promise.all([fireAdd(world), fireAdd(world)]);
    // The first change of the hour causes a search for events and one for tasks.
    const lists = () => operations().filter((operation) => operation === 'list queue/');
    await vi.waitFor(() => expect(lists()).toHaveLength(2));
    await sleep(0);
    world.killWorker();
    const before = operations().length;

    world.fire(() => {});
    await vi.waitFor(() => expect(operations().length).toBeGreaterThan(before));
    await sleep(0);

    expect(operations().slice(before)).toEqual(['read queue/noted,queue/done,inbox,queue/tasks']);
  });

  it.each<[what: string, call: (background: Background<CounterApi>) => Promise<unknown>, ended: string]>([
    ['an input that is not JSON', ({ mutate }) => mutate('counter.add', Number.NaN), 'NOT_JSON not-sent'],
    [
      'a name that no procedure has',
      ({ mutate }) => mutate('counter.sub' as 'counter.add', 1),
      'UNKNOWN_PROCEDURE not-sent',
    ],
    [
      'a query instead of a mutation',
      ({ mutate }) => mutate('counter.read' as 'counter.add', 1),
      'UNKNOWN_PROCEDURE not-sent',
    ],
    [
      'a query that does not list the background',
      ({ query }) => query('text.echo' as 'counter.read'),
      'FORBIDDEN handled',
    ],
  ])('ends in a typed error for %s, and leaves no event', async (_what, call, ended) => {
    const world = createCounterWorld();

    const outcome = await outcomeOf(world.fire(call));

    expect(outcome).toBe(ended);
    expect([world.disk.dataOf('counter'), eventsIn(world)]).toEqual([undefined, []]);
  });

  it('logs the error of a query too, once', async () => {
    const world = createCounterWorld({
      'counter.read': () => {
        throw new Error('The counter is broken');
      },
    });

    await outcomeOf(world.fire(({ query }) => query('text.echo' as 'counter.read')));
    await outcomeOf(world.fire(({ query }) => query('counter.read')));

    expect(logOf(world)).toEqual(['CallError: text.echo · FORBIDDEN', 'Error: The counter is broken']);
  });

  it('rejects with a declared error, and logs it', async () => {
    const world = createCounterWorld();

    const isDeclared = await world.fire(async ({ mutate, isDeclared: is }) => {
      const error: unknown = await mutate('counter.add', MOST + 1).catch((reason: unknown) => reason);
      return is('counter.add', 'tooHigh', error) && error.declared.data.most;
    });

    expect(isDeclared).toBe(MOST);
    const [error] = world.logged.values();
    expect(String(error)).toBe('CallError: counter.add · DECLARED · tooHigh');
    expect(error).toHaveProperty('delivery', 'handled');
  });

  it.each<[what: string, key: unknown]>([
    ['is empty', ''],
    ['is too long', 'x'.repeat(101)],
    ['is not a text', 7],
  ])('is not noted if its key %s, and the error says so', async (_what, key) => {
    const world = createCounterWorld();

    const error = await rejectionOf(
      world.fire(({ mutate }) => mutate('counter.add', 1, { key: key as string })),
    );

    expect(error).toMatchObject({ code: 'INVALID_INPUT', delivery: 'not-sent' });
    expect(error.issues).toEqual([{ path: 'key', message: 'must be a string of 1 to 100 characters' }]);
    expect([world.disk.dataOf('counter'), eventsIn(world)]).toEqual([undefined, []]);
  });

  it('is observed with its name and without its input', async () => {
    const observe = vi.fn<() => (outcome: string) => void>(() => () => {});
    const world = createCounterWorld({}, { observe });

    await fireAdd(world);
    await world.fire(({ query }) => query('counter.read'));

    const shared = { caller: { name: 'background' }, attempts: 1 };
    expect(observe.mock.calls).toEqual([
      [{ ...shared, kind: 'mutation', name: 'counter.add' }],
      [{ ...shared, kind: 'query', name: 'counter.read' }],
    ]);
  });

  it.each([
    ['NOT_STORED not-sent', false],
    ['IN_DOUBT unknown', true],
  ])('ends in %s and has no effect when it cannot be noted', async (ended, isUnknown) => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const world = createCounterWorld();
    world.disk.failWrites(new Error('The disk is full'));
    if (isUnknown) world.disk.failReads(new Error('The disk is gone'));

    const outcome = outcomeOf(fireAdd(world, 5, 'key'));
    await vi.advanceTimersByTimeAsync(1_000);
    world.disk.failWrites(undefined);
    world.disk.failReads(undefined);
    await vi.advanceTimersByTimeAsync(6_000);

    expect([await outcome, await fireAdd(world)]).toEqual([ended, 1]);
    expect(logOf(world)).toContain(`ProcedureError: ${ended.split(' ')[0]}`);
  });

  it('is noted in a full store, because outcomes are removed', async () => {
    const large = { id: 1, name: 'counter.add', outcome: 'x'.repeat(2_000), at: Date.now() };
    const isFull = (): boolean => JSON.stringify(world.disk.read('journal/options/closed')).length > 2_000;
    const patchStore = refusing((entries) => isFull() && !('journal/options/closed' in entries));
    const world = createCounterWorld({}, { patchStore });
    world.disk.write('journal/options/closed', large);

    expect(await fireAdd(world, 5)).toBe(5);
  });

  it('waits as long as a page has the lock, and then its handler has five seconds', async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const world = createCounterWorld({
      'counter.add': async ({ input }) => {
        await sleep(4_900);
        return input;
      },
    });

    const slow = world.openPage('options').client.mutate('counter.add', 1);
    await vi.advanceTimersByTimeAsync(1);
    const outcomes = Promise.all([slow, fireAdd(world, 2)]);
    await vi.advanceTimersByTimeAsync(10_000);

    expect(await outcomes).toEqual([1, 2]);
  });
});

describe('a key', () => {
  it('makes repeated events take effect once, also in a later worker', async () => {
    const world = createCounterWorld();

    const key = 'x'.repeat(100);
    const answers = await Promise.all([fireAdd(world, 5, key), fireAdd(world, 5, key)]);
    world.killWorker();
    answers.push(await fireAdd(world, 5, key), await fireAdd(world, 5, 'other'));

    expect(answers).toEqual([5, 5, 5, 10]);
    expect(eventsIn(world)).toEqual([]);
  });

  it.each<DeathPoint>(['after-note', 'before-commit', 'after-commit'])(
    'makes an event take effect once when the worker dies %s and the event is repeated',
    async (point) => {
      const world = createCounterWorld();
      world.killWorkerAt(point);
      void fireAdd(world, 5, 'tidy/1');
      await vi.waitFor(() => expect(world.isWorkerRunning()).toBe(false));

      await fireAdd(world, 5, 'tidy/1');

      expect(world.disk.dataOf('counter')).toBe(5);
    },
  );

  it('is forgotten after a week', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    onTestFinished(() => void vi.useRealTimers());
    const world = createCounterWorld();
    await fireAdd(world, 5, 'tidy/1');
    // The newest hundred entries are always kept, so a hundred newer ones are added.
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

  it('identifies a mutation only together with the procedure', async () => {
    const world = createCounterWorld();
    const tick = (): Promise<void> =>
      world.fire(({ mutate }) => mutate('counter.tick', undefined, { key: 'same' }));

    await fireAdd(world, 5, 'same');
    await tick();
    await tick();

    expect(world.disk.dataOf('counter')).toBe(6);
  });
});
