import { describe, expect, it, vi } from 'vitest';

import { createCounterWorld } from '../support/counter-world.ts';
import type { DeathPoint } from '../support/memory-world.ts';
import { rejectionOf } from '../support/rejection-of.ts';

const DEATH_POINTS = [
  'before-lock',
  'in-lock',
  'before-commit',
  'after-commit',
  'before-reply',
] as const satisfies DeathPoint[];

const HOUR = 60 * 60 * 1_000;

describe('the worker may die at any instant', () => {
  it('answers the next call after the worker died', async () => {
    const world = createCounterWorld();
    const { client } = world.openPage('options');
    await client.mutate('counter.add', 1);

    world.killWorker();

    expect(await client.query('counter.read')).toBe(1);
    expect(world.starts()).toBe(2);
  });

  it('sends a query again that was waiting when the worker died', async () => {
    let asked = 0;
    const world = createCounterWorld({
      'counter.read': () => {
        asked += 1;
        if (asked === 1) world.killWorker();
        return asked;
      },
    });

    const answer = await world.openPage('popup').client.query('counter.read');

    expect(answer).toBe(2);
  });

  it.each(DEATH_POINTS)('lets a mutation take effect once when the worker dies %s', async (point) => {
    const world = createCounterWorld();
    const { client } = world.openPage('options');
    world.killWorkerAt(point);

    const answer = await client.mutate('counter.add', 1);

    expect(world.starts()).toBe(2);
    expect(answer).toBe(1);
    expect(world.disk.read('counter')).toBe(1);
  });

  it('lets a mutation take effect once when the worker dies in its handler', async () => {
    let runs = 0;
    const world = createCounterWorld({
      'counter.add': async ({ input, state }) => {
        runs += 1;
        const count = Number((await state.get('counter')) ?? 0) + input;
        state.set('counter', count);
        if (runs === 1) world.killWorker();
        return count;
      },
    });

    const answer = await world.openPage('options').client.mutate('counter.add', 3);

    expect([runs, answer, world.disk.read('counter')]).toEqual([2, 3, 3]);
  });

  it('answers a mutation that is sent again from the journal instead of running it again', async () => {
    let runs = 0;
    const world = createCounterWorld({
      'counter.add': ({ input, state }) => {
        runs += 1;
        state.set('counter', input);
        return runs;
      },
    });
    world.killWorkerAt('after-commit');

    const answer = await world.openPage('options').client.mutate('counter.add', 9);

    expect([answer, runs]).toEqual([1, 1]);
  });

  it('does not open the port again for a subscription alone', async () => {
    const world = createCounterWorld();
    const { client } = world.openPage('popup');
    const counts = client.subscribe('counter.watch');
    await counts.next();

    world.killWorker();
    await vi.waitFor(() => expect(client.connection.state().status).toBe('asleep'));

    expect(world.isAwake()).toBe(false);
    expect(world.starts()).toBe(1);
  });

  it('resumes a subscription with a fresh value when the worker announces that it woke', async () => {
    const world = createCounterWorld();
    const { client } = world.openPage('popup');
    const counts = client.subscribe('counter.watch');
    await counts.next();
    world.killWorker();
    await vi.waitFor(() => expect(client.connection.state().status).toBe('asleep'));
    await world.openPage('options').client.mutate('counter.add', 4);

    client.resume();

    expect(await counts.next()).toEqual({ done: false, value: 4 });
  });

  it("resumes a subscription on the page's own next call", async () => {
    const world = createCounterWorld();
    const { client } = world.openPage('options');
    const counts = client.subscribe('counter.watch');
    await counts.next();
    world.killWorker();
    const next = counts.next();

    await client.mutate('counter.add', 6);

    await vi.waitFor(async () => expect((await next).done).toBe(false));
    expect(await client.query('counter.read')).toBe(6);
  });

  it('opens the port again for a subscription that has not begun', async () => {
    let runs = 0;
    const world = createCounterWorld({
      'counter.watch': async function* () {
        runs += 1;
        if (runs === 1) world.killWorker();
        yield runs;
      },
    });

    const first = await world.openPage('popup').client.subscribe('counter.watch').next();

    expect(first.value).toBe(2);
  });

  it.each([
    ['whose deadline passed while its page was frozen', () => vi.advanceTimersByTime(2 * HOUR)],
    [
      'when the clock was set back, by which its slot may be gone',
      () => vi.setSystemTime(Date.now() - 2 * HOUR),
    ],
  ])('sends nothing again %s', async (_what, pass) => {
    vi.useFakeTimers({ toFake: ['Date', 'performance'] });
    const world = createCounterWorld();
    const page = world.openPage('options');
    world.killWorkerAt('after-commit');
    const ended = rejectionOf(page.client.mutate('counter.add', 1));
    await Promise.resolve();
    page.enterCache();
    await vi.waitFor(() => expect(world.disk.read('counter')).toBe(1));

    pass();
    await world.openPage('options').client.mutate('counter.add', 100);
    await vi.waitFor(() => expect(world.disk.keys()).toHaveLength(2));
    page.client.reconnect();
    const error = await ended;
    vi.useRealTimers();

    expect(error).toMatchObject({ code: 'TIMEOUT', delivery: 'unknown' });
    expect(world.disk.read('counter')).toBe(101);
  });

  it('does not say of a mutation that may be written that nothing was changed', async () => {
    const world = createCounterWorld();
    const { client } = world.openPage('options');
    world.killWorkerAt('after-commit');
    const ended = rejectionOf(client.mutate('counter.add', 1));
    while (world.disk.read('counter') === undefined) await Promise.resolve();
    world.disk.failReads(new Error('The disk is gone'));

    const again = await ended;
    const first = await rejectionOf(client.mutate('counter.add', 1));

    expect(again).toMatchObject({ code: 'NOT_READ', delivery: 'unknown' });
    expect(first).toMatchObject({ code: 'NOT_READ', delivery: 'handled' });
  });

  it('neither loses nor repeats a mutation over 300 deaths at random points', async () => {
    const world = createCounterWorld();
    const pages = Array.from({ length: 4 }, () => world.openPage('options'));
    const answers: number[] = [];

    for (let round = 0; round < 75; round += 1) {
      world.killWorkerAt(DEATH_POINTS[round % DEATH_POINTS.length] ?? 'in-lock');
      const calls = pages.map(({ client }) => client.mutate('counter.add', 1));
      if (round % 3 === 0) queueMicrotask(world.killWorker);
      answers.push(...(await Promise.all(calls)));
    }

    expect(world.disk.read('counter')).toBe(300);
    expect(new Set(answers).size).toBe(300);
    expect(world.starts()).toBeGreaterThan(75);
  });
});
