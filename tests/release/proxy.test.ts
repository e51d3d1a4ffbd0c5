import { expect, it, onTestFinished, vi } from 'vitest';

import { launchOwnBrowser } from '../support/built-extension.ts';
import { servePage } from '../support/web-page.ts';

it.each(['http_proxy', 'HTTP_PROXY', 'all_proxy'])(
  '%s does not make hosts of tests unreachable',
  async (name) => {
    vi.stubEnv(name, 'http://127.0.0.1:9');
    onTestFinished(() => void vi.unstubAllEnvs());
    const address = new URL(await servePage());
    const extension = await launchOwnBrowser();

    for (const host of ['127.0.0.1', 'localhost', 'web.test']) {
      address.hostname = host;
      const page = await extension.open(address.href);
      expect(await page.evaluate(() => document.title)).toBe('A web page');
    }
  },
);
