import { describe, expect, it, vi } from 'vitest';

import type { Entries } from '../../../src/messaging/state/store.ts';
import { addToCounter } from '../../support/counter-world.ts';
import { createEventWorld } from '../../support/event-world.ts';
import { sleep } from '../../support/promises.ts';
import { refusing } from '../../support/store-faults.ts';
import { advance, SECOND, withFakeTimers } from '../../support/time.ts';

withFakeTimers();

describe('events that wait', () => {
  it.each<[notes: readonly number[], sizes: readonly number[]]>([
    [[24], [8, 8, 8]],
    [Array(13).fill(1), [1, 8, 4]],
    [
      [1, 1, 8],
      [1, 8, 1],
    ],
  ])('in notes of %j events are carried out in turns of at most 8', async (notes, sizes) => {
    const { turns, add, holdTurn } = createEventWorld();
    const release = await holdTurn();
    const outcomes: Promise<unknown>[] = [];
    for (const size of notes) {
      outcomes.push(...Array.from({ length: size }, () => add(1)));
      await advance(1);
    }

    release();
    await advance(1);

    expect(await Promise.all(outcomes)).toEqual(outcomes.map((_, index) => index + 1));
    expect(turns().map(({ length }) => length)).toEqual(sizes);
  });

  it('after a change that the disk refuses run alone at first, and then more and more together', async () => {
    const isRefused = ({ counter = null }: Entries): boolean => JSON.stringify(counter).includes('"data":9');
    const { turns, add, observed, count } = createEventWorld(addToCounter, {
      patchStore: refusing(isRefused),
    });

    void add(900);
    for (let others = 0; others < 7; others += 1) void add(1);
    await advance(0.9 * SECOND);

    expect(turns().map(({ length }) => length)).toEqual([8, 1, 1, 1, 2, 4]);
    expect(observed).toEqual([...Array(10).fill('1 NOT_STORED'), ...Array(7).fill('1 value')]);
    expect(count()).toBe(7);
  });

  it.each([
    [50, [[1], [2, 3], [9]]],
    [51, [[1], [2], [9], [3]]],
  ])('let a page change the state first after an event that takes %d ms', async (duration, inputs) => {
    const { world, turns, add, holdTurn } = createEventWorld(async (context) => {
      if (context.input === 2) {
        void page.client.mutate('counter.add', 9);
        await sleep(duration);
      }
      return addToCounter(context);
    });
    const page = world.openPage('options');
    const release = await holdTurn();
    for (const input of [1, 2, 3]) {
      void add(input);
      await advance(1);
    }

    release();
    await advance(SECOND);

    expect(turns()).toEqual(inputs);
  });

  it('are carried out, although each takes longer than a turn', async () => {
    const { turns, add } = createEventWorld();
    const now = performance.now();
    let calls = 0;
    vi.spyOn(performance, 'now').mockImplementation(() => now + 60 * (calls += 1));

    const outcomes = [add(1), add(2)];
    await advance(2 * SECOND);

    expect([await Promise.all(outcomes), turns()]).toEqual([
      [1, 3],
      [[1], [2]],
    ]);
  });
});
