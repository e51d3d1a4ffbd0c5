import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';

import type { RunningExtension, View } from '../../scripts/browsers/running-extension.ts';
import { launchBuiltExtension } from '../support/built-extension.ts';

/** Milliseconds after the last change within which both pages show the same. */
const CONVERGED = 1_000;

it('shows the same in two options pages that edit at once, and no change echoes', async () => {
  const extension = await launchBuiltExtension();
  const pages = [await openPreferences(extension), await openPreferences(extension)] as const;
  await pages[0].evaluate(countChanges);

  await Promise.all([edit(pages[0], ['Dark', 'Light']), edit(pages[1], ['Light', 'Dark'])]);

  const changes = await waitForLastChange(pages[0]);
  const shown = await Promise.all(pages.map(chosen));
  const stored = await pages[0].evaluate(async () => (await chrome.storage.local.get())['preferences']);
  await sleep(CONVERGED);
  expect(shown[0]).toBe(shown[1]);
  expect(stored).toMatchObject({ version: 1, data: { theme: shown[0]?.toLowerCase() } });
  expect(changes).toBeGreaterThan(1);
  expect(changes).toBeLessThanOrEqual(2 * EDITS);
  expect(await readChanges(pages[0])).toBe(changes);
});

/** Edits that each page makes. */
const EDITS = 20;

async function openPreferences(extension: RunningExtension): Promise<View> {
  const page = await extension.open('src/options/index.html#/preferences');
  await page.waitFor(() => document.querySelectorAll('input[name=theme]').length === 3);
  return page;
}

/** Counts, from now on, how often the preferences are written. */
function countChanges(): void {
  document.body.dataset['changes'] = '0';
  chrome.storage.onChanged.addListener((changes) => {
    if (!('preferences' in changes)) return;
    document.body.dataset['changes'] = String(Number(document.body.dataset['changes']) + 1);
  });
}

function readChanges(page: View): Promise<number> {
  return page.evaluate(() => Number(document.body.dataset['changes']));
}

/** Waits until nothing has been written for as long as the pages may take: edits wait for one another. */
async function waitForLastChange(page: View): Promise<number> {
  for (let before = await readChanges(page); ; before = await readChanges(page)) {
    await sleep(CONVERGED);
    if ((await readChanges(page)) === before) return before;
  }
}

/** Chooses one theme after the other, as fast as a person never could. */
async function edit(page: View, themes: readonly [string, string]): Promise<void> {
  for (let count = 0; count < EDITS; count += 1) {
    await page.evaluate(
      (label) => {
        const labels = [...document.querySelectorAll('label')];
        labels.find(({ textContent }) => textContent === label)?.click();
      },
      themes[count % 2] ?? '',
    );
  }
}

function chosen(page: View): Promise<string | undefined> {
  return page.evaluate(() => document.querySelector('input[name=theme]:checked')?.parentElement?.textContent);
}
