import { cp } from 'node:fs/promises';
import { expect, it } from 'vitest';

import type { Entries } from '../../src/messaging/state/store.ts';
import { buildTestExtension, launchBuiltExtension } from '../support/built-extension.ts';
import { createTemporaryFolder } from '../support/temporary-folder.ts';

/** Builds older code, which knows the second of the three versions of the specimen. */
const old = { name: 'old', config: () => ({ define: { IS_OLD: 'true' } }) };

it('keeps a document through an update, a downgrade and an update, and moves unreadable data to quarantine', async () => {
  const folder = await createTemporaryFolder('versions');
  // The build replaces the one before in the same folder, so that it is an update or a downgrade of the same extension.
  const put = async (isOld: boolean): Promise<void> =>
    cp(await buildTestExtension('watched', isOld ? [old] : []), folder, {
      recursive: true,
    });
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
  const stored = (key: string) =>
    inPage(async (name) => (await watched.store.read([String(name)]))[String(name)], key);
  const store = async (entries: Entries): Promise<void> => {
    await inPage((all) => watched.store.write(all as Entries), entries);
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

  // An early release has stored version 1.
  await store({ specimen: { version: 1, data: { text: 'a\nb' } } });
  await append('old');
  expect(await stored('specimen'), 'migrated to the second version').toEqual({
    version: 2,
    data: { lines: ['a', 'b', 'old'] },
  });

  await install(false);
  await append('new');
  const newest = { lines: ['a', 'b', 'old', 'new'], color: 'red' };
  expect(await stored('specimen'), 'migrated by the update').toEqual({ version: 3, data: newest });

  const changePair = (isSet: boolean) =>
    inPage((value) => watched.mutate('pair.change', { pair: 'a', isSet: Boolean(value) }), isSet);
  const records = () => inPage(() => watched.query('records.list'));
  await changePair(true);
  expect(await records()).toEqual(['a/left', 'a/right']);
  await changePair(false);

  await install(true);
  expect(await records(), 'removed records stay removed').toEqual([]);
  expect(await read(), 'older code shows the initial data').toEqual({ lines: [] });
  expect(await inspect()).toEqual({ readOnly: ['specimen'], unreadable: [] });
  expect(await append('lost?')).toEqual(['READ_ONLY', 'handled']);

  await install(false);
  expect(await records()).toEqual([]);
  expect(await read(), 'older code has changed nothing').toEqual(newest);
  expect(await inspect()).toEqual({ readOnly: [], unreadable: [] });

  await store({ specimen: { version: 3, data: 'eaten' }, other: 'kept' });
  expect(await read()).toEqual({ lines: [], color: 'blue' });
  await append('after');
  const texts = await inPage(async () => {
    const kept = await watched.store.read(await watched.store.list('quarantine/'));
    return Object.values(kept).map((value) => (value as { readonly text: string }).text);
  });
  expect(texts.map((text) => JSON.parse(text) as unknown)).toEqual([{ version: 3, data: 'eaten' }]);
  expect(await stored('other')).toBe('kept');
  expect(await stored('specimen')).toEqual({ version: 3, data: { lines: ['after'], color: 'blue' } });
  expect(await inspect()).toEqual({ readOnly: [], unreadable: ['specimen'] });
});
