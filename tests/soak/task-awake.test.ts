import { setTimeout as sleep } from 'node:timers/promises';
import { expect, inject, it } from 'vitest';

import { pollUntil } from '../../scripts/browsers/running-extension.ts';
import { launchTestExtension } from '../support/built-extension.ts';
import { startService } from '../support/request-service.ts';

/** Seconds that a task runs. Both browsers stop a background that has been idle for 30 seconds. */
const SECONDS = 70;

// https://github.com/w3c/webextensions/issues/1016
it('stays awake for a query with a long timeout', async () => {
  const service = await startService(() => sleep(SECONDS * 1_000));
  const extension = await launchTestExtension('core');
  const page = await extension.open('options.html');

  await page.evaluate((address) => core.query('request.ask', address, { timeout: 300_000 }), service.address);

  expect(service.requests.get('asked')).toHaveLength(1);
});

it('stays awake while a task runs, and sleeps afterwards', async () => {
  let answeredAt = 0;
  const service = await startService(async () => {
    await sleep(SECONDS * 1_000);
    answeredAt = performance.now();
  });
  const extension = await launchTestExtension('core');
  const page = await extension.open('options.html');
  await page.evaluate(
    (address) => core.mutate('request.send', { name: 'slow', address, delay: 0 }),
    service.address,
  );

  // The page makes no call, and a question to the browser keeps nothing awake.
  await pollUntil(async () => answeredAt > 0 || !(await extension.isWorkerRunning()), 'the answer');
  expect(await extension.isWorkerRunning()).toBe(true);
  await pollUntil(async () => !(await extension.isWorkerRunning()), 'the worker to sleep');

  const sleptAfter = Math.round(performance.now() - answeredAt);
  console.log(`measured: ${inject('browserName')}: ${JSON.stringify({ SECONDS, sleptAfter })}`);
  expect(service.requests.get('slow')).toHaveLength(1);
  expect(await page.evaluate(() => core.query('request.settled'))).toEqual({
    slow: { done: 1, failed: 0 },
  });
});
