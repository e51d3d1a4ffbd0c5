import { getEventListeners } from 'node:events';

import { describe, expect, it, vi } from 'vitest';

import { createCounterWorld } from '../support/counter-world.ts';
import { rejectionOf } from '../support/rejection-of.ts';

describe('subscriptions', () => {
  it('yield the value now and after every change, in every open page', async () => {
    const world = createCounterWorld();
    const pages = [world.openPage('popup'), world.openPage('options')];
    const streams = pages.map(({ client }) => client.subscribe('counter.watch'));
    const first = await Promise.all(streams.map((stream) => stream.next()));

    const next = streams.map((stream) => stream.next());
    await world.openPage('options').client.mutate('counter.add', 5);

    expect(first.map(({ value }) => value)).toEqual([0, 0]);
    expect((await Promise.all(next)).map(({ value }) => value)).toEqual([5, 5]);
  });

  it('show a slow consumer the latest value, not every one before it', async () => {
    const world = createCounterWorld();
    const { client } = world.openPage('options');
    const counts = client.subscribe('counter.watch');
    await counts.next();

    for (let count = 0; count < 20; count += 1) await client.mutate('counter.add', 1);
    const next = await counts.next();

    expect(next.value).toBe(20);
  });

  it('run the handler only as far as the consumer takes values', async () => {
    let produced = 0;
    const world = createCounterWorld({
      'counter.watch': async function* () {
        for (; produced < 5_000;) yield (produced += 1);
      },
    });
    const counts = world.openPage('popup').client.subscribe('counter.watch');

    const { value } = await counts.next();
    await new Promise((resolve) => setTimeout(resolve, 20));

    expect(value).toBe(1);
    expect(produced).toBeLessThanOrEqual(2);
    await counts.return();
  });

  it('end when their handler ends', async () => {
    const world = createCounterWorld({
      'counter.watch': async function* () {
        yield 1;
        yield 2;
      },
    });
    const seen: number[] = [];

    for await (const count of world.openPage('popup').client.subscribe('counter.watch')) seen.push(count);

    expect(seen).toEqual([1, 2]);
  });

  it('end when an iterator ends that cannot be returned from', async () => {
    const values = [1, 2];
    const next = async (): Promise<IteratorResult<number>> => {
      const value = values.shift();
      return value === undefined ? { done: true, value } : { value };
    };
    const world = createCounterWorld({
      'counter.watch': () => ({ [Symbol.asyncIterator]: () => ({ next }) }),
    });
    const seen: number[] = [];

    for await (const count of world.openPage('popup').client.subscribe('counter.watch')) seen.push(count);

    expect(seen).toEqual([1, 2]);
  });

  it('leave no listener on the signal of their handler for each value', async () => {
    const listeners: number[] = [];
    const world = createCounterWorld({
      'counter.watch': async function* ({ signal }) {
        for (;;) yield listeners.push(getEventListeners(signal, 'abort').length);
      },
    });
    const counts = world.openPage('popup').client.subscribe('counter.watch');

    for (let taken = 0; taken < 5; taken += 1) await counts.next();
    await counts.return();

    expect(Math.max(...listeners)).toBeLessThanOrEqual(2);
  });

  it('end in a typed error when their handler fails', async () => {
    const world = createCounterWorld({
      'counter.watch': async function* () {
        yield 1;
        throw new Error('broken');
      },
    });
    const counts = world.openPage('popup').client.subscribe('counter.watch');
    await counts.next();

    const error = await rejectionOf(counts.next());

    expect(error).toMatchObject({ code: 'INTERNAL', delivery: 'handled' });
    expect(world.logged.get(error.incident ?? '')).toMatchObject({ message: 'broken' });
  });

  it('stop their handler when it yields what breaks the contract', async () => {
    const cleanedUp = vi.fn<() => void>();
    const world = createCounterWorld({
      'counter.watch': async function* () {
        try {
          yield 'one' as unknown as number;
        } finally {
          cleanedUp();
        }
      },
    });

    const error = await rejectionOf(world.openPage('popup').client.subscribe('counter.watch').next());

    expect(error.code).toBe('INTERNAL');
    await vi.waitFor(() => expect(cleanedUp).toHaveBeenCalledOnce());
  });

  it('abort the signal of a handler that has ended by itself or failed, so that nothing of it goes on', async () => {
    let reads = 0;
    const world = createCounterWorld(
      {
        'counter.watch': async function* ({ state }) {
          const watching = state.watch('counter');
          await watching.next();
          void watching.next();
          yield 1;
          throw new Error('broken');
        },
      },
      {
        patchStore: (store) => ({
          ...store,
          read: (key) => {
            if (key === 'counter') reads += 1;
            return store.read(key);
          },
        }),
      },
    );
    const { client } = world.openPage('options');
    for (let count = 0; count < 20; count += 1) {
      const values = client.subscribe('counter.watch');
      await values.next();
      await rejectionOf(values.next());
    }
    const before = reads;

    await client.mutate('counter.add', 1);
    await new Promise((resolve) => setTimeout(resolve));

    // The handler of the mutation reads once.
    expect(reads - before).toBe(1);
  });

  it('never start for a signal that is aborted already', async () => {
    const world = createCounterWorld();
    const { client } = world.openPage('popup');

    const first = await client.subscribe('counter.watch', undefined, { signal: AbortSignal.abort() }).next();

    expect(first.done).toBe(true);
    expect(world.starts()).toBe(0);
  });
});

describe('the state of the connection', () => {
  it('goes from idle over connecting to awake, and to asleep when the worker stops while nothing waits', async () => {
    const world = createCounterWorld();
    const { client } = world.openPage('popup');
    const seen = [client.connection.state().status];
    client.connection.onChange(() => {
      const { status } = client.connection.state();
      if (seen.at(-1) !== status) seen.push(status);
    });

    await client.query('counter.read');
    world.killWorker();
    await vi.waitFor(() => expect(seen.at(-1)).toBe('asleep'));
    await client.query('counter.read');

    expect(seen).toEqual(['idle', 'connecting', 'awake', 'asleep', 'connecting', 'awake']);
  });

  it('reports how long the last call took', async () => {
    const world = createCounterWorld({
      'counter.read': () => new Promise((resolve) => setTimeout(() => resolve(1), 30)),
    });
    const { client } = world.openPage('popup');

    await client.query('counter.read');

    const state = client.connection.state();
    expect(state.status === 'awake' && state.roundTrip).toBeGreaterThan(25);
  });

  it('ends a call even if a listener throws when it is answered', async () => {
    const uncaught = process.listeners('uncaughtException');
    process.removeAllListeners('uncaughtException');
    const onUncaught = vi.fn<(error: Error) => void>();
    process.on('uncaughtException', onUncaught);
    const { client } = createCounterWorld().openPage('popup');
    client.connection.onChange(() => {
      throw new Error('a mistake of the page');
    });

    const count = await client.query('counter.read');
    await new Promise((resolve) => setImmediate(resolve));
    process.removeAllListeners('uncaughtException');
    for (const listener of uncaught) process.on('uncaughtException', listener);

    expect(count).toBe(0);
    expect(onUncaught.mock.calls[0]?.[0]).toMatchObject({ message: 'a mistake of the page' });
  });

  it('is not a change when it stays the same, so that a listener may call on every change', async () => {
    const page = createCounterWorld().openPage('popup');
    page.orphan();
    const failures: Promise<unknown>[] = [];
    page.client.connection.onChange(() => failures.push(rejectionOf(page.client.query('counter.read'))));

    await rejectionOf(page.client.query('counter.read'));

    expect(await Promise.all(failures)).toHaveLength(1);
  });

  it('notifies no listener that was removed', async () => {
    const { client } = createCounterWorld().openPage('popup');
    const listener = vi.fn<() => void>();
    const stop = client.connection.onChange(listener);

    stop();
    await client.query('counter.read');

    expect(listener).not.toHaveBeenCalled();
  });
});

describe('a page that comes back from the back/forward cache', () => {
  it('has its calls answered and its subscriptions resumed', async () => {
    const world = createCounterWorld();
    const page = world.openPage('options');
    const counts = page.client.subscribe('counter.watch');
    await counts.next();
    page.enterCache();
    const next = counts.next();
    await world.openPage('options').client.mutate('counter.add', 3);

    page.client.reconnect();

    expect((await next).value).toBe(3);
    expect(await page.client.query('counter.read')).toBe(3);
  });

  it('does not wake the worker without need', async () => {
    const world = createCounterWorld();
    const page = world.openPage('popup');
    await page.client.query('counter.read');
    page.enterCache();
    world.killWorker();

    page.client.reconnect();

    expect(world.isAwake()).toBe(false);
    expect(page.client.connection.state().status).toBe('asleep');
  });
});
