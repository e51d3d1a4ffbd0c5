import { expect, it } from 'vitest';

import { launchTestExtension, stores } from '../support/built-extension.ts';
import { storeCases } from '../support/store-suite.ts';

it.each(stores)('%s passes all cases of the suite for stores', async (_store, plugins) => {
  const extension = await launchTestExtension('core', plugins);
  const page = await extension.open('options.html');
  // The page takes the place of the background, which runs when it has answered.
  await page.evaluate(() => core.query('counter.read'));
  await extension.stopWorker();

  const outcomes: Record<string, unknown> = {};
  for (const name of Object.keys(storeCases)) {
    outcomes[name] = await page.evaluate((storeCase) => core.runStoreCase(storeCase), name);
  }

  const expected = Object.entries(storeCases).map(([name, storeCase]) => [name, storeCase.expected]);
  expect(outcomes).toEqual(Object.fromEntries(expected));
});

it('the background holds its lock until it ends', async () => {
  const extension = await launchTestExtension('core');
  const page = await extension.open('options.html');
  const isHeld = async () =>
    (await navigator.locks.query()).held?.some(({ name }) => name === 'background') ?? false;

  // The first write waits for the lock.
  await page.evaluate(() => core.mutate('counter.tick'));
  const whileAlive = await page.evaluate(isHeld);
  await extension.stopWorker();

  expect([whileAlive, await page.evaluate(isHeld)]).toEqual([true, false]);
});
