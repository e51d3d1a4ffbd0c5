import { readdir } from 'node:fs/promises';
import { expect, it, onTestFinished, vi } from 'vitest';

import { launchExtension } from '../../scripts/browsers/launch-extension.ts';
import { createTemporaryFolder } from '../support/temporary-folder.ts';

it.each(['chromium', 'firefox'] as const)(
  'removes the new profile when %s does not start',
  async (browser) => {
    const folder = await createTemporaryFolder('profiles');
    onTestFinished(() => void vi.unstubAllEnvs());
    for (const name of ['TMPDIR', 'TEMP']) vi.stubEnv(name, folder);
    // Node.js rejects the arguments of a browser.
    for (const name of ['CHROMIUM_PATH', 'FIREFOX_PATH']) vi.stubEnv(name, process.execPath);

    await expect(launchExtension(browser, folder)).rejects.toThrow();

    expect(await readdir(folder)).toEqual([]);
  },
);
