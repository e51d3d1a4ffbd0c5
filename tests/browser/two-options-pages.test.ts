import { expect, it } from 'vitest';

import type { View } from '../../scripts/browsers/running-extension.ts';
import { launchBuiltExtension } from '../support/built-extension.ts';
import { openPreferences, pickTheme } from '../support/page-actions.ts';

it('shows the same in two options pages that edit at once, and no change echoes', async () => {
  const extension = await launchBuiltExtension();
  const pages = [await openPreferences(extension), await openPreferences(extension)] as const;
  await pages[0].evaluate(countChanges);

  await Promise.all([edit(pages[0], ['Dark', 'Light']), edit(pages[1], ['Light', 'Dark'])]);

  for (const page of pages) {
    await page.waitFor(() => !document.body.textContent.includes('Saving…'));
    await page.waitFor(showsWhatIsStored);
  }
  const changes = await readChanges(pages[0]);
  expect(changes).toBeGreaterThan(1);
  expect(changes).toBeLessThanOrEqual(2 * EDITS);

  // An echo would be written before this, or with it.
  await pickTheme(pages[0], 'Match system');
  for (const page of pages) await page.waitFor(showsWhatIsStored);
  expect(await pages[1].evaluate(storedTheme)).toBe('system');
  expect(await readChanges(pages[0])).toBe(changes + 1);
});

/** Edits that each page makes. */
const EDITS = 20;

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

/** Chooses one theme after the other, as fast as a person never could. */
async function edit(page: View, themes: readonly [string, string]): Promise<void> {
  for (let count = 0; count < EDITS; count += 1) await pickTheme(page, themes[count % 2] ?? '');
}

/** Runs in a page: the theme that is stored. */
async function storedTheme(): Promise<unknown> {
  const { preferences } = await chrome.storage.local.get('preferences');
  return (preferences as { data: { theme: string } }).data.theme;
}

/** Runs in a page: whether it has the theme that is stored. */
async function showsWhatIsStored(): Promise<boolean> {
  const { preferences } = await chrome.storage.local.get('preferences');
  const { theme } = (preferences as { data: { theme: string } }).data;
  return document.documentElement.dataset['theme'] === theme;
}
