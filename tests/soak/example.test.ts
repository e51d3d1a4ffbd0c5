import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, inject, it, onTestFinished } from 'vitest';

import { copyWithExample, exampleDocuments, GUIDE } from '../docs/project-with-example.ts';
import type { View } from '../../scripts/browsers/running-extension.ts';
import { launchBuiltExtension } from '../support/built-extension.ts';
import { runInCopy } from '../support/project-copy.ts';
import { servePage } from '../support/web-page.ts';

const browser = inject('browserName');

it('the example of docs/adding-behaviour.md alone compiles, and passes its browser test', async () => {
  const { folder } = await buildWithExample([GUIDE]);
  expect(await runInCopy(folder, 'typescript/bin/tsc')).toBe('');

  const printed = await runInCopy(
    folder,
    'vitest/vitest.mjs',
    'run',
    `--project=${browser}`,
    'tests/features/example/browser/example.test.ts',
  );

  expect(printed).toMatch(/Tests +1 passed/);
});

it('the example of docs/extending.md counts by a menu item, and shows the count in its pages and the badge', async () => {
  const { build } = await buildWithExample(exampleDocuments);
  const extension = await launchBuiltExtension(build);
  const tally = await extension.open('src/tally/index.html');
  const panel = await extension.open('src/panel/index.html');
  const popup = await extension.openPopup();
  const shows = (text: string): boolean => document.body.textContent.includes(text);
  for (const page of [tally, panel, popup]) await page.waitFor(shows, '0 counted.');
  const isBlue = async (): Promise<boolean> =>
    (await chrome.action.getBadgeBackgroundColor({})).join() === '23,78,166,255';
  // An offscreen document calls the background.
  if (browser === 'chromium') await panel.waitFor(isBlue);

  await extension.clickMenuItem({ menuItemId: 'example', selectionText: '' });
  await tally.waitFor(shows, '1 counted.');
  await tally.waitFor(async () => (await chrome.action.getBadgeText({})) === '1');

  expect(await extension.readConsole()).toEqual([]);
});

it('the content script of docs/extending.md reads the title again when it changes, and survives an update', async () => {
  const { build } = await buildWithExample(exampleDocuments);
  const extension = await launchBuiltExtension(build);
  const site = await extension.open(await servePage());
  const narrow = await widthWith(site, 'Two words', 0);
  const wide = await widthWith(site, 'a '.repeat(400), narrow);

  await site.evaluate(() => document.querySelector('reader-words')?.setAttribute('data-old', ''));
  await extension.installExtension(build);
  await site.waitFor(() => document.querySelector('reader-words:not([data-old])') !== null);

  expect(wide).toBeGreaterThan(narrow);
  expect(await widthWith(site, 'Three more words', wide)).toBe(narrow);
  expect(await site.evaluate(() => document.querySelectorAll('reader-words').length)).toBe(1);
});

/**
 * Changes the title of a page, and waits until the count of its words has another width than before. Returns the new width.
 * The page cannot read the count, because it is in a closed root.
 */
async function widthWith(page: View, title: string, before: number): Promise<number> {
  await page.evaluate((text) => void (document.title = text), title);
  return page.waitFor((old) => {
    const width = document.querySelector('reader-words')?.getBoundingClientRect().width ?? 0;
    return width !== old && width;
  }, before);
}

/** Builds a copy of the project with the blocks of these documents. Returns its folder, and that of the build. */
async function buildWithExample(documents: readonly string[]) {
  const folder = await copyWithExample(documents);
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await runInCopy(folder, 'tsx/dist/cli.mjs', 'scripts/build.ts', '--browser', browser);
  return { folder, build: join(folder, 'dist', browser) };
}
