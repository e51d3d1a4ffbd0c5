import { expect, inject, it } from 'vitest';

import { buildCoreExtension } from '../support/build-core-extension.ts';
import { launchBuiltExtension } from '../support/launch-built-extension.ts';
import { watchSleep } from '../support/watch-sleep.ts';

const SECONDS = 300;

it('lets the worker sleep for 5 minutes under the open popup and options page', async () => {
  const extension = await launchBuiltExtension(await buildCoreExtension(inject('browserName')));
  const options = await extension.open('options.html');
  const popup = await extension.openPopup();
  for (const page of [options, popup]) {
    await page.evaluate(() => void client.subscribe('counter.watch').next());
    await page.evaluate(() => client.query('counter.read'));
  }

  const { sleptAfter, wakeUps } = await watchSleep(extension, SECONDS);
  const states = [options, popup].map((page) => page.evaluate(() => client.connection.state().status));

  console.log(`measured: ${inject('browserName')}: ${JSON.stringify({ sleptAfter, wakeUps, SECONDS })}`);
  expect(sleptAfter).toBeLessThan(35_000);
  expect(wakeUps).toBe(0);
  // The popup is still there to be asked.
  expect(await Promise.all(states)).toEqual(['asleep', 'asleep']);
});
