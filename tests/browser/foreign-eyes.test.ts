import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join, sep } from 'node:path';

import { expect, it } from 'vitest';

import { pages } from '../../src/contract/pages.ts';
import { copyBuiltExtension } from '../support/copy-built-extension.ts';
import { launchBuiltExtension } from '../support/launch-built-extension.ts';
import { readFiles } from '../support/read-files.ts';
import { servePage } from '../support/serve-page.ts';

it('lets no web page fetch, import or frame any file of the package', async () => {
  const { worked } = await readFromWebPage((manifest) => manifest, 0);

  expect(worked).toEqual([]);
});

it('would, if the manifest opened it to web pages', async () => {
  const framed = Object.values(pages);
  const { worked, paths } = await readFromWebPage(
    (manifest) => ({
      ...manifest,
      content_security_policy: { extension_pages: "script-src 'self'" },
      web_accessible_resources: [{ resources: ['*'], matches: ['<all_urls>'] }],
    }),
    framed.length,
  );

  const named = (pattern: RegExp): string[] => paths.filter((path) => pattern.test(path));
  expect(paths).toEqual(expect.arrayContaining(['manifest.json', 'worker.js', ...framed]));
  expect(worked).toEqual(
    expect.arrayContaining([
      ...paths.map((path) => `fetch ${path}`),
      ...framed.map((path) => `frame ${path}`),
      ...named(/\.js$/).map((path) => `script ${path}`),
      ...named(/\.css$/).map((path) => `style ${path}`),
      ...named(/\.png$/).map((path) => `image ${path}`),
    ]),
  );
});

/** What a web page gets of the build with this manifest, in which the two pages tell who frames them. */
async function readFromWebPage(
  change: (manifest: object) => object,
  frames: number,
): Promise<{ readonly worked: readonly string[]; readonly paths: readonly string[] }> {
  const folder = await copyBuiltExtension();
  const paths = (await readdir(folder, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) =>
      join(parentPath, name)
        .slice(folder.length + 1)
        .replaceAll(sep, '/'),
    );
  const rewrite = async (path: string, edit: (text: string) => string): Promise<void> =>
    writeFile(join(folder, path), edit(await readFile(join(folder, path), 'utf8')));
  await rewrite('manifest.json', (text) => JSON.stringify(change(JSON.parse(text) as object)));
  await writeFile(join(folder, 'tell.js'), `parent.postMessage(location.pathname.slice(1), '*');`);
  for (const page of Object.values(pages)) {
    await rewrite(page, (html) => html.replace('<head>', '<head><script src="/tell.js"></script>'));
  }

  const extension = await launchBuiltExtension(folder);
  const page = await extension.open(await servePage());
  return { worked: await page.evaluate(readFiles, extension.origin, paths, frames), paths };
}
