import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, inject, it, onTestFinished } from 'vitest';

import { launchBuiltExtension } from '../support/built-extension.ts';
import { pressButton } from '../support/page-actions.ts';
import { copyWithExample, runInCopy } from '../support/project-copy.ts';

it('counts in every open page, over a dead worker, with the example of the guide in it', async () => {
  const folder = await copyWithExample();
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await runInCopy(folder, 'tsx/dist/cli.mjs', 'scripts/build.ts', '--browser', inject('browserName'));
  const extension = await launchBuiltExtension(join(folder, 'dist', inject('browserName')));
  const address = 'src/options/index.html#/about';
  const [page, other] = [await extension.open(address), await extension.open(address)];
  const shows = (text: string): boolean => document.body.textContent.includes(text);

  await page.waitFor(shows, '0 counted.');
  await pressButton(page, 'Count');
  await other.waitFor(shows, '1 counted.');
  await extension.stopWorker();
  await pressButton(other, 'Count');

  expect(await page.waitFor(shows, '2 counted.')).toBe(true);
  expect(await extension.readConsole()).toEqual([]);
});
