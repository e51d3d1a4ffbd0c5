import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, inject, it } from 'vitest';

import manifest from '../../manifest.json' with { type: 'json' };
import { packBuild } from '../../scripts/package-project.ts';
import { projectFolder } from '../../scripts/project-folder.ts';
import { launchBuiltExtension } from '../support/built-extension.ts';
import { createTemporaryFolder, unpackZip } from '../support/temporary-folder.ts';

const VIEWS = ['#/specification', '#/specification/purpose', '#/preferences', '#/messages', '#/about'];

it('installs what goes to the store, and its popup, every view and its background work', async () => {
  const browser = inject('browserName');
  const zip = await packBuild(join(projectFolder, 'dist', browser), browser);
  // Firefox takes the zip itself, Chromium only a folder.
  const file = join(await createTemporaryFolder('package'), 'extension.zip');
  await writeFile(file, zip);
  const extension = await launchBuiltExtension(
    browser === 'firefox' ? file : await unpackZip(zip, 'extension'),
  );
  const options = await extension.open('src/options/index.html');

  const headings = new Set<string>();
  for (const address of VIEWS) {
    await options.evaluate((hash) => location.assign(hash), address);
    headings.add(
      await options.waitFor(
        (before) => {
          const heading = document.querySelector('h1')?.textContent ?? '';
          return before.includes(heading) ? '' : heading;
        },
        [...headings],
      ),
    );
  }
  // The version comes from the background.
  await options.waitFor(
    (version) => [...document.querySelectorAll('dd')].some(({ textContent }) => textContent === version),
    manifest.version,
  );
  const popup = await extension.openPopup();
  await popup.waitFor(() => document.body.textContent.includes('Background awake'));

  expect(headings.size).toBe(VIEWS.length);
  expect(await popup.evaluate(() => document.querySelectorAll('nav a').length)).toBe(9);
  expect(await extension.readConsole()).toEqual([]);
});
