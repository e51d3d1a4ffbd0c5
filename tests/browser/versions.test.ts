import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, inject, it } from 'vitest';

import { projectFolder } from '../../scripts/project-folder.ts';
import { buildCoreExtension } from '../support/build-core-extension.ts';
import { launchBuiltExtension } from '../support/built-extension.ts';
import { createTemporaryFolder } from '../support/temporary-folder.ts';

it('keeps a document over an update, a downgrade and an update, and what cannot be read in quarantine', async () => {
  const folder = await createTemporaryFolder('versions');
  await putVersion(2, folder);
  const extension = await launchBuiltExtension(folder);
  const install = async (version: 2 | 3): Promise<void> => {
    await putVersion(version, folder);
    await extension.installExtension(folder);
  };
  const stored = async (key: string): Promise<unknown> => {
    const page = await extension.open('options.html');
    return page.evaluate(async (name) => (await chrome.storage.local.get(name))[name], key);
  };
  const store = async (items: Readonly<Record<string, unknown>>): Promise<void> => {
    const page = await extension.open('options.html');
    await page.evaluate((all) => chrome.storage.local.set(all), items);
    await extension.stopWorker();
  };
  const read = async (): Promise<unknown> => {
    const page = await extension.open('options.html');
    return page.evaluate(() => versioned.query('specimen.read'));
  };
  const append = async (line: string): Promise<boolean> => {
    const page = await extension.open('options.html');
    return page.evaluate((text) => versioned.mutate('specimen.append', text), line);
  };

  // Of version 1, as a release long ago has left it.
  await store({ specimen: { version: 1, data: { text: 'a\nb' } } });
  await append('old');
  expect(await stored('specimen'), 'migrated to the second version').toEqual({
    version: 2,
    data: { lines: ['a', 'b', 'old'] },
  });

  await install(3);
  await append('new');
  const newest = { lines: ['a', 'b', 'old', 'new'], color: 'red' };
  expect(await stored('specimen'), 'and by the update to the third').toEqual({ version: 3, data: newest });

  await install(2);
  expect(await read(), 'which the code before it does not know').toEqual({
    status: 'newer',
    data: { lines: [] },
  });
  expect(await append('lost?')).toBe(false);

  await install(3);
  expect(await read(), 'and leaves as it is').toEqual({ status: 'current', data: newest });

  await store({ specimen: { version: 3, data: 'eaten' }, other: 'kept' });
  expect(await read()).toMatchObject({ data: { lines: [], color: 'blue' } });
  await append('after');
  const { data } = (await stored('quarantine')) as { data: { document: string; text: string }[] };
  // Each browser has its own order of members.
  expect(data.map(({ document, text }) => [document, JSON.parse(text)])).toEqual([
    ['specimen', { version: 3, data: 'eaten' }],
  ]);
  expect(await stored('other')).toBe('kept');
});

/** Puts a version of the extension in the place of another: as the same extension, in an update or a downgrade. */
async function putVersion(version: 2 | 3, folder: string): Promise<void> {
  const source = join(projectFolder, 'tests/support/versioned-extension');
  const define = {
    name: `specimen-v${version}`,
    config: () => ({ define: { SPECIMEN_VERSION: String(version) } }),
  };
  await cp(await buildCoreExtension(inject('browserName'), source, [define]), folder, { recursive: true });
}
