import { expect, it } from 'vitest';

import {
  buildTestExtension,
  copyBuiltExtension,
  launchOwnBrowser,
  launchTestExtension,
} from '../support/built-extension.ts';
import { useSession } from '../support/page-actions.ts';
import { writeFiles } from '../support/temporary-folder.ts';

it('state of a session does not outlive an update during a restart', async () => {
  const folder = await copyBuiltExtension({}, await buildTestExtension('core'));
  const extension = await launchOwnBrowser(folder);
  await useSession(extension);

  const updated = await extension.restart(() =>
    writeFiles(folder, { 'manifest.json': (text) => text.replace('"version":"1"', '"version":"2"') }),
  );

  expect(await useSession(updated)).toEqual([0, 1]);
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
