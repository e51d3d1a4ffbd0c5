import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, inject, it } from 'vitest';

import { builtManifest } from '../../scripts/built-manifest.ts';
import { packBuild } from '../../scripts/package-project.ts';
import { projectFolder } from '../../scripts/project-folder.ts';
import { pages } from '../../src/callers.ts';
import { launchBuiltExtension } from '../support/built-extension.ts';
import { createTemporaryFolder, unpackZip } from '../support/temporary-folder.ts';

it('the package for the store installs with the manifest of the source, and its pages and its background work', async () => {
  const browser = inject('browserName');
  const build = join(projectFolder, 'dist', browser);
  const zip = await packBuild(build);
  // Firefox installs the zip itself. Chromium needs a folder.
  const file = join(await createTemporaryFolder('package'), 'extension.zip');
  await writeFile(file, zip);
  const extension = await launchBuiltExtension(
    browser === 'firefox' ? file : await unpackZip(zip, 'extension'),
  );

  const options = await extension.open(pages.options);
  // The page shows this text when the background has answered.
  await options.waitFor(() => document.body.textContent.includes('Ready'));
  const popup = await extension.openPopup();
  await popup.waitFor(() => document.body.textContent.includes('Ready'));
  const { manifest, granted } = await popup.evaluate(async () => ({
    manifest: (await (await fetch(chrome.runtime.getURL('manifest.json'))).json()) as Record<string, unknown>,
    granted: await chrome.permissions.getAll(),
  }));

  const stated = builtManifest(browser);
  expect(await popup.url()).toMatch(`${extension.origin}/src/popup/`);
  expect(manifest).toEqual(stated);
  // Chromium sorts them.
  expect(new Set(granted.permissions)).toEqual(new Set(stated['permissions'] as readonly string[]));
  expect(await extension.readConsole()).toEqual([]);
});
