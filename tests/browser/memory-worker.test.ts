import { setTimeout as sleep } from 'node:timers/promises';
import { expect, inject, it } from 'vitest';

import type { RunningExtension, View } from '../../scripts/browsers/running-extension.ts';
import { launchWires } from '../support/built-extension.ts';

// What tests/support/memory-world.ts claims of workers, locks and storage.

it('ends workers as the memory world claims', async () => {
  const { extension, page } = await launchWires();

  expect(await livesAround(extension, page), 'its ports are closed, its globals are gone').toEqual({
    before: 2,
    after: 1,
  });
  expect(await lockAround(extension, page), 'one has the lock at a time, and death frees it').toEqual({
    whileHeld: [],
    afterDeath: 'locked',
  });
  const written = await writtenOverDeaths(extension, page, 8);
  expect(
    written.filter(([left, right]) => left !== right),
    'several keys are one write',
  ).toEqual([]);
  expect(written.at(-1)?.[0]).toBeGreaterThanOrEqual(8);
});

// Firefox knows no quota for an extension's storage, and writes `{}` for what it cannot copy: it refuses nothing.
it.runIf(inject('browserName') === 'chromium')('has written nothing of a write over the quota', async () => {
  const { page } = await launchWires();

  const outcome = await page.evaluate(() =>
    wires.store.write({ good: 1, bad: 'x'.repeat(11_000_000) }).then(
      () => 'written',
      () => 'refused',
    ),
  );

  expect(outcome).toBe('refused');
  expect(await page.evaluate(() => wires.store.readAll())).toEqual({});
});

/** How often this worker and the next were asked. */
async function livesAround(
  extension: RunningExtension,
  page: View,
): Promise<{ before: unknown; after: unknown }> {
  const before = await page.evaluate(async () => {
    wires.kept.push(wires.open(), wires.open());
    await Promise.all(wires.kept.map(({ ask }) => ask('echo', 1)));
    await wires.open().ask('count');
    return wires.open().ask('count');
  });
  await extension.stopWorker();
  await page.waitFor(() => wires.kept.every(({ isLost }) => isLost()));
  return { before, after: await page.evaluate(() => wires.open().ask('count')) };
}

async function lockAround(
  extension: RunningExtension,
  page: View,
): Promise<{ whileHeld: readonly unknown[]; afterDeath: unknown }> {
  const whileHeld = await page.evaluate(async () => {
    await wires.open().ask('lock', 'for ever');
    const waiting = wires.open();
    waiting.order('lock');
    const isAsked = async (): Promise<boolean> => (await navigator.locks.query()).pending?.length === 1;
    while (!(await isAsked())) await new Promise((resolve) => setTimeout(resolve, 10));
    return waiting.heard;
  });
  await extension.stopWorker();
  return { whileHeld, afterDeath: await page.evaluate(() => wires.open().ask('lock')) };
}

/** What two keys that are written together hold after each death of the worker that writes them. */
async function writtenOverDeaths(
  extension: RunningExtension,
  page: View,
  deaths: number,
): Promise<[left: number, right: number][]> {
  const written: [number, number][] = [];
  for (let death = 0; death < deaths; death += 1) {
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
  return written;
}
