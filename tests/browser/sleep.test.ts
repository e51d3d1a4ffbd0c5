import { setTimeout as sleep } from 'node:timers/promises';
import { expect, inject, it } from 'vitest';

import type { RunningExtension } from '../../scripts/browsers/running-extension.ts';
import { pages } from '../../src/callers.ts';
import { launchOwnBrowser, launchTestExtension } from '../support/built-extension.ts';
import { followCounter } from '../support/page-actions.ts';

/** Seconds for which the worker must stay asleep. */
const SECONDS = inject('isSoak') ? 300 : 20;

it('lets the worker sleep while pages are open, and resumes their subscriptions when it wakes', async () => {
  const [extension, product] = await Promise.all([launchTestExtension('watched'), launchOwnBrowser()]);
  // This page has no port before its first call.
  const other = await extension.open('options.html');
  const options = await extension.open('options.html');
  const popup = await extension.openPopup();
  for (const page of [options, popup]) await page.evaluate(followCounter);
  await options.evaluate(() => watched.mutate('counter.add', 1));

  const productPages = [await product.open(pages.options), await product.openPopup()];
  for (const page of productPages) await page.waitFor(() => document.body.textContent.includes('Ready'));

  const [rest, productRest] = await Promise.all([restOf(extension), restOf(product)]);
  const asleep = [options, popup].map((page) => page.evaluate(() => watched.connection.state().status));

  console.log(`measured: ${inject('browserName')}: ${JSON.stringify({ rest, productRest, SECONDS })}`);
  expect([rest.wakeUps, productRest.wakeUps]).toEqual([0, 0]);
  expect(await Promise.all(asleep)).toEqual(['asleep', 'asleep']);
  await other.evaluate(() => watched.mutate('counter.add', 5));
  for (const page of [options, popup]) await page.waitFor(() => document.title === '6');
  // The popup shows the state of the background only after a failure, but its element is in the document.
  for (const page of productPages) {
    expect(await page.evaluate(() => document.body.textContent)).toContain('Idle until needed');
  }
});

/** Waits until the worker sleeps. Returns how long that took in ms, and in how many of the next seconds it was awake. */
async function restOf(extension: RunningExtension) {
  const start = performance.now();
  // One question a second is enough, because the browser ends an idle worker after half a minute.
  while (await extension.isWorkerRunning()) await sleep(1_000);
  const sleptAfter = Math.round(performance.now() - start);
  let wakeUps = 0;
  for (let second = 0; second < SECONDS; second += 1) {
    await sleep(1_000);
    if (await extension.isWorkerRunning()) wakeUps += 1;
  }
  return { sleptAfter, wakeUps };
}
