import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';

import type { AxeResults } from 'axe-core';
import { expect, it } from 'vitest';

import type { View } from '../../scripts/browsers/view.ts';
import { launchBuiltExtension } from '../support/launch-built-extension.ts';
import { recordMessages, showMany } from '../support/show-messages.ts';

const axeSource = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

const ADDRESSES = [
  '#/specification',
  '#/specification/purpose',
  '#/preferences',
  '#/messages',
  '#/about',
  '#/nowhere',
];

it('axe finds nothing in any view of the options page, light and dark', async () => {
  const extension = await launchBuiltExtension();

  for (const address of ADDRESSES) {
    const page = await extension.open(`src/options/index.html${address}`);
    expect(await violationsInBothThemes(page), address).toEqual([]);
    await page.close();
  }
  expect(await extension.readConsole()).toEqual([]);
});

it('axe finds nothing in the real popup, light and dark', async () => {
  const extension = await launchBuiltExtension();

  const popup = await extension.openPopup();

  expect(await violationsInBothThemes(popup)).toEqual([]);
  expect(await extension.readConsole()).toEqual([]);
});

it('axe finds nothing in recorded messages, in one of them opened, and in a question', async () => {
  const extension = await launchBuiltExtension();
  const page = await extension.open('src/options/index.html#/preferences');
  await recordMessages(page);
  await showMany(page, 500);
  await page.evaluate(() => document.querySelector<HTMLElement>('[role=row] button')?.click());
  await page.waitFor(() => document.querySelector('section ol') !== null);

  const inMessages = await violationsInBothThemes(page);
  await page.evaluate(() => location.assign('#/preferences'));
  await page.waitFor(() => {
    const buttons = [...document.querySelectorAll('button')];
    buttons.find(({ textContent }) => textContent === 'Reset…')?.click();
    return document.querySelector('dialog[open]') !== null;
  });

  expect(inMessages).toEqual([]);
  expect(await violationsInBothThemes(page)).toEqual([]);
});

async function violationsInBothThemes(page: View): Promise<string[]> {
  await page.waitFor(() => document.body.textContent.includes('Background awake'));
  await page.inject(axeSource);
  const found: string[] = [];
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulate({ colorScheme });
    const violations = await page.evaluate(findViolations);
    found.push(...violations.map((violation) => `${colorScheme}: ${violation}`));
  }
  return found;
}

async function findViolations(): Promise<string[]> {
  const { axe } = globalThis as unknown as { axe: { run: () => Promise<AxeResults> } };
  const { violations } = await axe.run();
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id} ${html}`));
}
