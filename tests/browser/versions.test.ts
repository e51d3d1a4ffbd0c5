import { cp } from 'node:fs/promises';
import { expect, it } from 'vitest';

import { buildTestExtension, launchBuiltExtension } from '../support/built-extension.ts';
import { createTemporaryFolder } from '../support/temporary-folder.ts';

/** Builds older code, which knows the second of the three versions of the specimen. */
const old = { name: 'old', config: () => ({ define: { IS_OLD: 'true' } }) };

it('keeps a document through an update, a downgrade and an update', async () => {
  // A build that replaces the one before in the same folder is an update or a downgrade of the same extension.
  const folder = await createTemporaryFolder('versions');
  const put = async (plugins: readonly (typeof old)[]): Promise<void> =>
    cp(await buildTestExtension('core', plugins), folder, { recursive: true });
  await put([old]);
  const extension = await launchBuiltExtension(folder);

  /** Appends a line. Returns the error if it is refused, the lines that pages see, and what is stored. */
  const append = async (line: string) => {
    const page = await extension.open('options.html');
    return page.evaluate(async (text) => {
      const refusal = await core.mutate('specimen.append', text).catch((error: unknown) => String(error));
      const { specimen } = await chrome.storage.local.get('specimen');
      const { lines } = await core.query('specimen.read');
      return { refusal, lines, specimen };
    }, line);
  };
  const install = async (plugins: readonly (typeof old)[]): Promise<void> => {
    await put(plugins);
    await extension.installExtension(folder);
  };

  // An early release has stored version 1.
  const page = await extension.open('options.html');
  await page.evaluate(() => chrome.storage.local.set({ specimen: { version: 1, data: { text: 'a\nb' } } }));
  await extension.stopWorker();
  const first = await append('old');
  await install([]);
  const updated = await append('new');
  await install([old]);
  const downgraded = await append('lost?');
  await install([]);
  const last = await append('last');

  expect(first.specimen).toEqual({ version: 2, data: { lines: ['a', 'b', 'old'] } });
  const newest = { version: 3, data: { lines: ['a', 'b', 'old', 'new'], color: 'red' } };
  expect(updated.specimen).toEqual(newest);
  // Older code shows the initial data, and changes nothing.
  expect(downgraded).toEqual({
    refusal: expect.stringContaining('READ_ONLY'),
    lines: [],
    specimen: newest,
  });
  expect(last.lines).toEqual(['a', 'b', 'old', 'new', 'last']);
});
