import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, inject, it, onTestFinished } from 'vitest';

import { copyWithExample, exampleDocuments } from '../docs/project-with-example.ts';
import { launchBuiltExtension } from '../support/built-extension.ts';
import { runInCopy } from '../support/project-copy.ts';
import { servePage } from '../support/web-page.ts';

const browser = inject('browserName');

it('the example of docs/adding-behaviour.md passes its browser test', async () => {
  const folder = await buildWithExample(exampleDocuments.slice(0, 1));

  const printed = await runInCopy(
    folder,
    'vitest/vitest.mjs',
    'run',
    `--project=${browser}`,
    'tests/features/example/browser/example.test.ts',
  );

  expect(printed).toMatch(/Tests +1 passed/);
});

it('the example of docs/extending.md counts by a menu item, and shows the count in its page, a web page and the badge', async () => {
  const folder = await buildWithExample(exampleDocuments);
  const extension = await launchBuiltExtension(join(folder, 'dist', browser));
  const tally = await extension.open('src/tally/index.html');
  const site = await extension.open(await servePage());
  const popup = await extension.openPopup();
  const shows = (text: string): boolean => document.body.textContent.includes(text);
  await tally.waitFor(shows, '0 counted.');
  await site.waitFor(shows, '0');
  await popup.waitFor(shows, '0 counted.');

  await extension.clickMenuItem({ menuItemId: 'count', selectionText: '' });
  await tally.waitFor(shows, '1 counted.');
  await site.waitFor(shows, '1');
  await tally.waitFor(async () => (await chrome.action.getBadgeText({})) === '1');

  expect(await extension.readConsole()).toEqual([]);
});

async function buildWithExample(documents: readonly string[]): Promise<string> {
  const folder = await copyWithExample(documents);
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await runInCopy(folder, 'tsx/dist/cli.mjs', 'scripts/build.ts', '--browser', browser);
  return folder;
}
