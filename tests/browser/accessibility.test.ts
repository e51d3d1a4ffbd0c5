import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';

import type { AxeResults } from 'axe-core';
import { expect, it } from 'vitest';

import type { View } from '../../scripts/browsers/view.ts';
import { launchBuiltExtension } from '../support/launch-built-extension.ts';

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
