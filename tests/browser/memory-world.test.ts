import { setTimeout as sleep } from 'node:timers/promises';
import { expect, inject, it } from 'vitest';

import type { View } from '../../scripts/browsers/running-extension.ts';
import { launchWires } from '../support/built-extension.ts';
import { createPortPair } from '../support/memory-world.ts';
import { awkwardValues, describeCopy } from '../support/wire-extension/values.ts';

// The claims of tests/support/memory-world.ts about ports, workers, locks and storage. Its claims about senders are in
// tests/browser/senders.test.ts: a server refuses those of which the browser does not say everything.

const isChromium = inject('browserName') === 'chromium';

const DEATHS = 8;

it('copies a message as the memory world does', async () => {
  const { page } = await launchWires();
  const [near, far] = createPortPair(isChromium ? 'json' : 'clone');
  const arrived = new Promise<unknown>((resolve) => near.onMessage(resolve));
  far.post(awkwardValues());

  const described = await page.evaluate(() => wires.open().ask('describe', wires.awkwardValues()));

  // As what the page says comes back.
  expect(described).toEqual(JSON.parse(JSON.stringify(describeCopy(await arrived))));
});

it('carries messages whole and in order, up to a disconnect, which notifies the other end alone', async () => {
  const { extension, page } = await launchWires();

  const echoed = await page.evaluate(async () => {
    const { order, ask, heard } = wires.open();
    // Every fiftieth is a large one.
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
  const lostByLeaving = await lossesTold(page, 1);
  const isOwnEndTold = await page.evaluate(() => wires.kept.some(({ isLost }) => isLost()));
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
  expect({ lostByLeaving, isOwnEndTold }).toEqual({ lostByLeaving: 1, isOwnEndTold: false });
  expect(await lossesTold(page, 2), 'a closed page notifies the worker').toBe(2);
});

it('ends a worker with its ports and its globals', async () => {
  const { extension, page } = await launchWires();
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

it('gives one at a time the lock, frees it by death, and writes several keys as one', async () => {
  const { extension, page } = await launchWires();
  const whileHeld = await page.evaluate(async () => {
    await wires.open().ask('lock', 'for ever');
    const waiting = wires.open();
    waiting.order('lock');
    const isAsked = async (): Promise<boolean> => (await navigator.locks.query()).pending?.length === 1;
    while (!(await isAsked())) await new Promise((resolve) => setTimeout(resolve, 10));
    return waiting.heard;
  });
  await extension.stopWorker();
  const afterDeath = await page.evaluate(() => wires.open().ask('lock'));

  // Values of two keys that are always written together, read after each death of the worker that writes them.
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

/** Resolves to the number of lost ends that the worker knows of, when it is at least `least`. */
function lossesTold(page: View, least: number): Promise<number> {
  return page.waitFor(async (expected) => {
    const told = Number(await wires.open().ask('lost'));
    return told >= expected && told;
  }, least);
}
