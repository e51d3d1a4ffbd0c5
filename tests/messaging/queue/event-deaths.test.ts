import { describe, expect, it, vi } from 'vitest';

import { addToCounter, createCounterWorld, eventsIn, fireAdd } from '../../support/counter-world.ts';
import { counter } from '../../support/counter.ts';
import { createEventWorld } from '../../support/event-world.ts';
import { isNote } from '../../support/memory-world.ts';
import { never, sleep } from '../../support/promises.ts';
import { advance, HOUR, SECOND, withFakeTimers } from '../../support/time.ts';

withFakeTimers();

const YEAR = 365 * 24 * HOUR;

/** The input of an event that kills backgrounds. */
const DEADLY = 13;

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);

/** The notes of three events, and the writes of their turns. */
const writes = [1, 2, 3, 4, 5];

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

  it.each(writes.flatMap((write) => (['before', 'after'] as const).map((when) => [when, write] as const)))(
    '%s write %d, each event that was noted takes effect once',
    async (when, deadly) => {
      let made = 0;
      const later = [2, 4];
      const { world, add, count, left, mark, restart } = createEventWorld(
        async (context) => {
          // Another event is noted before this turn is written, and its write is confirmed later.
          fireNext();
          await sleep(5);
          return addToCounter(context);
        },
        {
          patchStore: (store) => ({
            ...store,
            write: async (entries) => {
              made += 1;
              if (made === deadly) world.killWorkerAt(`${when}-${isNote(entries) ? 'note' : 'commit'}`);
              const written = store.write(entries);
              // Another event is noted before the write of this turn is confirmed.
              if ('counter' in entries) fireNext();
              await written;
              await sleep(10);
            },
          }),
        },
      );
      function fireNext(): void {
        const input = world.isWorkerRunning() ? later.shift() : undefined;
        if (input !== undefined) void add(input);
      }
      void add(1);
      await advance(SECOND);
      later.length = 0;
      const [isRunning, noted] = [world.isWorkerRunning(), Number(count() ?? 0) + sum(left().map(inputOf))];

      await restart();

      expect([isRunning, count() ?? 0, left()]).toEqual([false, noted, []]);
      // A background that dies before its first write leaves no mark.
      expect(mark()).toMatch(noted === 0 ? /^0 empty$/u : /^[1-3] empty$/u);
    },
  );

  it.each([
    ['set back by 2 hours', -2 * HOUR],
    ['set forward by 2 hours', 2 * HOUR],
    ['set back by a year', -YEAR],
  ])(
    'events are carried out in the order of the calls, even if the clock is %s at each start',
    async (_how, change) => {
      const { world, order, leave, add, start } = createEventWorld();
      const turnClock = (): unknown => vi.setSystemTime(Date.now() + change);
      await leave(1, 2);
      turnClock();
      // This worker counts what the first one has left, and dies as well.
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

  it.each([
    [300, 0],
    [90, 3],
  ])('%d events keep their order, and none is lost, also after %d more deaths', async (count, deaths) => {
    const { world, order, leave, restart, left } = createEventWorld(({ input, state }) => {
      state.write(counter, input);
      return input;
    });
    const inputs = Array.from({ length: count }, (_, index) => index + 1);
    await leave(...inputs);

    for (let starts = 0; starts < deaths; starts += 1) {
      world.killWorkerAt('after-commit');
      await restart();
      world.killWorkerAt('before-commit');
      await restart();
    }
    await restart();

    expect([order(), left(), world.disk.dataOf('counter')]).toEqual([inputs, [], count]);
  });

  it.each([
    [5, 55 + DEADLY, []],
    [Infinity, 55, ['Error: The event "counter.add" was given up after 10 attempts: INTERNAL.']],
  ])(
    'in an attempt at an event, %d times at most, no other event is given up',
    async (deaths, expected, lines) => {
      let killed = 0;
      const { world, order, leave, start, count, left, mark, quarantined, log } = createEventWorld(
        (context) => {
          if (context.input !== DEADLY || killed >= deaths) return addToCounter(context);
          killed += 1;
          // The worker ends like one whose memory is used up.
          world.killWorker();
          return never();
        },
      );
      await leave(1, 2, 3, 4, 5, DEADLY, 6, 7, 8, 9, 10);

      for (let starts = 0; starts < 15; starts += 1) await start();

      expect([count(), left(), mark(), log()]).toEqual([expected, [], '11 empty', lines]);
      expect(order().filter((input) => input === DEADLY)).toHaveLength(Math.min(deaths + 1, 10));
      expect(quarantined().map((text) => JSON.parse(text) as object)).toMatchObject(
        lines.map(() => ({ data: DEADLY, deaths: 10 })),
      );
    },
  );

  it('while an event waits for its next attempt, the event is not given up', async () => {
    let isBroken = true;
    const { add, restart, count, left } = createEventWorld((context) =>
      isBroken ? Promise.reject(new Error('broken')) : addToCounter(context),
    );
    void add(5);
    await advance(7 * SECOND);
    for (let starts = 0; starts < 12; starts += 1) await restart();
    const [event] = left();
    isBroken = false;

    await advance(HOUR);

    expect([event?.deaths, count(), left()]).toEqual([0, 5, []]);
  });
});

const inputOf = ({ data }: { readonly data?: unknown }): number => Number(data);
