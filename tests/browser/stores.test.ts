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

it('a store is taken until the background ends', async () => {
  const extension = await launchTestExtension('core');
  const page = await extension.open('options.html');
  await page.evaluate(() => core.mutate('counter.tick'));
  await page.evaluate(() => {
    void core
      .runStoreCase('is its own at once')
      .then((isOwn) => (document.title = `taken: ${String(isOwn)}`));
  });
  await page.evaluate(() => core.mutate('counter.tick'));
  const whileAlive = await page.evaluate(() => document.title);

  await extension.stopWorker();

  await page.waitFor(() => document.title === 'taken: true');
  expect(whileAlive).toBe('ready');
});
