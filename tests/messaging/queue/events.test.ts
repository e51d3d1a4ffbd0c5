import { describe, expect, it, onTestFinished, vi } from 'vitest';

import type { Background } from '../../src/messaging/server/background.ts';
import { addToCounter, createCounterWorld, fireAdd, notesOf, outcomeOf } from '../support/counter-world.ts';
import { type CounterApi, MOST } from '../support/counter.ts';
import type { DeathPoint } from '../support/memory-world.ts';
import { rejectionOf } from '../support/promises.ts';

const WEEK = 7 * 24 * 60 * 60 * 1_000;

describe('a mutation that the background makes', () => {
  it('changes the state, and open pages receive the change', async () => {
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
    const world = createCounterWorld({
      'counter.add': async (context) => {
        // An earlier call takes longer.
        await new Promise((resolve) => setTimeout(resolve, 10 - context.input));
        order.push(context.input);
        return addToCounter(context);
      },
    });

    await Promise.all([1, 2, 3, 4, 5].map((count) => fireAdd(world, count)));

    expect(order).toEqual([1, 2, 3, 4, 5]);
  });

  it.each<[what: string, call: (background: Background<CounterApi>) => Promise<unknown>, ended: string]>([
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
      'a query instead of a mutation',
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

  it('logs the error of a query too, once', async () => {
    const world = createCounterWorld({
      'counter.read': () => {
        throw new Error('The counter is broken');
      },
    });

    await outcomeOf(world.fire(({ query }) => query('text.echo' as 'counter.read')));
    await outcomeOf(world.fire(({ query }) => query('counter.read')));

    expect([...world.logged.values()].map(String)).toEqual([
      'CallError: text.echo · FORBIDDEN',
      'Error: The counter is broken',
    ]);
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

  it('says what is wrong with a key', async () => {
    const world = createCounterWorld();

    const error = await rejectionOf(world.fire(({ mutate }) => mutate('counter.add', 1, { key: '' })));

    expect(error.issues).toEqual([{ path: 'key', message: 'must be a string of 1 to 100 characters' }]);
  });

  it('can have a key of 100 characters', async () => {
    const world = createCounterWorld();

    expect(await fireAdd(world, 5, 'x'.repeat(100))).toBe(5);
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
    ['DISCONNECTED unknown', true],
  ])('ends in %s and has no effect when its note cannot be written', async (ended, isUnknown) => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const world = createCounterWorld();
    world.disk.failWrites(new Error('The disk is full'));
    if (isUnknown) world.disk.failReads(new Error('The disk is gone'));

    const outcome = outcomeOf(fireAdd(world, 5, 'key'));
    await vi.advanceTimersByTimeAsync(1_000);
    world.disk.failWrites(undefined);
    world.disk.failReads(undefined);
    void fireAdd(world);
    await vi.advanceTimersByTimeAsync(6_000);

    expect(await outcome).toBe(ended);
    expect([...world.logged.values()].map(String)).toContainEqual(expect.stringContaining('counter.add'));
    // The flag stays set if the note may be stored.
    expect([world.disk.dataOf('counter'), world.disk.read('inbox')]).toEqual([1, isUnknown]);
  });

  it.each([
    ['NOT_STORED handled', 'its change cannot be written', 'counter'],
    ['DECLARED handled', 'the removal of its note is done, but reported as failed', 'inbox/'],
  ])('ends in %s when %s, and leaves no note', async (ended, _what, failing) => {
    const world = createCounterWorld(
      {},
      {
        patchStore: (store) => ({
          ...store,
          write: async (entries) => {
            if ('counter' in entries) throw new Error('The disk is full');
            await store.write(entries);
            const isRemoval = Object.values(entries).includes(null);
            if (isRemoval && failing === 'inbox/')
              throw new Error('The disk took it, and says that it did not');
          },
        }),
      },
    );

    const outcome = await outcomeOf(fireAdd(world, failing === 'counter' ? 1 : MOST + 1));

    expect([outcome, notesOf(world)]).toEqual([ended, []]);
  });

  it.each([
    ['NOT_READ unknown', 'its state cannot be read', 1_000],
    ['DISCONNECTED unknown', 'it is not known whether its change was written', 1_000],
    ['DISCONNECTED unknown', 'that was not known for a moment', 250],
  ])('ends in %s when %s, and is tried again before later ones', async (ended, _what, goneFor) => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    let isGone = true;
    let isTried = false;
    const gone = (): Promise<never> => Promise.reject(new Error('The disk is gone'));
    const observe = vi.fn<(call: { attempts: number }) => undefined>(() => undefined);
    const world = createCounterWorld(
      {},
      {
        observe,
        patchStore: (store) => ({
          ...store,
          read: (keys) => {
            const isFailing = isTried || (ended.startsWith('NOT_READ') && keys.includes('counter'));
            return isGone && isFailing ? gone() : store.read(keys);
          },
          write: (entries) => {
            isTried ||= 'counter' in entries;
            return isGone && isTried ? gone() : store.write(entries);
          },
        }),
      },
    );

    const outcomes = [outcomeOf(fireAdd(world, 5)), outcomeOf(fireAdd(world, 2))];
    await vi.advanceTimersByTimeAsync(goneFor);
    isGone = false;
    await vi.advanceTimersByTimeAsync(6_000);

    expect(await Promise.all(outcomes)).toEqual([ended, 7]);
    expect(observe.mock.calls.map(([call]) => call.attempts)).toEqual([1, 2, 1]);
    expect([world.disk.dataOf('counter'), notesOf(world)]).toEqual([7, []]);
  });

  it('waits as long as another mutation has the lock, and then its change has ten seconds', async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const after = (seconds: number): Promise<number> =>
      new Promise((resolve) => setTimeout(resolve, seconds * 1_000, 2));
    const world = createCounterWorld({ 'counter.add': ({ input }) => after(input === 2 ? 9 : 60) });

    const slow = world.openPage('options').client.mutate('counter.add', 1, { timeout: 120_000 });
    await vi.advanceTimersByTimeAsync(1);
    const outcome = outcomeOf(fireAdd(world, 2));
    await vi.advanceTimersByTimeAsync(70_000);

    expect(await Promise.all([slow, outcome])).toEqual([2, 2]);
  });

  it('ends in ABORTED, and it is not known whether it took effect, if its note is gone', async () => {
    const world = createCounterWorld({
      'counter.add': ({ input }) => {
        for (const key of notesOf(world)) world.disk.write(key, null);
        return input;
      },
    });

    const outcomes = [outcomeOf(fireAdd(world, 1)), outcomeOf(fireAdd(world, 2))];

    expect(await Promise.all(outcomes)).toEqual([1, 'ABORTED unknown']);
  });

  it('ends in TIMEOUT if its change takes longer than ten seconds', async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const world = createCounterWorld({ 'counter.add': () => new Promise(() => {}) });

    const outcome = outcomeOf(fireAdd(world));
    await vi.advanceTimersByTimeAsync(11_000);

    expect([await outcome, notesOf(world)]).toEqual(['TIMEOUT handled', []]);
  });

  it('whose observer throws is left for the next worker, and does not stop later ones', async () => {
    const seen: number[] = [];
    let isBroken = true;
    const world = createCounterWorld(
      {
        'counter.add': ({ input }) => {
          seen.push(input);
          return input;
        },
      },
      {
        observe: () => {
          if (!isBroken) return undefined;
          isBroken = false;
          throw new Error('The observer is broken');
        },
      },
    );

    void fireAdd(world, 1);
    await fireAdd(world, 2);
    world.killWorker();
    await fireAdd(world, 3);

    expect([seen, String([...world.logged.values()][0])]).toEqual([
      [2, 1, 3],
      'Error: The observer is broken',
    ]);
  });
});

describe('a key', () => {
  it('makes repeated events take effect once, also in a later worker', async () => {
    const world = createCounterWorld();

    const answers = [await fireAdd(world, 5, 'tidy/1'), await fireAdd(world, 5, 'tidy/1')];
    world.killWorker();
    answers.push(await fireAdd(world, 5, 'tidy/1'), await fireAdd(world, 5, 'tidy/2'));

    expect(answers).toEqual([5, 5, 5, 10]);
    expect(notesOf(world)).toEqual([]);
  });

  it('makes the same event take effect once when it fires three times at once', async () => {
    const world = createCounterWorld();

    const answers = await Promise.all([1, 2, 3].map(() => fireAdd(world, 5, 'tidy/1')));

    expect([answers, world.disk.dataOf('counter')]).toEqual([[5, 5, 5], 5]);
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
