import { appendFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, inject, it } from 'vitest';

import type { RunningExtension } from '../../scripts/browsers/running-extension.ts';
import { launchBuiltExtension, launchOwnBrowser, launchWires } from '../support/built-extension.ts';
import { changeUntilRefused, openPreferences } from '../support/page-actions.ts';

const hasQuota = inject('browserName') === 'chromium';

it.runIf(hasQuota)(
  'takes a write up to the last byte of the quota, and nothing of one that is a byte longer',
  async () => {
    const { page } = await launchWires();

    const outcomes = await page.evaluate(async () => {
      const { QUOTA_BYTES } = chrome.storage.local as unknown as { QUOTA_BYTES: number };
      const { store } = wires;
      // A key counts with its own length, a text with that of its JSON.
      const room = QUOTA_BYTES - 'small'.length - '"kept"'.length - 'large'.length - '""'.length;
      const tried: Record<number, string> = {};
      for (const over of [-1, 0, 1]) {
        await store.remove(['large']);
        await store.write({ small: 'kept' });
        const written = store.write({ large: 'x'.repeat(room + over) });
        tried[over] = await written.then(
          () => 'written',
          (error: unknown) => (/quota/i.test(String(error)) ? 'refused' : String(error)),
        );
      }
      return { tried, large: await store.read('large'), small: await store.read('small') };
    });

    expect(outcomes).toEqual({ tried: { [-1]: 'written', 0: 'written', 1: 'refused' }, small: 'kept' });
  },
);

it('says that nothing was saved when there is no room, and saves when there is', async () => {
  const extension = hasQuota ? await launchBuiltExtension() : await launchWithLittleRoom();
  const options = await openPreferences(extension);
  await options.evaluate(useUpRoom, 4 * 1024 * 1024);

  // An acknowledged change leaves the room that its outcome took.
  const { told, before, during } = await changeUntilRefused(options, () =>
    options.evaluate(useUpRoom, 1_024),
  );
  // Removes the fillers.
  await options.evaluate(async () => {
    const keys = Object.keys(await chrome.storage.local.get(null));
    await chrome.storage.local.remove(keys.filter((key) => key.startsWith('filler')));
  });

  // Firefox gives the room back some time after the data is gone: a person tries again, too.
  await options.waitFor((last) => {
    document.querySelector<HTMLElement>('[role=alert] + button:not([aria-disabled=true])')?.click();
    return document.documentElement.dataset['theme'] !== last;
  }, during);
  expect(told).toMatch(/^The theme was not saved\.The browser could not save this\. Nothing was changed\./);
  expect(during).toBe(before);
});

/** Firefox has no quota for an extension but a share of the disk, which its profile can set: here 2 MiB. */
async function launchWithLittleRoom(): Promise<RunningExtension> {
  const setting = 'user_pref("dom.quotaManager.temporaryStorage.fixedLimit", 2048);\n';
  const extension = await launchOwnBrowser();
  return extension.restart((profile) => appendFile(join(profile, 'prefs.js'), setting));
}

/** Runs in the page: stores ever smaller fillers, the first of this size, until not even the smallest is taken. */
async function useUpRoom(largest: number): Promise<void> {
  for (let size = largest; size >= 1;) {
    const isTaken = await chrome.storage.local.set({ [`filler${Math.random()}`]: fill(size) }).then(
      () => true,
      () => false,
    );
    if (!isTaken) size = Math.floor(size / 2);
  }

  /** Text that cannot be compressed, as Firefox does with what it stores. */
  function fill(size: number): string {
    const letters = Array.from({ length: size }, () =>
      String.fromCodePoint(33 + Math.floor(Math.random() * 90)),
    );
    return letters.join('');
  }
}
