import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { expect, it } from 'vitest';

import { pages } from '../../src/contract/pages.ts';
import { copyBuiltExtension, launchBuiltExtension } from '../support/built-extension.ts';
import { servePage } from '../support/web-page.ts';

it('lets no web page fetch, import or frame any file of the package', async () => {
  const { worked } = await readFromWebPage((manifest) => manifest, 0);

  expect(worked).toEqual([]);
});

it('allows it if the manifest opens the files to web pages', async () => {
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

/** What a web page gets of the build with this manifest, in which the two pages report to the page that frames them. */
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

/**
 * Runs in a web page: tries to get at each of these files of an extension in every way that a page has. Gives the ways
 * that worked, in the form `fetch manifest.json`. What is framed says so itself: a message with its path.
 *
 * @param frames how many are expected to say so; for none a second is waited, for some until they do
 */
async function readFiles(origin: string, paths: readonly string[], frames: number): Promise<string[]> {
  const worked: string[] = [];
  addEventListener('message', ({ data }) => worked.push(`frame ${String(data)}`));

  const load = (tag: string, attributes: Readonly<Record<string, string>>): Promise<boolean> =>
    new Promise((resolve) => {
      const element = document.createElement(tag);
      for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
      element.addEventListener('load', () => resolve(true));
      element.addEventListener('error', () => resolve(false));
      document.body.append(element);
    });
  const ways: Readonly<Record<string, (src: string) => Promise<unknown>>> = {
    fetch: async (src) => (await fetch(src)).text(),
    script: async (src) => (await load('script', { src })) || Promise.reject(new Error('refused')),
    style: async (href) =>
      (await load('link', { rel: 'stylesheet', href })) || Promise.reject(new Error('refused')),
    image: async (src) => (await load('img', { src })) || Promise.reject(new Error('refused')),
  };

  await Promise.all(
    paths.flatMap((path) => {
      void load('iframe', { src: `${origin}/${path}` });
      return Object.entries(ways).map(([way, attempt]) =>
        attempt(`${origin}/${path}`).then(
          () => worked.push(`${way} ${path}`),
          () => undefined,
        ),
      );
    }),
  );
  const hasAll = (): boolean => worked.filter((way) => way.startsWith('frame')).length >= frames;
  for (let waits = 0; waits < 10 || !hasAll(); waits += 1) {
    await new Promise((resolve) => {
      setTimeout(resolve, 100);
    });
  }
  return worked.toSorted();
}
