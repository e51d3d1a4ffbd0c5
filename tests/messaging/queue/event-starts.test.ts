import { describe, expect, it } from 'vitest';

import { addToCounter } from '../../support/counter-world.ts';
import { MOST } from '../../support/counter.ts';
import { createEventWorld, groupOf, noting } from '../../support/event-world.ts';
import { createDeferred, sleep } from '../../support/promises.ts';
import { gone } from '../../support/store-faults.ts';
import { advance, HOUR, SECOND, withFakeTimers } from '../../support/time.ts';

withFakeTimers();

const eventOf = (parts: object): string => groupOf({ input: 5, version: '1.10', ...parts });

describe('events of another background', () => {
  it.each<[tries: readonly number[], writes: readonly string[]]>([
    [
      [0, 0, 0],
      ['counted 1 1 1', 'changed'],
    ],
    [
      [1, 0, 0],
      ['counted 1 1 1', 'counted 2 1 1', 'changed 1 1', 'changed'],
    ],
    [
      [0, 1],
      ['counted 1 1', 'changed 1', 'counted 2', 'changed'],
    ],
  ])(
    'that did not survive %j attempts are counted before they run, and run alone if any was not survived',
    async (tries, expected) => {
      const { leaveGroups, restart, writes, order } = createEventWorld();
      leaveGroups(groupOf(...tries.map((count) => ({ tries: count }))));

      await restart();

      expect(writes).toEqual(expected);
      expect(order()).toEqual(tries.map((_, index) => index + 1));
    },
  );

  it('are given up after ten failed attempts, each of which is logged once', async () => {
    const { leaveGroups, restart, observed, log, quarantined } = createEventWorld(() =>
      Promise.reject(new Error('broken')),
    );
    leaveGroups(groupOf({ tries: 0 }));

    await restart();
    await advance(5 * HOUR);

    expect(observed).toEqual(Array.from({ length: 10 }, (_, index) => `${index + 1} INTERNAL`));
    expect([log().length, quarantined().length]).toEqual([11, 1]);
    expect(log().at(-1)).toMatch(/"counter.add" was given up/u);
  });

  it('are carried out in their order: taken over, of others, of the background that noted last', async () => {
    const { world, restart, order } = createEventWorld();
    world.disk.write('queue/event/0-000000000000001-late-', groupOf({ input: 1 }));
    world.disk.write('queue/event/1-2-late-1', groupOf({ input: 3 }));
    world.disk.write('queue/event/1-3-other-1', groupOf({ input: 2 }));
    world.disk.write('queue/noted', 'late:1');

    await restart();

    expect(order()).toEqual([1, 2, 3]);
  });

  it.each<[what: string, parts: object]>([
    ['a name that no procedure has', { name: 'counter.sub' }],
    ['an input that does not fit', { input: 'five' }],
    ['a name that a query has', { name: 'text.echo', input: 'x' }],
  ])(
    'with %s move to the quarantine if they are older, and wait for their version if they are newer',
    async (_what, parts) => {
      let version = '1.9.3';
      const { leaveGroups, restart, left, quarantined, count, log } = createEventWorld(addToCounter, {
        version: () => version,
      });
      leaveGroups(eventOf(parts), eventOf({}));

      await restart();
      // Starts of another version are no attempts.
      for (let start = 0; start < 12; start += 1) await restart();
      const newer = [left().length, quarantined().length, count()];
      version = '1.11';
      await restart();

      expect([newer, left(), count()]).toEqual([[1, 0, 5], [], 5]);
      expect(quarantined().map((kept) => JSON.parse(kept))).toMatchObject([[parts]]);
      expect(log().at(-1)).toContain('does not fit this version of the extension');
    },
  );

  it.each([
    '{"name":',
    'null',
    '[{"name":"counter.add"},7]',
    '[{"name":"counter.add","version":7}]',
    '[{"name":"counter.add","key":7}]',
    '[{"name":"counter.add","tries":"many"}]',
  ])('that cannot be read, such as %s, move to the quarantine, and others run', async (text) => {
    const { world, leaveGroups, restart, left, quarantined, count } = createEventWorld();
    leaveGroups(text, eventOf({}));

    await restart();

    expect([count(), left(), quarantined()]).toEqual([5, [], [text]]);
    expect(world.disk.keys()).toContainEqual(expect.stringMatching(/^quarantine\/.*\.queue$/u));
  });

  it('that are gone when the list is read leave nothing behind', async () => {
    const { leaveGroups, restart, left, quarantined, count } = createEventWorld(addToCounter, {
      patchStore: (store) => ({
        ...store,
        list: async (prefix) => [...(await store.list(prefix)), 'queue/event/2'],
      }),
    });
    leaveGroups(groupOf({}));

    await restart();

    expect([quarantined(), left(), count()]).toEqual([[], [], 1]);
  });
});

describe('an event of the layout before the queue', () => {
  it.each<[what: string, stored: object | string, quarantined: number, count: unknown]>([
    ['is carried out', {}, 0, 5],
    ['is carried out once for its key', { key: 'known' }, 0, undefined],
    ['that ends in a declared error is removed', { input: MOST + 1 }, 0, undefined],
    ['that does not fit moves to the quarantine', { name: 'counter.sub' }, 1, undefined],
    ['that cannot be read moves to the quarantine', '{"name":', 1, undefined],
  ])('%s, and nothing is left to look for', async (_what, stored, quarantinedCount, expected) => {
    const { world, restart, count, left, quarantined, listed } = createEventWorld();
    const made = { id: 1, name: 'counter.add', outcome: 5, at: Date.now() };
    const old = { name: 'counter.add', input: 5, at: 1 };
    world.disk.write('journal/background/counter.add/known', made);
    world.disk.write('inbox', true);
    world.disk.write('inbox/1', typeof stored === 'string' ? stored : JSON.stringify({ ...old, ...stored }));

    await restart();
    const seen = [count(), left().length, quarantined().length];
    const keys = world.disk.keys().filter((key) => /^(queue|inbox)/u.test(key));
    listed.length = 0;
    await restart();

    expect([seen, keys]).toEqual([[expected, 0, quarantinedCount], []]);
    expect(listed).toEqual([]);
  });

  it('leaves no flag behind if there is none, and the flag is false', async () => {
    const { world, restart } = createEventWorld();
    world.disk.write('inbox', false);

    await restart();

    expect(world.disk.read('inbox')).toBeUndefined();
  });
});

describe('a start', () => {
  it('lists no keys if an earlier one has found nothing', async () => {
    const { leaveGroups, restart, listed } = createEventWorld();
    leaveGroups();
    await restart();
    const first = listed.length;

    await restart();

    expect([first, listed.length]).toEqual([1, 1]);
  });

  it('finds an event that is tried again, although others have been carried out since', async () => {
    let isBroken = true;
    const { add, restart, count } = createEventWorld((context) =>
      isBroken && context.input === 5 ? Promise.reject(new Error('broken')) : addToCounter(context),
    );
    void add(5);
    await advance(10);
    expect(await add(1)).toBe(1);
    isBroken = false;

    await restart();

    expect(count()).toBe(6);
  });

  it('finds an event whose note is not confirmed, although an earlier one was carried out since', async () => {
    const { promise, resolve } = createDeferred();
    const notes: ((write: () => Promise<void>) => Promise<void>)[] = [
      gone,
      async (write) => {
        await sleep(100);
        await write();
        resolve();
        await sleep(SECOND);
      },
      // Writes take effect in the order of their calls.
      (write) => promise.then(write),
    ];
    const { add, restart, count } = createEventWorld(addToCounter, {
      patchStore: noting((write) => (notes.shift() ?? write)(write)),
    });
    void add(1);
    await advance(50);
    void add(2);
    await advance(200);
    const first = count();

    await restart();

    expect([first, count()]).toEqual([1, 3]);
  });

  it('finds an event whose note is not confirmed, although the first read has failed', async () => {
    let reads = 0;
    const { add, restart, count } = createEventWorld(addToCounter, {
      patchStore: (store) => ({
        ...noting((write) => write().then(() => sleep(10 * SECOND)))(store),
        read: (keys) => ((reads += 1) === 1 ? gone() : store.read(keys)),
      }),
    });
    void add(5);
    await advance(5 * SECOND);

    await restart();

    expect(count()).toBe(5);
  });

  it('that cannot read the store at first carries out what is left later', async () => {
    const { world, leave, start, add, left, count, log } = createEventWorld();
    await leave(5);
    world.disk.failReads(new Error('The disk is gone'));
    await start();
    const outcome = add(1);
    await advance(10 * SECOND);
    const stored = left().map(({ tries }) => tries);

    world.disk.failReads(undefined);
    await advance(20 * SECOND);

    expect([stored, await outcome, count()]).toEqual([[0, 0], 6, 6]);
    expect(log()).toContain('ProcedureError: NOT_READ');
  });

  it('asks to be woken when an event is due', async () => {
    const times: number[] = [];
    const { leave, restart } = createEventWorld(() => Promise.reject(new Error('broken')), {
      wakeAt: (time) => times.push(time),
    });
    await leave(5);

    await restart();
    await advance(4 * SECOND);

    const pauses = times.filter((time) => time !== Infinity).map((time) => time - Date.now());
    expect(pauses.at(-1)).toBeGreaterThan(0);
  });
});
