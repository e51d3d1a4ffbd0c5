import { cp } from 'node:fs/promises';
import { expect, it } from 'vitest';

import { buildWatchedExtension, launchBuiltExtension } from '../support/built-extension.ts';
import { createTemporaryFolder } from '../support/temporary-folder.ts';

/** Code that knows the second of the three versions of the specimen. */
const old = { name: 'old', config: () => ({ define: { IS_OLD: 'true' } }) };

it('keeps a document over an update, a downgrade and an update, and what cannot be read in quarantine', async () => {
  const folder = await createTemporaryFolder('versions');
  // In the place of the version before: as the same extension, in an update or a downgrade.
  const put = async (isOld: boolean): Promise<void> =>
    cp(await buildWatchedExtension(isOld ? [old] : []), folder, { recursive: true });
  await put(true);
  const extension = await launchBuiltExtension(folder);
  const install = async (isOld: boolean): Promise<void> => {
    await put(isOld);
    await extension.installExtension(folder);
  };
  const inPage = async <T>(run: (argument: unknown) => T | Promise<T>, argument?: unknown): Promise<T> => {
    const page = await extension.open('options.html');
    return page.evaluate(run, argument);
  };
  const stored = () => inPage(() => chrome.storage.local.get(['specimen', 'quarantine', 'other']));
  const store = async (items: object): Promise<void> => {
    await inPage((all) => chrome.storage.local.set(all as Record<string, unknown>), items);
    await extension.stopWorker();
  };
  const read = () => inPage(() => watched.query('specimen.read'));
  const append = (line: string) => inPage((text) => watched.mutate('specimen.append', String(text)), line);

  // Of version 1, as a release long ago has left it.
  await store({ specimen: { version: 1, data: { text: 'a\nb' } } });
  await append('old');
  expect((await stored())['specimen'], 'migrated to the second version').toEqual({
    version: 2,
    data: { lines: ['a', 'b', 'old'] },
  });

  await install(false);
  await append('new');
  const newest = { lines: ['a', 'b', 'old', 'new'], color: 'red' };
  expect((await stored())['specimen'], 'and by the update').toEqual({ version: 3, data: newest });

  await install(true);
  expect(await read(), 'which older code does not know').toEqual({ status: 'newer', data: { lines: [] } });
  expect(await append('lost?')).toBe(false);

  await install(false);
  expect(await read(), 'and leaves as it is').toEqual({ status: 'current', data: newest });

  await store({ specimen: { version: 3, data: 'eaten' }, other: 'kept' });
  expect(await read()).toMatchObject({ data: { lines: [], color: 'blue' } });
  await append('after');
  const { quarantine, other } = await stored();
  const { data } = quarantine as { data: { document: string; text: string }[] };
  // Each browser has its own order of members.
  expect(data.map(({ document, text }) => [document, JSON.parse(text)])).toEqual([
    ['specimen', { version: 3, data: 'eaten' }],
  ]);
  expect(other).toBe('kept');
});
