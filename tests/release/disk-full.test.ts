import { expect, inject, it } from 'vitest';

import type { View } from '../../scripts/browsers/running-extension.ts';
import { launchOwnBrowser } from '../support/built-extension.ts';
import { openPreferences } from '../support/page-actions.ts';
import { canMountDisk, createSmallDisk, fill, free } from '../support/small-disk.ts';

/** Number of times that the disk is filled and freed. */
const CYCLES = inject('size') === 'soak' ? 10 : 1;

// Only root can mount a disk.
it.runIf(await canMountDisk())(
  'reports that a change was not saved on a full disk, keeps the old state, and saves again when there is space',
  async () => {
    // The whole profile is on this disk.
    const disk = await createSmallDisk();
    const options = await openPreferences(await launchOwnBrowser(undefined, disk));

    for (let cycle = 0; cycle < CYCLES; cycle += 1) {
      const { told, before, after } = await changeUntilRefused(options, disk);
      expect(told).toMatch(
        /^Your change was not saved\.The browser could not save this\. Nothing was changed\./,
      );
      expect(after).toEqual(before);

      await free(disk);
      await options.click('[role=alert] + button');
      await options.waitFor(() => document.body.textContent.includes('Saved.'));
    }
  },
);

/**
 * Fills the disk and changes the theme until a change is refused. The first changes may succeed, because the browser has
 * reserved space. Returns the message of the page, and the theme of the page and in the store before and after the refused
 * change.
 */
async function changeUntilRefused(options: View, disk: string) {
  for (;;) {
    // The disk is filled again before each change, because the browser sometimes deletes files of its profile.
    await fill(disk);
    const before = await options.evaluate(readThemes);
    await options.click('input[name=theme]:not(:checked)');
    const told = await options.waitFor((last) => {
      const isSaved = document.documentElement.dataset['theme'] !== last;
      const alert = document.querySelector('[role=alert]')?.textContent;
      return alert ?? (isSaved && document.body.textContent.includes('Saved.') && 'Saved.');
    }, before.shown);
    const after = await options.evaluate(readThemes);
    if (told !== 'Saved.') return { told, before, after };
  }
}

/** Runs in the page. Returns the theme of the page and the stored preferences. */
async function readThemes() {
  const { preferences } = await chrome.storage.local.get('preferences');
  return { shown: document.documentElement.dataset['theme'], stored: preferences };
}
