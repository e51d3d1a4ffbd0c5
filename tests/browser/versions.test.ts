import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, inject, it } from 'vitest';

import { projectFolder } from '../../scripts/project-folder.ts';
import { buildCoreExtension } from '../support/build-core-extension.ts';
import { launchBuiltExtension } from '../support/built-extension.ts';
import { createTemporaryFolder } from '../support/temporary-folder.ts';
import { unstorableValues } from '../support/versioned-extension/specimen.ts';

it('keeps a document over an update, a downgrade and an update, and what cannot be read in quarantine', async () => {
  const folder = await createTemporaryFolder('versions');
  await putVersion(2, folder);
  const extension = await launchBuiltExtension(folder);
  const open = (): ReturnType<typeof extension.open> => extension.open('options.html');
  const stored = async (key: string): Promise<unknown> =>
    (await open()).evaluate(async (name) => (await chrome.storage.local.get(name))[name], key);
  const read = async (): Promise<unknown> => (await open()).evaluate(() => versioned.query('specimen.read'));
  const append = async (line: string): Promise<unknown> =>
    (await open()).evaluate((text) => versioned.mutate('specimen.append', text), line);
  const install = async (version: 2 | 3): Promise<void> => {
    await putVersion(version, folder);
    await extension.installExtension(folder);
  };

  // Of version 1, as a release long ago has left it.
  await (
    await open()
  ).evaluate(() => chrome.storage.local.set({ specimen: { version: 1, data: { text: 'a\nb' } } }));
  await extension.stopWorker();
  await append('old');
  expect(await stored('specimen'), 'migrated to the second version').toEqual({
    version: 2,
    data: { lines: ['a', 'b', 'old'] },
  });

  await install(3);
  await append('new');
  expect(await stored('specimen'), 'and by the update to the third').toEqual({
    version: 3,
    data: { lines: ['a', 'b', 'old', 'new'], color: 'red' },
  });

  await install(2);
  expect(await read(), 'which the code before it does not know').toEqual({
    status: 'newer',
    data: { lines: [] },
  });
  expect(await append('lost?')).toBe(false);

  await install(3);
  expect(await read(), 'and leaves as it is').toEqual({
    status: 'current',
    data: { lines: ['a', 'b', 'old', 'new'], color: 'red' },
  });

  await (
    await open()
  ).evaluate(() => chrome.storage.local.set({ specimen: { version: 3, data: 'eaten' }, other: 'kept' }));
  await extension.stopWorker();
  expect(await read()).toMatchObject({ data: { lines: [], color: 'blue' } });
  await append('after');
  const { data } = (await stored('quarantine')) as { data: { document: string; text: string }[] };
  // Each browser has its own order of members.
  expect(data.map(({ document, text }) => [document, JSON.parse(text)])).toEqual([
    ['specimen', { version: 3, data: 'eaten' }],
  ]);
  expect(await stored('other')).toBe('kept');
});

it('refuses to store values that are not JSON, in the same words in both browsers', async () => {
  const extension = await launchBuiltExtension(await buildVersion(3));
  const page = await extension.open('options.html');

  const refusals: Record<string, string> = {};
  for (const name of Object.keys(unstorableValues())) {
    refusals[name] = await page.evaluate((value) => versioned.mutate('specimen.spoil', value), name);
  }

  expect(refusals).toEqual({
    NaN: 'JsonError: spoilt NaN is not JSON',
    '-0': 'JsonError: spoilt.0 -0 is not JSON',
    Infinity: 'JsonError: spoilt.below Infinity is not JSON',
    '-Infinity': 'JsonError: spoilt -Infinity is not JSON',
    function: 'JsonError: spoilt function is not JSON',
    BigInt: 'JsonError: spoilt bigint is not JSON',
    Date: 'JsonError: spoilt an instance of a class is not JSON',
    Map: 'JsonError: spoilt an instance of a class is not JSON',
    cycle: expect.stringMatching(/^JsonError: spoilt\.self\.self.* more than 90 levels$/),
    'lone surrogate': 'JsonError: spoilt a lone surrogate is not JSON',
    'undefined member': 'JsonError: spoilt.gone undefined is not JSON',
    'inherited name': 'JsonError: spoilt.below.toString a member of this name cannot be stored',
  });
  expect(await page.evaluate(() => chrome.storage.local.get('spoilt'))).toEqual({});
});

function buildVersion(version: 2 | 3): Promise<string> {
  const source = join(projectFolder, 'tests/support/versioned-extension');
  const define = {
    name: `specimen-v${version}`,
    config: () => ({ define: { SPECIMEN_VERSION: String(version) } }),
  };
  return buildCoreExtension(inject('browserName'), source, [define]);
}

/** Puts a version of the extension in the place of another: as the same extension, in an update or a downgrade. */
async function putVersion(version: 2 | 3, folder: string): Promise<void> {
  await cp(await buildVersion(version), folder, { recursive: true, force: true });
}
