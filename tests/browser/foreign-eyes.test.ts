import { expect, it } from 'vitest';

import { readBuild } from '../../scripts/check-build.ts';
import { pages } from '../../src/callers.ts';
import { copyBuiltExtension, launchBuiltExtension } from '../support/built-extension.ts';
import { servePage } from '../support/web-page.ts';

const PAGES = Object.values(pages);

it('web pages cannot read a file of the package, and neither web pages nor its own pages can frame its pages', async () => {
  const { read, framed, framedByOwnPage } = await lookAt((manifest) => manifest, 0);

  expect({ read, framed, framedByOwnPage }).toEqual({ read: [], framed: [], framedByOwnPage: [] });
});

it('the same attempts succeed if the manifest opens the files and does not restrict frames', async () => {
  const { read, framed, framedByOwnPage, paths } = await lookAt(
    (manifest) => ({
      ...manifest,
      content_security_policy: { extension_pages: "script-src 'self'" },
      web_accessible_resources: [{ resources: ['*'], matches: ['<all_urls>'] }],
    }),
    PAGES.length,
  );

  expect(paths).toEqual(expect.arrayContaining(['manifest.json', 'worker.js', ...PAGES]));
  expect(read).toEqual(paths);
  expect([framed, framedByOwnPage]).toEqual([PAGES.toSorted(), PAGES.toSorted()]);
});

interface Seen {
  readonly paths: readonly string[];
  /** Paths of the files that a web page could read. */
  readonly read: readonly string[];
  /** Pages that ran in a frame of a web page. */
  readonly framed: readonly string[];
  /** Pages that ran in a frame of the options page. */
  readonly framedByOwnPage: readonly string[];
}

/** Tries to read and to frame a build with a changed manifest. Both pages of the build report to a page that frames them. */
async function lookAt(change: (manifest: object) => object, framable: number): Promise<Seen> {
  const report = (html: string): string => html.replace('<head>', '<head><script src="/tell.js"></script>');
  const folder = await copyBuiltExtension({
    'manifest.json': (text) => JSON.stringify(change(JSON.parse(text) as object)),
    'tell.js': `if (parent !== self) parent.postMessage(location.pathname.slice(1), '*');`,
    ...Object.fromEntries(PAGES.map((page) => [page, report])),
  });
  const paths = [...(await readBuild(folder)).keys()];
  const extension = await launchBuiltExtension(folder);
  const webPage = await extension.open(await servePage());
  const ownPage = await extension.open(pages.options);
  return {
    paths,
    read: await webPage.evaluate(readFiles, extension.origin, paths),
    framed: await webPage.evaluate(framePages, extension.origin, PAGES, framable),
    framedByOwnPage: await ownPage.evaluate(framePages, extension.origin, PAGES, framable),
  };
}

/** Runs in a web page. Tries to read these files of an extension. Returns the paths that it could read. */
async function readFiles(origin: string, paths: readonly string[]): Promise<string[]> {
  const attempts = paths.map(async (path) => ((await fetch(`${origin}/${path}`)).ok ? [path] : []));
  return (await Promise.all(attempts.map((attempt) => attempt.catch(() => [])))).flat();
}

/** Runs in a page. Frames pages, and waits for a second and for `expected` reports. Returns the paths of those that ran. */
async function framePages(origin: string, paths: readonly string[], expected: number): Promise<string[]> {
  const told: string[] = [];
  addEventListener('message', ({ data }) => told.push(String(data)));
  for (const path of paths) {
    const frame = document.createElement('iframe');
    frame.src = `${origin}/${path}`;
    document.body.append(frame);
  }
  for (let waits = 0; waits < 10 || told.length < expected; waits += 1) {
    await new Promise((resolve) => {
      setTimeout(resolve, 100);
    });
  }
  return told.toSorted();
}
