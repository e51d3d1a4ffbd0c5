import { expect, it } from 'vitest';

import { launchTestExtension, stores } from '../support/built-extension.ts';
import { storeCases } from '../support/store-suite.ts';

it.each(stores)('%s passes all cases of the suite for stores', async (_store, plugins) => {
  const page = await (await launchTestExtension('core', plugins)).open('options.html');

  const outcomes: Record<string, unknown> = {};
  for (const name of Object.keys(storeCases)) {
    outcomes[name] = await page.evaluate((storeCase) => core.runStoreCase(storeCase), name);
  }

  const expected = Object.entries(storeCases).map(([name, storeCase]) => [name, storeCase.expected]);
  expect(outcomes).toEqual(Object.fromEntries(expected));
});
