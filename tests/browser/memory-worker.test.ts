import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';

import { launchWires } from '../support/built-extension.ts';

// What tests/support/memory-world.ts claims of workers, locks and storage.

const DEATHS = 8;

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

  // What two keys hold, that are written together again and again, after each death of the worker that writes them.
  const written: [left: number, right: number][] = [];
  for (let death = 0; death < DEATHS; death += 1) {
    await page.evaluate((turn) => wires.open().ask('write', turn), (written.at(-1)?.[0] ?? 0) + 1);
    await sleep(Math.random() * 60);
    await extension.stopWorker();
    written.push(
      await page.evaluate(async () => {
        const [left, right] = [await wires.store.read('left'), await wires.store.read('right')];
        return [Number.parseInt(String(left), 10), Number.parseInt(String(right), 10)];
      }),
    );
  }

  expect({ whileHeld, afterDeath }).toEqual({ whileHeld: [], afterDeath: 'locked' });
  expect(written.filter(([left, right]) => left !== right)).toEqual([]);
  expect(written.at(-1)?.[0]).toBeGreaterThanOrEqual(DEATHS);
});
