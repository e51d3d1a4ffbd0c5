import { describe, expect, it, vi } from 'vitest';

import { addToCounter, createCounterWorld, eventsIn, fireAdd } from '../../support/counter-world.ts';
import { createEventWorld } from '../../support/event-world.ts';
import { never } from '../../support/promises.ts';
import { doubt } from '../../support/store-faults.ts';
import { advance, HOUR, SECOND, withFakeTimers } from '../../support/time.ts';

withFakeTimers();

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

  it.each([-2, 2])(
    'events are carried out in the order of the calls, even if the clock is changed by %d hours at each start',
    async (hours) => {
      const { world, order, leave, add, start } = createEventWorld();
      const turnClock = (): unknown => vi.setSystemTime(Date.now() + hours * HOUR);
      await leave(1, 2);
      turnClock();
      // This worker takes over what the first one has left, and dies as well.
      world.killWorkerAt('before-commit');
      await start();
      turnClock();
      await leave(3, 4);
      turnClock();

      void add(5);
      await advance(2 * SECOND);

      expect(order()).toEqual([1, 2, 3, 4, 5]);
    },
  );

  it('events keep their order when several workers die, also if they fill more than ten groups', async () => {
    const { world, order, leave, restart } = createEventWorld();
    const inputs = Array.from({ length: 90 }, (_, index) => index + 1);
    await leave(...inputs);
    world.killWorkerAt('after-commit');
    await restart();

    await restart();

    expect(order()).toEqual(inputs);
  });

  it('in each attempt, an event is given up, and the others are carried out in their order', async () => {
    const { world, order, leave, start, count, left, quarantined, log } = createEventWorld((context) => {
      if (context.input !== 13) return addToCounter(context);
      // The worker ends like one whose memory is used up.
      world.killWorker();
      return never();
    });
    await leave(1, 13, 2);

    for (let starts = 0; starts < 12; starts += 1) await start();

    expect(order().filter((input) => input === 13)).toHaveLength(10);
    expect(order().findLast((input) => input !== 13)).toBe(2);
    expect([count(), left()]).toEqual([3, []]);
    expect(quarantined().map((text) => JSON.parse(text))).toMatchObject([[{ input: 13, tries: 10 }]]);
    expect(log()).toEqual(['Error: The event "counter.add" was given up after 10 attempts: INTERNAL.']);
  });

  it('after a change in doubt, events that were taken over are not lost', async () => {
    const { patchStore, recover } = doubt({
      isMeant: (entries) => world.starts() === 2 && !('counter' in entries),
    });
    const { world, leave, start, count, left } = createEventWorld(addToCounter, { patchStore });
    await leave(1, 2);
    await start();
    const taken = left().length;
    recover();

    await advance(5 * SECOND);

    expect([taken, count(), left()]).toEqual([2, 3, []]);
  });
});

it('two workers that are alive carry out each event once', async () => {
  const { world, order, count, left } = createEventWorld();
  const older = world.fire((background) => background);
  await advance(SECOND);
  world.detachWorker();

  const outcomes = [1, 2, 3, 4].map((input) =>
    input % 2 === 0 ? fireAdd(world, input) : older.mutate('counter.add', input),
  );
  await advance(SECOND);

  expect([(await Promise.all(outcomes)).length, order().toSorted((a, b) => a - b)]).toEqual([
    4,
    [1, 2, 3, 4],
  ]);
  expect([count(), left()]).toEqual([10, []]);
});

it('an event whose token another worker has replaced is found by the hourly search', async () => {
  const { world, order, add, restart, left } = createEventWorld();
  await add(1);
  const older = world.fire((background) => background);
  await advance(SECOND);
  world.detachWorker();
  await add(2);
  world.killWorkerAt('after-note');
  older.mutate('counter.add', 3).catch(() => {});
  await advance(SECOND);
  await add(4);
  await restart();
  const lost = left().map(({ input }) => input);

  await advance(2 * HOUR);
  await add(5);
  await advance(SECOND);

  expect(lost).toEqual([3]);
  expect([order().toSorted((a, b) => a - b), left()]).toEqual([[1, 2, 3, 4, 5], []]);
});
