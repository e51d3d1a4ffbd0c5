import { describe, expect, it } from 'vitest';

import { createCounterWorld } from '../support/counter-world.ts';
import { rejectionOf } from '../support/rejection-of.ts';

describe("one page's mutations take effect in the order it made them", () => {
  it('keeps the order however long each takes', async () => {
    const seen: number[] = [];
    const world = createCounterWorld({
      'counter.add': async ({ input }) => {
        await new Promise((resolve) => setTimeout(resolve, 10 - input));
        seen.push(input);
        return input;
      },
    });
    const { client } = world.openPage('options');

    await Promise.all([1, 2, 3, 4, 5, 6, 7].map((by) => client.mutate('counter.add', by)));

    expect(seen).toEqual([1, 2, 3, 4, 5, 6, 7]);
  });

  it('keeps the order when the worker dies in between', async () => {
    const seen: number[] = [];
    const world = createCounterWorld({
      'counter.add': ({ input, state }) => {
        seen.push(input);
        state.set('counter', input);
        return input;
      },
    });
    const { client } = world.openPage('options');
    world.killWorkerAt('before-reply');

    await Promise.all([1, 2, 3].map((by) => client.mutate('counter.add', by)));

    expect(seen).toEqual([1, 2, 3]);
  });

  it('holds back one that is made while another starts', async () => {
    const world = createCounterWorld();
    const { client, enterCache } = world.openPage('options');
    const made: Promise<number>[] = [];
    const stop = client.connection.onChange(() => {
      stop();
      made.push(client.mutate('counter.add', 10));
    });

    const first = client.mutate('counter.add', 1);
    await Promise.resolve();
    enterCache();
    // Time enough for both, had both been sent: then the first would find the second's outcome in its place.
    await new Promise((resolve) => setTimeout(resolve, 20));
    const before = world.disk.read('counter');
    client.reconnect();

    expect([before, await first, await made[0]]).toEqual([1, 1, 11]);
  });

  it('goes on with the next one when one fails', async () => {
    const { client } = createCounterWorld().openPage('options');

    const first = rejectionOf(client.mutate('counter.add', 0));
    const second = client.mutate('counter.add', 2);

    expect((await first).code).toBe('INVALID_INPUT');
    expect(await second).toBe(2);
  });

  it.each<[string, object]>([
    ['a timeout that is not a number', { timeout: 10n }],
    [
      'an option that throws when it is read',
      {
        get signal(): AbortSignal {
          throw new Error('not here');
        },
      },
    ],
    ['a signal that is not one', { signal: {} }],
  ])('goes on with the next one when one is made with %s', async (_what, options) => {
    const { client } = createCounterWorld().openPage('options');

    await expect(client.mutate('counter.add', 1, options)).rejects.toThrow(Error);

    expect(await client.mutate('counter.add', 2)).toBe(2);
  });

  it('never sends a mutation that was given up while it waited for its turn', async () => {
    const world = createCounterWorld();
    const { client } = world.openPage('options');
    const controller = new AbortController();

    const first = client.mutate('counter.add', 1);
    const second = rejectionOf(client.mutate('counter.add', 10, { signal: controller.signal }));
    const third = client.mutate('counter.add', 100);
    controller.abort();

    expect(await second).toMatchObject({ code: 'ABORTED', delivery: 'not-sent' });
    expect([await first, await third]).toEqual([1, 101]);
  });
});
