import { expect, inject, it } from 'vitest';

import type { View } from '../../scripts/browsers/running-extension.ts';
import { launchTestExtension } from '../support/built-extension.ts';
import { createPortPair } from '../support/memory-world.ts';
import { awkwardValues, describeCopy } from '../support/wire-extension/values.ts';

// Facts that tests/support/memory-world.ts relies on, about ports and workers. Its comment names the tests of the others.

it('copies a message as the memory world does', async () => {
  const page = await (await launchTestExtension('wire')).open('options.html');
  const [near, far] = createPortPair(inject('browserName') === 'chromium' ? 'json' : 'clone');
  const arrived = new Promise<unknown>((resolve) => near.onMessage(resolve));
  far.post(awkwardValues());

  const described = await page.evaluate(() => wires.open().ask('describe', wires.awkwardValues()));

  // The description from the page has been copied as JSON too.
  expect(described).toEqual(JSON.parse(JSON.stringify(describeCopy(await arrived))));
});

it('delivers messages whole and in order until a disconnect', async () => {
  const page = await (await launchTestExtension('wire')).open('options.html');

  await page.evaluate(() => {
    const { order } = wires.open();
    // Every fiftieth message is large.
    for (let index = 0; index < 500; index += 1) order('echo', 'x'.repeat(index % 50 ? index : 300_000));
    wires.open().order('leave');
  });
  const lengths = await page.waitFor(() => {
    const heard = wires.all[0]?.heard ?? [];
    return heard.length === 500 && heard.map((text) => String(text).length);
  });
  await page.waitFor(() => wires.all[1]?.isLost());
  const beforeLoss = await page.evaluate(async () => {
    wires.all[1]?.order('echo', 'lost');
    await wires.open().ask('echo', 'later');
    return wires.all[1]?.heard;
  });

  expect(lengths).toEqual(Array.from({ length: 500 }, (_, index) => (index % 50 ? index : 300_000)));
  expect(beforeLoss).toEqual(['one', 'two', 'three']);
});

it('notifies only the other end of a disconnect, also when a page is closed', async () => {
  const extension = await launchTestExtension('wire');
  const page = await extension.open('options.html');
  const closing = await extension.open('options.html');
  await closing.evaluate(() => wires.open().ask('echo', 1));

  await page.evaluate(async () => {
    const leaving = wires.open();
    await leaving.ask('echo', 1);
    leaving.disconnect();
  });
  await untilLost(page, 1);
  await closing.close();
  await untilLost(page, 2);

  expect(await page.evaluate(() => wires.all[0]?.isLost())).toBe(false);
});

it('closes the ports of a worker that ends, and the next worker has new globals', async () => {
  const extension = await launchTestExtension('wire');
  const page = await extension.open('options.html');
  const count = () => page.evaluate(() => wires.open().ask('count'));
  const before = [await count(), await count()];

  await extension.stopWorker();

  await page.waitFor(() => wires.all.every(({ isLost }) => isLost()));
  expect(before).toEqual([1, 2]);
  expect(await count()).toBe(1);
});

/** Waits until the worker was notified of this many lost ports. It sees the port of each question too, which stays open. */
async function untilLost(page: View, count: number): Promise<void> {
  await page.waitFor(async (expected) => (await wires.open().ask('lost')) === expected, count);
}
