import { access, chmod } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';

import { browserNames } from '../../scripts/browsers/find-browser.ts';
import { launchExtension } from '../../scripts/browsers/launch-extension.ts';
import { patience } from '../../scripts/browsers/running-extension.ts';
import { createTemporaryFolder, writeFiles } from '../support/temporary-folder.ts';

it.skipIf(process.platform === 'win32').each(browserNames)(
  'a start ends when %s does not answer, and the browser is killed',
  async (browser) => {
    const folder = await createTemporaryFolder('browser');
    const executable = join(folder, 'browser');
    const script = `require('fs').writeFileSync(__filename + '.started', '');\nsetInterval(() => {}, 1000);\n`;
    await writeFiles(folder, { browser: `#!${process.execPath}\n${script}` });
    await chmod(executable, 0o755);
    vi.stubEnv(`${browser.toUpperCase()}_PATH`, executable);
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => {
      vi.useRealTimers();
      vi.unstubAllEnvs();
    });

    const failure = launchExtension(browser, folder).catch(String);
    await vi.waitFor(() => access(`${executable}.started`));
    await vi.advanceTimersByTimeAsync(patience);

    expect(await failure).toContain('has not answered');
  },
);
