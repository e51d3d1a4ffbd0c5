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
  const stored = () => inPage(() => chrome.storage.local.get(null));
  const store = async (items: object): Promise<void> => {
    await inPage((all) => chrome.storage.local.set(all as Record<string, unknown>), items);
    await extension.stopWorker();
  };
  const read = () => inPage(() => watched.query('specimen.read'));
  const inspect = () => inPage(() => watched.query('state.inspect'));
  const append = (line: string) =>
    inPage(
      (text) =>
        watched.mutate('specimen.append', String(text)).catch((error: unknown) => {
          const { code, delivery } = error as { code: string; delivery: string };
          return [code, delivery];
        }),
      line,
    );

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
  expect(await read(), 'which older code does not know').toEqual({ lines: [] });
  expect(await inspect()).toEqual({ readOnly: ['specimen'], unreadable: [] });
  expect(await append('lost?')).toEqual(['READ_ONLY', 'handled']);

  await install(false);
  expect(await read(), 'and leaves as it is').toEqual(newest);
  expect(await inspect()).toEqual({ readOnly: [], unreadable: [] });

  await store({ specimen: { version: 3, data: 'eaten' }, other: 'kept' });
  expect(await read()).toEqual({ lines: [], color: 'blue' });
  await append('after');
  const { other, specimen, ...rest } = await stored();
  const kept = Object.entries(rest).filter(([key]) => key.startsWith('quarantine/'));
  expect(kept.map(([, value]) => JSON.parse((value as { text: string }).text) as unknown)).toEqual([
    { version: 3, data: 'eaten' },
  ]);
  expect({ other, specimen }).toEqual({
    other: 'kept',
    specimen: { version: 3, data: { lines: ['after'], color: 'blue' } },
  });
  expect(await inspect()).toEqual({ readOnly: [], unreadable: ['specimen'] });
});
