import { cp } from 'node:fs/promises';
import { expect, it } from 'vitest';

import { buildTestExtension, launchOwnBrowser, launchTestExtension } from '../support/built-extension.ts';
import { createTemporaryFolder, writeFiles } from '../support/temporary-folder.ts';

// `storage.session` does not tell a restart of the browser from an update of the extension: it is empty after both.
it('state of a session outlives the worker, but not a restart or an update', async () => {
  const folder = await createTemporaryFolder('session');
  await cp(await buildTestExtension('core'), folder, { recursive: true });
  const update = (version: string): Promise<void> =>
    writeFiles(folder, {
      'manifest.json': (text) => text.replace(/"version":"\d"/, `"version":"${version}"`),
    });
  let extension = await launchOwnBrowser(folder);
  /** Sets state of a session to 7, and adds an entry to other state. Returns both from before. */
  const look = async (): Promise<unknown> => {
    const page = await extension.open('options.html');
    return page.evaluate(async () => {
      const before = [await core.query('active.read'), (await core.query('ledger.read')).size];
      await core.mutate('active.set', 7);
      await core.mutate('ledger.append', 'line');
      return before;
    });
  };

  expect(await look(), 'at first').toEqual([0, 0]);
  await extension.stopWorker();
  expect(await look(), 'after the worker has died').toEqual([7, 1]);
  extension = await extension.restart();
  expect(await look(), 'after a restart').toEqual([0, 2]);
  await update('2');
  await extension.installExtension(folder);
  expect(await look(), 'after an update').toEqual([0, 3]);
  extension = await extension.restart(() => update('3'));
  expect(await look(), 'after an update during a restart').toEqual([0, 4]);
});

it.each(['awake', 'asleep'])(
  'state of a session outlives the removal of all of `storage.session` while the background is %s',
  async (status) => {
    const extension = await launchTestExtension('core');
    const page = await extension.open('options.html');
    await page.evaluate(() => core.mutate('active.set', 7));
    if (status === 'asleep') await extension.stopWorker();

    const first = await page.evaluate(async () => {
      await chrome.storage.session.clear();
      return core.query('active.read');
    });
    await page.waitFor(async () => Object.keys(await chrome.storage.session.get()).length > 0);
    await extension.stopWorker();

    expect([first, await page.evaluate(() => core.query('active.read'))]).toEqual([7, 7]);
  },
);

it('state of a session is used although other code has filled `storage.session`', async () => {
  const extension = await launchTestExtension('core');
  const page = await extension.open('options.html');
  await page.evaluate(async () => {
    for (let size = 8 * 1024 * 1024, key = 0; size >= 1; size /= 2, key += 1) {
      const fill = chrome.storage.session.set({ [`fill/${key}`]: 'x'.repeat(size) });
      await fill.catch(() => {});
    }
  });

  await page.evaluate(() => core.mutate('active.set', 7));

  expect(await page.evaluate(() => core.query('active.read'))).toBe(7);
});
