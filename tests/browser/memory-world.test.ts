import { setTimeout as sleep } from 'node:timers/promises';
import { expect, inject, it } from 'vitest';

import type { View } from '../../scripts/browsers/running-extension.ts';
import { launchTestExtension } from '../support/built-extension.ts';
import { createPortPair } from '../support/memory-world.ts';
import { awkwardValues, describeCopy } from '../support/wire-extension/values.ts';

// Facts that tests/support/memory-world.ts relies on, about ports, workers, locks and storage. tests/browser/senders.test.ts
// shows the one about senders, because a server refuses a sender with a missing field.

const isChromium = inject('browserName') === 'chromium';

const DEATHS = 4;

it('copies a message as the memory world does', async () => {
  const page = await (await launchTestExtension('wire')).open('options.html');
  const [near, far] = createPortPair(isChromium ? 'json' : 'clone');
  const arrived = new Promise<unknown>((resolve) => near.onMessage(resolve));
  far.post(awkwardValues());

  const described = await page.evaluate(() => wires.open().ask('describe', wires.awkwardValues()));

  // The description from the page has been copied as JSON too.
  expect(described).toEqual(JSON.parse(JSON.stringify(describeCopy(await arrived))));
});

it('delivers messages whole and in order until a disconnect, which notifies only the other end', async () => {
  const extension = await launchTestExtension('wire');
  const page = await extension.open('options.html');

  const echoed = await page.evaluate(async () => {
    const { order, ask, heard } = wires.open();
    // Every fiftieth message is large.
    for (let index = 0; index < 500; index += 1) {
      order('echo', `${index} ${'x'.repeat(index % 50 === 0 ? 300_000 : index)}`);
    }
    await ask('echo', 'last');
    while (heard.at(-1) !== 'last') await new Promise((resolve) => setTimeout(resolve, 10));
    return heard.slice(0, -1).map((text) => [Number.parseInt(String(text), 10), String(text).length]);
  });
  const heardBeforeLoss = await page.evaluate(async () => {
    const wire = wires.open();
    wire.order('leave');
    while (!wire.isLost()) await new Promise((resolve) => setTimeout(resolve, 10));
    wire.order('echo', 'lost');
    await wires.open().ask('echo', 'later');
    return wire.heard;
  });
  await page.evaluate(async () => {
    const leaving = wires.open();
    wires.kept.push(leaving);
    await leaving.ask('echo', 1);
    leaving.disconnect();
  });
  const lostByLeaving = await waitForLosses(page, 1);
  const isOwnEndNotified = await page.evaluate(() => wires.kept.some(({ isLost }) => isLost()));
  const closing = await extension.open('options.html');
  await closing.evaluate(() => wires.open().ask('echo', 1));
  await closing.close();

  expect(echoed).toEqual(
    Array.from({ length: 500 }, (_, index) => [
      index,
      `${index} `.length + (index % 50 === 0 ? 300_000 : index),
    ]),
  );
  expect(heardBeforeLoss).toEqual(['one', 'two', 'three']);
  expect({ lostByLeaving, isOwnEndNotified }).toEqual({ lostByLeaving: 1, isOwnEndNotified: false });
  expect(await waitForLosses(page, 2), 'a closed page notifies the worker').toBe(2);
});

it('closes the ports of a worker that ends, and the next worker has new globals', async () => {
  const extension = await launchTestExtension('wire');
  const page = await extension.open('options.html');
  const before = await page.evaluate(async () => {
    wires.kept.push(wires.open(), wires.open());
    await Promise.all(wires.kept.map(({ ask }) => ask('echo', 1)));
    await wires.open().ask('count');
    return wires.open().ask('count');
  });

  await extension.stopWorker();

  await page.waitFor(() => wires.kept.every(({ isLost }) => isLost()));
  const after = await page.evaluate(() => wires.open().ask('count'));
  expect({ before, after }).toEqual({ before: 2, after: 1 });
});

it('gives the lock to one holder at a time, frees it when the worker dies, and writes several keys together', async () => {
  const extension = await launchTestExtension('wire');
  const page = await extension.open('options.html');
  const whileHeld = await page.evaluate(async () => {
    await wires.open().ask('lock', 'forever');
    const waiting = wires.open();
    waiting.order('lock');
    const isAsked = async (): Promise<boolean> => (await navigator.locks.query()).pending?.length === 1;
    while (!(await isAsked())) await new Promise((resolve) => setTimeout(resolve, 10));
    return waiting.heard;
  });
  await extension.stopWorker();
  const afterDeath = await page.evaluate(() => wires.open().ask('lock'));

  // The values of two keys that are always written together. They are read each time the worker that writes them has died.
  const written: [left: number, right: number][] = [];
  for (let death = 0; death < DEATHS; death += 1) {
    await page.evaluate((turn) => wires.open().ask('write', turn), (written.at(-1)?.[0] ?? 0) + 1);
    await sleep(Math.random() * 60);
    await extension.stopWorker();
    written.push(
      await page.evaluate(async () => {
        const { left, right } = await wires.store.read(['left', 'right']);
        return [Number.parseInt(String(left), 10), Number.parseInt(String(right), 10)];
      }),
    );
  }

  expect({ whileHeld, afterDeath }).toEqual({ whileHeld: [], afterDeath: 'locked' });
  expect(written.filter(([left, right]) => left !== right)).toEqual([]);
  expect(written.at(-1)?.[0]).toBeGreaterThanOrEqual(DEATHS);
});

/** Waits until the worker was notified of at least `least` lost ports. Returns their number. */
function waitForLosses(page: View, least: number): Promise<number> {
  return page.waitFor(async (expected) => {
    const lost = Number(await wires.open().ask('lost'));
    return lost >= expected && lost;
  }, least);
}
