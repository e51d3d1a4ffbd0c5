import { cp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';

import { buildTestExtension, launchOwnBrowser } from '../support/built-extension.ts';
import { createTemporaryFolder } from '../support/temporary-folder.ts';

// `storage.session` does not tell a restart of the browser from an update of the extension: it is empty after both.
it('state of a session outlives the worker, but not a restart or an update', async () => {
  const folder = await createTemporaryFolder('session');
  await cp(await buildTestExtension('watched'), folder, { recursive: true });
  const manifest = join(folder, 'manifest.json');
  const update = async (version: string): Promise<void> => {
    const text = await readFile(manifest, 'utf8');
    await writeFile(manifest, text.replace(/"version":"\d"/, `"version":"${version}"`));
  };
  let extension = await launchOwnBrowser(folder);
  const seen: Record<string, unknown> = {};
  const look = async (when: string): Promise<void> => {
    const page = await extension.open('options.html');
    seen[when] = await page.evaluate(async () => {
      const before = [await watched.query('active.read'), (await watched.query('ledger.read')).size];
      await watched.mutate('active.set', 7);
      await watched.mutate('ledger.append', 'line');
      return before.join();
    });
    await page.close();
  };

  await look('at first');
  await extension.stopWorker();
  await look('after the worker has died');
  extension = await extension.restart();
  await look('after a restart');
  await update('2');
  await extension.installExtension(folder);
  await look('after an update');
  extension = await extension.restart(() => update('3'));
  await look('after an update during a restart');

  expect(seen).toEqual({
    'at first': '0,0',
    'after the worker has died': '7,1',
    'after a restart': '0,2',
    'after an update': '0,3',
    'after an update during a restart': '0,4',
  });
});
