import { expect, inject, it } from 'vitest';

import { buildCoreExtension } from '../support/build-core-extension.ts';
import { followCounter } from '../support/follow-counter.ts';
import { launchBuiltExtension } from '../support/launch-built-extension.ts';
import { watchSleep } from '../support/watch-sleep.ts';

it('lets the worker sleep under open pages, and resumes their subscriptions when it wakes', async () => {
  const extension = await launchBuiltExtension(await buildCoreExtension(inject('browserName')));
  const pages = [await extension.open('popup.html'), await extension.open('options.html')];
  for (const page of pages) await page.evaluate(followCounter);
  await pages[1]?.evaluate(() => client.mutate('counter.add', 1));

  const { sleptAfter, wakeUps } = await watchSleep(extension, 60);
  const asleep = await Promise.all(
    pages.map((page) => page.evaluate(() => client.connection.state().status)),
  );
  const other = await extension.open('options.html');
  await other.evaluate(() => client.mutate('counter.add', 5));

  expect(sleptAfter).toBeLessThan(35_000);
  expect(wakeUps).toBe(0);
  expect(asleep).toEqual(['asleep', 'asleep']);
  for (const page of pages) {
    await page.waitFor(() => document.title === '6');
  }
});
