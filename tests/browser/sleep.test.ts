import { setTimeout as sleep } from 'node:timers/promises';
import { expect, inject, it } from 'vitest';

import { pollUntil } from '../../scripts/browsers/running-extension.ts';
import type { RunningExtension } from '../../scripts/browsers/running-extension.ts';
import { buildCoreExtension } from '../support/build-core-extension.ts';
import { launchBuiltExtension } from '../support/built-extension.ts';
import { followCounter } from '../support/page-actions.ts';

/** Seconds for which nothing must wake the worker. */
const SECONDS = inject('isSoak') ? 300 : 60;

it('lets the worker sleep under open pages, and resumes their subscriptions when it wakes', async () => {
  const extension = await launchBuiltExtension(await buildCoreExtension(inject('browserName')));
  // Its port is opened by its first call.
  const other = await extension.open('options.html');
  const options = await extension.open('options.html');
  const popup = await extension.openPopup();
  for (const page of [options, popup]) await page.evaluate(followCounter);
  await options.evaluate(() => client.mutate('counter.add', 1));

  const { sleptAfter, wakeUps } = await watchSleep(extension, SECONDS);
  const asleep = [options, popup].map((page) => page.evaluate(() => client.connection.state().status));

  console.log(`measured: ${inject('browserName')}: ${JSON.stringify({ sleptAfter, wakeUps, SECONDS })}`);
  expect(wakeUps).toBe(0);
  expect(await Promise.all(asleep)).toEqual(['asleep', 'asleep']);
  await other.evaluate(() => client.mutate('counter.add', 5));
  for (const page of [options, popup]) await page.waitFor(() => document.title === '6');
});

/** How a worker slept under open pages. */
interface Sleep {
  /** Milliseconds from the last call until the worker was stopped. */
  readonly sleptAfter: number;
  /** Seconds, of those that were watched, at which it ran again. */
  readonly wakeUps: number;
}

/** Waits for the worker to sleep, and then watches for so many seconds whether anything wakes it. */
async function watchSleep(extension: RunningExtension, seconds: number): Promise<Sleep> {
  const lastCall = performance.now();
  await pollUntil(async () => !(await extension.isWorkerRunning()), 'the worker to sleep');
  const sleptAfter = Math.round(performance.now() - lastCall);

  let wakeUps = 0;
  for (let second = 0; second < seconds; second += 1) {
    await sleep(1_000);
    if (await extension.isWorkerRunning()) wakeUps += 1;
  }
  return { sleptAfter, wakeUps };
}
