import { expect, it } from 'vitest';

import { pages } from '../../src/callers.ts';
import { copyBuiltExtension, launchBuiltExtension } from '../support/built-extension.ts';
import { servePage } from '../support/web-page.ts';

const PAGES = Object.values(pages);

it.each([
  ['do not run in a frame of a web page', {}, []],
  [
    'would run in a frame of a web page if the manifest allowed it',
    {
      content_security_policy: { extension_pages: "script-src 'self'" },
      web_accessible_resources: [{ resources: ['*'], matches: ['<all_urls>'] }],
    },
    PAGES.toSorted(),
  ],
])('the pages of the extension %s', async (_claim, change, expected) => {
  // Each page reports to a page that frames it.
  const report = (html: string): string => html.replace('<head>', '<head><script src="/tell.js"></script>');
  const folder = await copyBuiltExtension({
    'manifest.json': (text) => JSON.stringify({ ...(JSON.parse(text) as object), ...change }),
    'tell.js': `if (parent !== self) parent.postMessage(location.pathname.slice(1), '*');`,
    ...Object.fromEntries(PAGES.map((page) => [page, report])),
  });
  const extension = await launchBuiltExtension(folder);
  const webPage = await extension.open(await servePage());

  expect(await webPage.evaluate(framePages, extension.origin, PAGES, expected.length)).toEqual(expected);
});

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
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return told.toSorted();
}
