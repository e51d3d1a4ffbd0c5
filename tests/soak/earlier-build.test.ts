import { cp, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, inject, it } from 'vitest';

import { pollUntil } from '../../scripts/browsers/running-extension.ts';
import { git } from '../../scripts/git.ts';
import { projectFolder } from '../../scripts/project-folder.ts';
import { buildTestExtension, launchBuiltExtension } from '../support/built-extension.ts';
import { createTemporaryFolder } from '../support/temporary-folder.ts';

/** The last commit whose core kept events under `inbox`. */
const EARLIER = '81c862c0119164727046e93874502f5721baa229';

it('carries out each event once that a build with the earlier queue has noted before an update', async () => {
  const folder = await createTemporaryFolder('updated');
  await cp(await buildEarlier(), folder, { recursive: true });
  const extension = await launchBuiltExtension(folder);
  let page = await extension.open('options.html');
  // The client of the earlier build has another name.
  await page.evaluate(() =>
    (globalThis as { eventful?: typeof core }).eventful?.mutate('change.make', 'page'),
  );
  // While this page has the lock, events are noted and not carried out.
  await page.evaluate(() => void navigator.locks.request('state', () => new Promise(() => {})));
  const names = ['first', 'second', 'third#free', 'fourth'];
  await page.evaluate(
    (all) => Promise.all(all.map((name) => chrome.alarms.create(name, { when: Date.now() }))),
    names,
  );
  await page.waitFor(async (count) => {
    const keys = Object.keys(await chrome.storage.local.get(null));
    return keys.filter((key) => key.startsWith('inbox/')).length === count;
  }, names.length);
  await extension.stopWorker();

  await cp(await buildTestExtension('core'), folder, { recursive: true });
  await extension.installExtension(folder);
  page = await extension.open('options.html');

  const made = await pollUntil(async () => {
    const changes = await page.evaluate(() => core.query('change.list'));
    return Object.keys(changes).length > names.length && changes;
  }, 'the changes of the events');
  expect(made).toEqual({ first: 1, second: 1, third: 1, fourth: 1, page: 1 });
  await page.waitFor(
    async () => !Object.keys(await chrome.storage.local.get(null)).some((key) => key.startsWith('inbox')),
  );
});

/** Builds the test extension as it was in the earlier commit. Returns its folder. */
async function buildEarlier(): Promise<string> {
  const folder = await createTemporaryFolder('earlier');
  await git(folder, ['clone', '--quiet', '--no-checkout', projectFolder, '.']);
  // A clone without history lacks the commit: `git fetch --unshallow` adds it.
  await git(folder, ['checkout', '--quiet', EARLIER]);
  await symlink(join(projectFolder, 'node_modules'), join(folder, 'node_modules'), 'junction');
  const support = join(folder, 'tests/support');
  const { buildCoreExtension } = (await import(
    join(support, 'build-core-extension.ts')
  )) as typeof import('../support/build-core-extension.ts');
  return buildCoreExtension(inject('browserName'), join(support, 'event-extension'), {
    permissions: ['alarms', 'contextMenus'],
  });
}
