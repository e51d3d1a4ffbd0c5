import { describe, expect, it, vi } from 'vitest';

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
import { MOST } from '../../support/counter.ts';
import { never } from '../../support/promises.ts';
import { doubt, recordStore } from '../../support/store-faults.ts';
import { advance, HOUR, SECOND, withFakeTimers } from '../../support/time.ts';

withFakeTimers();

type Options = NonNullable<Parameters<typeof createCounterWorld>[1]>;

/** Creates a world that records the inputs of events in the order in which they run. */
function createOrderedWorld(handle: CounterHandlers['counter.add'] = addToCounter, options: Options = {}) {
  const order: number[] = [];
  const world = createCounterWorld(
    {
      'counter.add': (context) => {
        order.push(context.input);
        return handle(context);
      },
    },
    options,
  );
  /** Notes events, and kills the worker before it carries them out. */
  async function leave(...inputs: readonly number[]): Promise<void> {
    world.killWorkerAt('after-note');
    for (const input of inputs) fireAdd(world, input).catch(() => {});
    await vi.waitFor(() => expect(world.isWorkerRunning()).toBe(false));
  }
  return { world, order, leave };
}

describe('when the worker dies', () => {
  it('at any step, an event takes effect once if it was noted, and otherwise not at all', async () => {
    let isOver = false;
    for (let step = 0; !isOver; step += 1) {
      const world = createCounterWorld();
      void fireAdd(world, 5).then(() => (isOver = true));
      for (let settled = 0; settled < step; settled += 1) await Promise.resolve();
      const isNoted = eventsIn(world).length > 0 || world.disk.dataOf('counter') === 5;
      world.killWorker();

      await fireAdd(world);

      expect([step, world.disk.dataOf('counter')]).toEqual([step, isNoted ? 6 : 1]);
      expect(eventsIn(world)).toEqual([]);
    }
  });

  it('a noted event is carried out when a page starts the next worker', async () => {
    const { world, leave } = createOrderedWorld();
    await leave(5);

    const watched = world.openPage('popup').client.subscribe('counter.watch');
    const first = await watched.next();
    const second = watched.next();
    await advance(SECOND);

    expect([first.value, (await second).value]).toEqual([0, 5]);
  });

  it.each([-2, 2])(
    'events are carried out in the order of the calls, even if the clock is changed by %d hours at each start',
    async (hours) => {
      const { world, order, leave } = createOrderedWorld();
      const turnClock = (): unknown => vi.setSystemTime(Date.now() + hours * HOUR);
      await leave(1, 2);
      turnClock();
      // This worker takes over what the first one has left, and dies as well.
      world.killWorkerAt('before-commit');
      world.fire(() => {});
      await advance(SECOND);
      turnClock();
      await leave(3, 4);
      turnClock();

      void fireAdd(world, 5);
      await advance(2 * SECOND);

      expect(order).toEqual([1, 2, 3, 4, 5]);
    },
  );

  it('an event of 1970 is carried out after the clock is set right', async () => {
    vi.setSystemTime(0);
    const { world, leave } = createOrderedWorld();
    await leave(5);

    vi.setSystemTime(Date.UTC(2026, 0));
    await restart(world);

    expect([world.disk.dataOf('counter'), eventsIn(world)]).toEqual([5, []]);
  });

  it('in each attempt, an event is given up, and the others are carried out in their order', async () => {
    const { world, order, leave } = createOrderedWorld((context) => {
      if (context.input !== 13) return addToCounter(context);
      // The worker ends like one whose memory is used up.
      world.killWorker();
      return never();
    });
    await leave(1, 13, 2);

    for (let start = 0; start < 12; start += 1) {
      world.fire(() => {});
      await advance(SECOND);
    }

    expect(order.filter((input) => input === 13)).toHaveLength(10);
    expect(order.findLast((input) => input !== 13)).toBe(2);
    expect([world.disk.dataOf('counter'), eventsIn(world)]).toEqual([3, []]);
    expect(quarantineIn(world).map((text) => JSON.parse(text))).toMatchObject([[{ input: 13, tries: 10 }]]);
    expect(logOf(world)).toEqual([
      'Error: The event "counter.add" was given up after 10 attempts: INTERNAL.',
    ]);
  });

  it('later ones do not overtake an event that runs alone', async () => {
    const { world, order } = createOrderedWorld();
    leaveGroups(world, groupOf({ tries: 0 }, { tries: 1 }, { tries: 0 }, { tries: 1 }));

    void fireAdd(world, 5);
    await advance(2 * SECOND);

    expect(order).toEqual([1, 2, 3, 4, 5]);
  });

  it('after a change in doubt, events that were taken over are not lost', async () => {
    const { patchStore, recover } = doubt({
      isMeant: (entries) => world.starts() === 2 && !('counter' in entries),
    });
    const { world, leave } = createOrderedWorld(addToCounter, { patchStore });
    await leave(1, 2);
    world.fire(() => {});
    await advance(SECOND);
    const taken = eventsIn(world).length;
    recover();

    await advance(5 * SECOND);

    expect([taken, world.disk.dataOf('counter'), eventsIn(world)]).toEqual([2, 3, []]);
  });
});

it('two workers that are alive carry out each event once', async () => {
  const { world, order } = createOrderedWorld();
  const older = world.fire((background) => background);
  await advance(SECOND);
  world.detachWorker();

  const outcomes = [1, 2, 3, 4].map((input) =>
    input % 2 === 0 ? fireAdd(world, input) : older.mutate('counter.add', input),
  );
  await advance(SECOND);

  expect([(await Promise.all(outcomes)).length, order.toSorted((a, b) => a - b)]).toEqual([4, [1, 2, 3, 4]]);
  expect([world.disk.dataOf('counter'), eventsIn(world)]).toEqual([10, []]);
});

it('an event whose token another worker has replaced is found by the hourly search', async () => {
  const { world, order } = createOrderedWorld();
  await fireAdd(world, 1);
  const older = world.fire((background) => background);
  await advance(SECOND);
  world.detachWorker();
  await fireAdd(world, 2);
  world.killWorkerAt('after-note');
  older.mutate('counter.add', 3).catch(() => {});
  await advance(SECOND);
  await fireAdd(world, 4);
  await restart(world);
  const lost = eventsIn(world).map(({ input }) => input);

  await advance(2 * HOUR);
  await fireAdd(world, 5);
  await advance(SECOND);

  expect(lost).toEqual([3]);
  expect([order.toSorted((a, b) => a - b), eventsIn(world)]).toEqual([[1, 2, 3, 4, 5], []]);
});

describe('an event of another version', () => {
  const eventOf = (parts: object): string => groupOf({ input: 5, version: '1.10', ...parts });

  it.each<[what: string, parts: object]>([
    ['a name that no procedure has', { name: 'counter.sub' }],
    ['an input that does not fit', { input: 'five' }],
    ['a procedure that does not list the background', { name: 'text.echo', input: 'x' }],
  ])(
    'with %s moves to the quarantine if it is older, and waits for its version if it is newer',
    async (_what, parts) => {
      let version = '1.9.3';
      const world = createCounterWorld({}, { version: () => version });
      leaveGroups(world, eventOf(parts), eventOf({}));

      await restart(world);
      // Starts of another version are no attempts.
      for (let start = 0; start < 12; start += 1) await restart(world);
      const newer = [eventsIn(world).length, quarantineIn(world).length, world.disk.dataOf('counter')];
      version = '1.11';
      await restart(world);

      expect([newer, eventsIn(world), world.disk.dataOf('counter')]).toEqual([[1, 0, 5], [], 5]);
      expect(quarantineIn(world).map((kept) => JSON.parse(kept))).toMatchObject([[parts]]);
    },
  );

  it.each([
    '{"name":',
    'null',
    '[{"name":"counter.add"},7]',
    '[{"name":"counter.add","version":7}]',
    '[{"name":"counter.add","key":7}]',
    '[{"name":"counter.add","tries":"many"}]',
  ])('that cannot be read, such as %s, moves to the quarantine, and others run', async (text) => {
    const world = createCounterWorld();
    leaveGroups(world, text, eventOf({}));

    await restart(world);

    expect([world.disk.dataOf('counter'), eventsIn(world), quarantineIn(world)]).toEqual([5, [], [text]]);
    expect(world.disk.keys()).toContainEqual(expect.stringMatching(/^quarantine\/.*\.queue$/u));
  });

  it.each<[what: string, stored: object | string, quarantined: number, count: unknown]>([
    ['is carried out', { name: 'counter.add', input: 5, at: 1 }, 0, 5],
    ['is carried out once for its key', { name: 'counter.add', input: 5, at: 1, key: 'known' }, 0, undefined],
    [
      'that ends in a declared error is removed',
      { name: 'counter.add', input: MOST + 1, at: 1 },
      0,
      undefined,
    ],
    ['that does not fit moves to the quarantine', { name: 'counter.sub', input: 5, at: 1 }, 1, undefined],
    ['that cannot be read moves to the quarantine', '{"name":', 1, undefined],
  ])('of the layout before the queue %s', async (_what, stored, quarantined, count) => {
    const { patchStore, lists } = recordStore();
    const world = createCounterWorld({}, { patchStore });
    const made = { id: 1, name: 'counter.add', outcome: 5, at: Date.now() };
    world.disk.write('journal/background/counter.add/known', made);
    world.disk.write('inbox', true);
    world.disk.write('inbox/1', typeof stored === 'string' ? stored : JSON.stringify(stored));

    await restart(world);
    const seen = [world.disk.dataOf('counter'), eventsIn(world).length, quarantineIn(world).length];
    const left = world.disk.keys().filter((key) => /^(queue|inbox)/u.test(key));
    lists.length = 0;
    await restart(world);

    expect([seen, left]).toEqual([[count, 0, quarantined], []]);
    // Nothing is left to look for.
    expect(lists.filter((prefix) => prefix !== 'journal/')).toEqual([]);
  });

  it('leaves no flag of that layout behind if there is none, and the flag is false', async () => {
    const world = createCounterWorld();
    world.disk.write('inbox', false);

    await restart(world);

    expect(world.disk.read('inbox')).toBeUndefined();
  });
});

describe('a start', () => {
  it('that cannot read the store at first carries out what is left later', async () => {
    const { world, leave } = createOrderedWorld();
    await leave(5);
    world.disk.failReads(new Error('The disk is gone'));
    world.fire(() => {});
    const outcome = outcomeOf(fireAdd(world, 1));
    await advance(10 * SECOND);
    const stored = eventsIn(world).map(({ tries }) => tries);

    world.disk.failReads(undefined);
    await advance(20 * SECOND);

    expect([stored, await outcome, world.disk.dataOf('counter')]).toEqual([[0, 0], 6, 6]);
    expect(logOf(world)).toContain('ProcedureError: NOT_READ');
  });

  it('asks to be woken when an event is due', async () => {
    const times: number[] = [];
    const { world, leave } = createOrderedWorld(() => Promise.reject(new Error('broken')), {
      wakeAt: (time) => times.push(time),
    });
    await leave(5);

    await restart(world);
    await advance(4 * SECOND);

    const pauses = times.filter((time) => time !== Infinity).map((time) => time - Date.now());
    expect(pauses.at(-1)).toBeGreaterThan(0);
  });
});

it('events are stored as text', async () => {
  const { world, leave } = createOrderedWorld();
  await leave(5);

  const stored = world.disk.keys().filter((key) => key.startsWith('queue/'));
  expect(stored.map((key) => typeof world.disk.read(key))).toEqual(['string', 'string']);
});
