import { describe, expect, it, onTestFinished, vi } from 'vitest';

import { type CounterWorld, fireAdd } from '../support/counter-world.ts';
import { counter, counterFeature, testCallers } from '../support/counter.ts';
import { defineFeature } from '../../src/messaging/define/feature.ts';
import { createMemoryWorld } from '../support/memory-world.ts';
import { createDeferred } from '../support/promises.ts';

describe('a watch of the background', () => {
  /** Creates a world in which each worker watches the counter with this listener. */
  function createWatchedWorld(listener: (count: number) => unknown): CounterWorld {
    const watching = defineFeature({ start: ({ background }) => background.watch(counter, listener) });
    return createMemoryWorld({ callers: testCallers, features: [counterFeature, watching] });
  }

  it('gets the current state and the state after every change, in every worker', async () => {
    const seen: number[] = [];
    const world = createWatchedWorld((count) => seen.push(count));

    await world.openPage('options').client.mutate('counter.add', 1);
    await vi.waitFor(() => expect(seen).toEqual([1]));
    await fireAdd(world, 2);
    world.killWorker();
    world.fire(() => {});

    await vi.waitFor(() => expect(seen).toEqual([1, 3, 3]));
  });

  it('continues when its listener throws or rejects, and logs the error', async () => {
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

  it('tries again after five seconds when the state cannot be read, and logs the error', async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const seen: number[] = [];
    const world = createWatchedWorld((count) => seen.push(count));
    world.disk.failReads(new Error('The disk is gone'));
    world.fire(() => {});
    await vi.advanceTimersByTimeAsync(1_000);
    const logged = [...world.logged.values()].map(String);
    world.disk.failReads(undefined);
    await vi.advanceTimersByTimeAsync(4_000);
    const before = [...seen];
    await vi.advanceTimersByTimeAsync(1_000);

    expect(new Set(logged)).toEqual(new Set(['ProcedureError: NOT_READ']));
    expect([before, seen]).toEqual([[], [0]]);
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

  it('throws for a document that is not in the list', () => {
    const world = createMemoryWorld({
      callers: testCallers,
      features: [{ ...counterFeature, documents: [] }],
    });

    expect(() => world.fire((background) => background.watch(counter, () => {}))).toThrow(
      '"counter" must be among the `documents` of a feature.',
    );
  });
});
