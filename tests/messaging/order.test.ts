import { expect, it } from 'vitest';

import { createCounterWorld } from '../support/counter-world.ts';
import { rejectionOf } from '../support/promises.ts';
import { openScriptedClient } from '../support/scripted-client.ts';

it('mutations take effect in the order of their calls, even if the worker dies', async () => {
  const seen: number[] = [];
  const world = createCounterWorld({
    'counter.add': async ({ input }) => {
      await new Promise((resolve) => setTimeout(resolve, 10 - input));
      seen.push(input);
      return input;
    },
  });
  const { client } = world.openPage('options');
  world.killWorkerAt('before-reply');

  await Promise.all([1, 2, 3, 4, 5, 6, 7].map((by) => client.mutate('counter.add', by)));

  expect(seen).toEqual([1, 2, 3, 4, 5, 6, 7]);
});

it('a mutation that is made while another one is being sent waits for it', async () => {
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

it('a mutation skips an earlier one that was aborted, and still waits for those before that', async () => {
  const { client, enterCache } = createCounterWorld().openPage('options');
  const controller = new AbortController();

  const first = client.mutate('counter.add', 1);
  const second = rejectionOf(client.mutate('counter.add', 10, { signal: controller.signal }));
  const third = client.mutate('counter.add', 100);
  controller.abort();
  await second;
  // The first is not answered yet. If the third did not wait, it would replace the journal entry of the first.
  enterCache();
  client.reconnect();

  expect([await first, await third]).toEqual([1, 101]);
});

it.each([
  ['fails', 0],
  ['has an input that is not JSON', Number.NaN],
])('a mutation is carried out after one that %s', async (_what, input) => {
  const { client } = createCounterWorld().openPage('options');

  const first = client.mutate('counter.add', input);
  const second = client.mutate('counter.add', 2);

  await expect(first).rejects.toThrow(Error);
  expect(await second).toBe(2);
});
