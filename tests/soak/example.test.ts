import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, inject, it, onTestFinished } from 'vitest';

import { copyWithExample, exampleDocuments, GUIDE, readDocument } from '../docs/project-with-example.ts';
import type { View } from '../../scripts/browsers/running-extension.ts';
import { copyBuiltExtension, launchBuiltExtension, writeExtension } from '../support/built-extension.ts';
import { pressButton } from '../support/page-actions.ts';
import { runInCopy } from '../support/project-copy.ts';
import { serve, servePage } from '../support/web-page.ts';

const browser = inject('browserName');
/** A copy of the project with the blocks of all documents, and its build. */
let folder = '';
let build = '';

beforeAll(async () => {
  folder = await copyWithExample(exampleDocuments);
  await runInCopy(folder, 'tsx/dist/cli.mjs', 'scripts/build.ts', '--browser', browser);
  build = join(folder, 'dist', browser);
});

afterAll(() => rm(folder, { recursive: true, force: true }));

it('the example of docs/adding-behaviour.md alone compiles, and passes its browser test', async () => {
  const copy = await copyWithExample([GUIDE]);
  onTestFinished(() => rm(copy, { recursive: true, force: true }));
  await runInCopy(copy, 'tsx/dist/cli.mjs', 'scripts/build.ts', '--browser', browser);
  expect(await runInCopy(copy, 'typescript/bin/tsc')).toBe('');

  const printed = await runInCopy(
    copy,
    'vitest/vitest.mjs',
    'run',
    `--project=${browser}`,
    'tests/features/example/browser/example.test.ts',
  );

  expect(printed).toMatch(/Tests +1 passed/);
});

it('the recipes open a page at installation, keep a note, show a badge, and save a large file', async () => {
  const extension = await launchBuiltExtension(build);
  const shows = (text: string): boolean => document.body.textContent.includes(text);
  const welcome = await extension.findView('src/welcome/index.html');
  await welcome.waitFor(shows, 'The extension is installed.');
  const panel = await extension.open('src/panel/index.html');
  await panel.waitFor(() => document.querySelector('textarea') !== null);
  const isBlue = async (): Promise<boolean> =>
    (await chrome.action.getBadgeBackgroundColor({})).join() === '23,78,166,255';
  // An offscreen document calls the background.
  if (browser === 'chromium') await panel.waitFor(isBlue);

  await extension.clickMenuItem({ menuItemId: 'clicks', selectionText: '' });
  await panel.waitFor(async () => (await chrome.action.getBadgeText({})) === '1');
  const options = await extension.open('src/options/index.html#/import');
  await options.waitFor(() => document.querySelector('input[type=file]') !== null);
  await options.evaluate(() => {
    const files = new DataTransfer();
    files.items.add(new File([new Uint8Array(25_000_000)], 'large'));
    const input = document.querySelector<HTMLInputElement>('input[type=file]');
    if (input) input.files = files.files;
    input?.dispatchEvent(new Event('change', { bubbles: true }));
  });
  await options.waitFor(shows, '25000000 bytes.');
  // Chromium forgets the menu.
  await extension.disableExtension();
  await extension.enableExtension();
  const later = await extension.open('src/options/index.html');
  await later.waitFor(() =>
    chrome.contextMenus.update('clicks', {}).then(
      () => true,
      () => false,
    ),
  );

  expect(await extension.readConsole()).toEqual([]);
});

it('docs/recipes/policy.md names what each browser refuses, and how to allow it', async () => {
  const page = readDocument('docs/recipes/policy.md');
  const [, attempts = ''] = /^```js\n(.*?)^```$/ms.exec(page) ?? [];
  const [, policy = ''] = /^```json\n(.*?)^```$/ms.exec(page) ?? [];
  const rows = Array.from(page.matchAll(/^\| (`.*?`) \|/gm), ([, names = '']) =>
    names.replaceAll('`', '').split(', '),
  );

  const files = {
    'tried.html': '<!doctype html><body></body><script type="module" src="tried.js"></script>',
    'tried.js': `${attempts} document.body.dataset.tried = '';`,
  };
  const allowing = (text: string): string =>
    JSON.stringify({
      ...(JSON.parse(text) as object),
      content_security_policy: JSON.parse(policy) as unknown,
    });

  const refused = (await messagesOf(await copyBuiltExtension(files, build))).join('\n');
  const allowed = await messagesOf(await copyBuiltExtension({ ...files, 'manifest.json': allowing }, build));

  expect(rows).toHaveLength(8);
  expect(rows.filter((names) => !names.some((name) => refused.includes(name)))).toEqual([]);
  expect(allowed.filter((text) => /Content.Security.Policy|CSP|Trusted/.test(text))).toEqual([]);
});

/** Opens the page with the attempts. Returns what the console says. */
async function messagesOf(folderWithPage: string): Promise<readonly string[]> {
  const extension = await launchBuiltExtension(folderWithPage);
  await (await extension.open('tried.html')).waitFor(() => document.body.dataset['tried'] === '');
  return (await extension.readConsole()).map(({ text }) => text);
}

it('the popup marks the page in front of it, and no other', async () => {
  const extension = await launchBuiltExtension(build);
  // It comes to the front when it opens.
  await extension.findView('src/welcome/index.html');
  const address = await servePage();
  const other = await extension.open(`${address}other`);
  const site = await extension.open(address);
  const isMarked = (): boolean => document.documentElement.hasAttribute('data-marked');

  await pressButton(await extension.openPopup(), 'Mark this page');
  await site.waitFor(isMarked);

  expect(await other.evaluate(isMarked)).toBe(false);
});

it('the content script reads the title again when it changes, and survives an update', async () => {
  const extension = await launchBuiltExtension(build);
  const site = await extension.open(await servePage());
  const narrow = await widthWith(site, 'Two words', 0);
  const wide = await widthWith(site, 'a '.repeat(400), narrow);

  await site.evaluate(() => document.querySelector('[data-reader-words]')?.setAttribute('data-old', ''));
  await extension.installExtension(build);
  await site.waitFor(() => document.querySelector('[data-reader-words]:not([data-old])') !== null);

  expect(wide).toBeGreaterThan(narrow);
  expect(await widthWith(site, 'Three more words', wide)).toBe(narrow);
  expect(await site.evaluate(() => document.querySelectorAll('[data-reader-words]').length)).toBe(1);
});

/** Documents that are not HTML, by their path. */
const DOCUMENTS: Readonly<Record<string, readonly [type: string, text: string]>> = {
  svg: ['image/svg+xml', '<svg xmlns="http://www.w3.org/2000/svg"><title>Two words</title></svg>'],
  rss: ['text/xml', '<rss version="2.0"><channel><title>Two words</title></channel></rss>'],
  mathml: ['application/xml', '<math xmlns="http://www.w3.org/1998/Math/MathML"><mi>x</mi></math>'],
  broken: ['application/xhtml+xml', '<html xmlns="http://www.w3.org/1999/xhtml"><p></html>'],
};

/** Defines elements of each name that it sees, and reads the roots of all elements, as a hostile page can. */
const HOSTILE = `<!doctype html><title>Two words</title><script>
  const root = document.documentElement;
  root.dataset.seen = '';
  const read = (element) => {
    try {
      root.dataset.seen += element.attachInternals().shadowRoot?.textContent ?? '';
    } catch {}
    root.dataset.seen += element.shadowRoot?.textContent ?? '';
  };
  const names = new Set();
  setInterval(() => {
    for (const element of root.querySelectorAll(':scope > :not(head, body)')) {
      const name = element.localName;
      if (name.includes('-') && !names.has(name)) customElements.define(name, class extends HTMLElement {});
      names.add(name);
      read(element);
    }
    root.toggleAttribute('data-done', names.size > 0);
  }, 20);
</script>`;

it('the content script runs in documents of every kind, and a page cannot read its root', async () => {
  const extension = await launchBuiltExtension(build);
  const address = await serve(({ url = '' }, response) => {
    const [type, text] = DOCUMENTS[url.slice(1)] ?? ['text/html', HOSTILE];
    response.writeHead(200, { 'content-type': type }).end(text);
  });
  const hasHost = (): boolean => document.querySelector('[data-reader-words]') instanceof HTMLElement;

  for (const path of Object.keys(DOCUMENTS)) {
    await (await extension.open(address + path)).waitFor(hasHost);
  }
  const hostile = await extension.open(`${address}hostile`);
  await widthWith(hostile, 'a '.repeat(400), await widthWith(hostile, 'Two words', 0));
  await hostile.waitFor(() => document.documentElement.hasAttribute('data-done'));

  expect(await hostile.evaluate(() => document.documentElement.dataset['seen'])).toBe('');
});

it('the content script enters open tabs, although the first never finishes to load', async () => {
  const background = { service_worker: 'worker.js', scripts: ['worker.js'] };
  const empty = { name: 'empty', action: {}, background };
  const extension = await launchBuiltExtension(await writeExtension(empty, { 'worker.js': '' }));
  let finish = (): void => {};
  const address = await serve(({ url = '' }, response) => {
    response.setHeader('content-type', 'text/html');
    response.write('<!doctype html><title>Two words</title>');
    if (url === '/slow') finish = () => void response.end();
    else response.end();
  });
  const opener = await extension.open(address);
  await opener.evaluate(() => void open('/slow'));
  const second = await extension.open(`${address}second`);
  const hasHost = (): boolean => document.querySelector('[data-reader-words]') !== null;

  await extension.installExtension(build);
  await second.waitFor(hasHost);
  await extension.stopWorker();
  finish();

  expect(await (await extension.findView(`${address}slow`)).waitFor(hasHost)).toBe(true);
});

/**
 * Changes the title of a page, and waits until the count of its words has another width than before. Returns the new width.
 * The page cannot read the count, because it is in a closed root.
 */
async function widthWith(page: View, title: string, before: number): Promise<number> {
  await page.evaluate((text) => void (document.title = text), title);
  return page.waitFor((old) => {
    const host = document.querySelector<HTMLElement>('[data-reader-words]');
    if (host) host.style.width = 'fit-content';
    const width = host?.getBoundingClientRect().width ?? 0;
    return width !== old && width;
  }, before);
}
