import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';

import type { View } from '../../../scripts/browsers/running-extension.ts';

const axeSource = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** What axe finds in the page as it is now: the rule and the element. */
export async function findViolations(page: View): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.inject(axeSource);
  return page.evaluate(runAxe);
}

/** Runs in the page. */
async function runAxe(): Promise<string[]> {
  const { axe } = globalThis as unknown as { axe: { run: () => Promise<AxeResults> } };
  const { violations } = await axe.run();
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id} ${html}`));
}
