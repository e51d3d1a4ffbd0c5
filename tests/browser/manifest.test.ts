import { expect, it } from 'vitest';

import { hashStyles, readBuild } from '../../scripts/check-build.ts';
import { descriptiveKeys, reviewedManifest } from '../../scripts/reviewed-manifest.ts';
import { copyBuiltExtension, launchBuiltExtension } from '../support/built-extension.ts';

it('is exactly what was reviewed, in the package that the browser has', async () => {
  const folder = await copyBuiltExtension();
  const extension = await launchBuiltExtension(folder);
  const options = await extension.open('src/options/index.html');

  const manifest = await options.evaluate(async () => {
    const response = await fetch(chrome.runtime.getURL('manifest.json'));
    return response.json() as Promise<Record<string, unknown>>;
  });
  const stated = Object.entries(manifest).filter(([key]) => !descriptiveKeys.includes(key));

  expect(Object.fromEntries(stated)).toEqual(reviewedManifest(hashStyles(await readBuild(folder))));
});

it('is granted `storage` and nothing else', async () => {
  const extension = await launchBuiltExtension();
  const options = await extension.open('src/options/index.html');

  const granted = await options.evaluate(() => chrome.permissions.getAll() as Promise<unknown>);

  expect(granted).toEqual(expect.objectContaining({ permissions: ['storage'], origins: [] }));
});
