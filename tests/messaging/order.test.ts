import { describe, expect, it } from 'vitest';

import { createCounterWorld } from '../support/counter-world.ts';
import { rejectionOf } from '../support/rejection-of.ts';
import { openScriptedClient } from '../support/scripted-client.ts';

describe("a page's mutations", () => {
  it.each(['lives on', 'dies'])(
    'take effect in the order of their calls when the worker %s',
    async (fate) => {
      const seen: number[] = [];
      const world = createCounterWorld({
        'counter.add': async ({ input }) => {
          await new Promise((resolve) => setTimeout(resolve, 10 - input));
          seen.push(input);
          return input;
        },
      });
      const { client } = world.openPage('options');
      if (fate === 'dies') world.killWorkerAt('before-reply');

      await Promise.all([1, 2, 3, 4, 5, 6, 7].map((by) => client.mutate('counter.add', by)));

      expect(seen).toEqual([1, 2, 3, 4, 5, 6, 7]);
    },
  );

  it('wait for one that is just being sent', async () => {
    const { client, posted, settle } = openScriptedClient();
    let isMade = false;
    client.connection.onChange(() => {
      if (!isMade) void client.mutate('counter.add', 10);
      isMade = true;
    });

    void client.mutate('counter.add', 1);
    await settle();

    expect([isMade, posted()]).toEqual([true, [['mutation', 1, 1]]]);
  });

  it('do not wait for one that its caller has given up before its turn', async () => {
    const { client } = createCounterWorld().openPage('options');
    const controller = new AbortController();

    const first = client.mutate('counter.add', 1);
    const second = rejectionOf(client.mutate('counter.add', 10, { signal: controller.signal }));
    const third = client.mutate('counter.add', 100);
    controller.abort();

    expect(await second).toMatchObject({ code: 'ABORTED', delivery: 'not-sent' });
    expect([await first, await third]).toEqual([1, 101]);
  });

  it('wait for those before one that its caller has given up', async () => {
    const world = createCounterWorld();
    const { client, enterCache } = world.openPage('options');
    const controller = new AbortController();

    const first = client.mutate('counter.add', 1);
    const second = rejectionOf(client.mutate('counter.add', 10, { signal: controller.signal }));
    const third = client.mutate('counter.add', 100);
    controller.abort();
    await second;
    // Before the first is answered: one that did not wait would take the place of its journal entry.
    enterCache();
    client.reconnect();

    expect([await first, await third, world.disk.read('counter')]).toEqual([1, 101, 101]);
  });

  it.each<[string, number, object]>([
    ['fails', 0, {}],
    ['has an input that is not JSON', Number.NaN, {}],
    ['has a timeout that is not a number', 1, { timeout: 10n }],
    [
      'has an option that throws when it is read',
      1,
      {
        get signal(): AbortSignal {
          throw new Error('not here');
        },
      },
    ],
    ['has a signal that is not one', 1, { signal: {} }],
  ])('go on after one that %s', async (_what, input, options) => {
    const { client } = createCounterWorld().openPage('options');

    const first = client.mutate('counter.add', input, options);
    const second = client.mutate('counter.add', 2);

    await expect(first).rejects.toThrow(Error);
    expect(await second).toBe(2);
  });
});
