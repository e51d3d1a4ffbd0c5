import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';

import { buildTestExtension, copyBuiltExtension, launchBuiltExtension } from '../support/built-extension.ts';

it('takes what an earlier extension has stored in its own shape once, at the update that replaces it', async () => {
  const built = await buildTestExtension('core');
  const folder = await copyBuiltExtension({ 'worker.js': '' }, built);
  const extension = await launchBuiltExtension(folder);
  let page = await extension.open('options.html');
  await page.evaluate(() => chrome.storage.local.set({ lines: ['first', 'second'], other: 1 }));

  await cp(join(built, 'worker.js'), join(folder, 'worker.js'));
  await extension.installExtension(folder);
  page = await extension.open('options.html');
  await page.evaluate(() => core.mutate('ledger.append', 'third'));
  // If the data of the earlier extension comes back, it is not taken again.
  await page.evaluate(() => chrome.storage.local.set({ lines: ['again'] }));
  await extension.stopWorker();

  const entries = ['first', 'second', 'third'];
  expect(await page.evaluate(() => core.query('ledger.read'))).toEqual({ entries, size: 3 });
  expect(await page.evaluate(() => chrome.storage.local.get(['lines', 'other', 'ledger']))).toEqual({
    lines: ['again'],
    other: 1,
    ledger: { version: 1, data: entries },
  });
});
