import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';

import { pollUntil, type View } from '../../scripts/browsers/running-extension.ts';
import { buildTestExtension, launchOwnBrowser } from '../support/built-extension.ts';
import { startService } from '../support/request-service.ts';

it('after a restart of the browser, stored state is there, state of the session is gone, and tasks continue', async () => {
  let isHanging = true;
  const service = await startService(async () => {
    while (isHanging) await sleep(50);
  });
  let extension = await launchOwnBrowser(await buildTestExtension('core'));
  let page = await extension.open('options.html');
  await page.evaluate(async (address) => {
    await core.mutate('active.set', 7);
    await core.mutate('ledger.append', 'line');
    await core.mutate('request.send', { name: 'task', address, delay: 0 });
  }, service.address);
  await pollUntil(async () => service.requests.size > 0, 'the first request');
  const before = await readStates(page);

  extension = await extension.restart();
  isHanging = false;
  page = await extension.open('options.html');
  const after = await readStates(page);
  const settled = await page.waitFor(async () => {
    const all = await core.query('request.settled');
    return 'task' in all && all;
  });

  expect([before, after]).toEqual([
    [7, 1],
    [0, 1],
  ]);
  expect(settled).toEqual({ task: { done: 1, failed: 0 } });
  // Both requests have the same key.
  expect(new Set(service.requests.get('task')?.map(({ key }) => key)).size).toBe(1);
});

function readStates(page: View): Promise<readonly number[]> {
  return page.evaluate(async () => [await core.query('active.read'), (await core.query('ledger.read')).size]);
}
