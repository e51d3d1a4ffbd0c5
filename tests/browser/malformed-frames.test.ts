import { expect, inject, it } from 'vitest';

import { launchTestExtension } from '../support/built-extension.ts';

const FRAMES = { daily: 1_000, release: 2_000, soak: 100_000 }[inject('size')];

/** Larger runs also send frames of many MiB. */
const hasHuge = inject('size') !== 'daily';

/** Frames for each call into the page. The call must end within the time limit of the driver. */
const PORTION = 5_000;

it('answers thousands of malformed frames with typed errors or not at all, and runs no handler', async () => {
  const extension = await launchTestExtension('core');
  const page = await extension.open('options.html');
  await page.evaluate(() => core.sendMalformed(1_000, false));
  const before = await page.evaluate(() => core.query('worker.facts'));
  const heapBefore = (await extension.measureWorkerHeap()) ?? 0;

  const reports = [];
  for (let sent = 0; sent < FRAMES; sent += PORTION) {
    const portion = [Math.min(PORTION, FRAMES - sent), sent === 0 && hasHuge] as const;
    reports.push(await page.evaluate((...args) => core.sendMalformed(...args), ...portion));
  }

  const after = await page.evaluate(() => core.query('worker.facts'));
  const heapGrowth = ((await extension.measureWorkerHeap()) ?? 0) - heapBefore;
  console.log(`measured: ${inject('browserName')}: ${JSON.stringify({ FRAMES, heapGrowth })}`);
  expect(reports.reduce((sum, { sent }) => sum + sent, 0)).toBe(FRAMES);
  expect(reports.every(({ isPortOpen }) => isPortOpen)).toBe(true);
  // No handler has run, because it would have answered with something else.
  expect(new Set(reports.flatMap(({ answers }) => answers))).toEqual(
    new Set(['INVALID_INPUT', 'NOT_JSON', ...(hasHuge ? ['TOO_LARGE'] : []), 'UNKNOWN_PROCEDURE']),
  );
  // It is the same worker.
  expect(after).toEqual({ ...before, uncaught: [], isPolluted: false });
  expect(await extension.readConsole()).toEqual([]);
  expect(heapGrowth).toBeLessThan(1024 * 1024);
});
