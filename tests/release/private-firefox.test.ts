import { appendFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, inject, it } from 'vitest';

import { buildTestExtension, launchOwnBrowser, stores } from '../support/built-extension.ts';

// Chromium has no such setting.
it.runIf(inject('browserName') === 'firefox').each([
  [...stores[0], 1],
  [...stores[1], ['NOT_READ', 'handled']],
])('in a Firefox that is always private, over %s', async (_store, plugins, outcome) => {
  const normal = await launchOwnBrowser(await buildTestExtension('core', plugins));
  const setting = 'user_pref("browser.privatebrowsing.autostart", true);\n';
  const extension = await normal.restart((profile) => appendFile(join(profile, 'prefs.js'), setting));
  await extension.allowPrivateWindows();
  const page = await extension.open('options.html');

  const ended = await page.evaluate(async () =>
    core.mutate('counter.add', 1).catch((error: unknown) => {
      const { code, delivery } = error as { readonly code: string; readonly delivery: string };
      return [code, delivery];
    }),
  );

  expect(ended).toEqual(outcome);
});
