import { expect, it } from 'vitest';

import { buildTestExtension, copyBuiltExtension, launchBuiltExtension } from '../support/built-extension.ts';
import { useSession } from '../support/page-actions.ts';

// `storage.session` does not tell a restart of the browser from an update of the extension: it is empty after both.
// tests/browser/restart.test.ts shows a restart.
it('state of a session outlives the worker, but not an update', async () => {
  const folder = await copyBuiltExtension({}, await buildTestExtension('core'));
  const extension = await launchBuiltExtension(folder);

  expect(await useSession(extension), 'at first').toEqual([0, 0]);
  await extension.stopWorker();
  expect(await useSession(extension), 'after the worker has died').toEqual([7, 1]);
  await extension.installExtension(folder);
  expect(await useSession(extension), 'after an update').toEqual([0, 2]);
});
