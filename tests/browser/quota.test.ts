import { expect, inject, it } from 'vitest';

import { launchBuiltExtension } from '../support/launch-built-extension.ts';
import { launchWires } from '../support/launch-wires.ts';

// Firefox knows no quota for an extension's storage but the disk itself: tests/soak/disk-full.test.ts is for both.
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

it.runIf(hasQuota)(
  'says that nothing was saved when the quota is used up, and saves when there is room again',
  async () => {
    const extension = await launchBuiltExtension();
    const options = await extension.open('src/options/index.html#/preferences');
    await options.waitFor(() => document.querySelectorAll('input[name=theme]').length === 3);
    await options.evaluate(async () => {
      const { QUOTA_BYTES } = chrome.storage.local as unknown as { QUOTA_BYTES: number };
      const used = await chrome.storage.local.getBytesInUse(null);
      await chrome.storage.local.set({ filler: 'x'.repeat(QUOTA_BYTES - used - 'filler""'.length) });
    });

    await options.click('label:last-of-type input[name=theme]');
    const failure = await options.waitFor(() => document.querySelector('[role=alert]')?.textContent);
    const during = await options.evaluate(() => document.documentElement.dataset['theme']);
    await options.evaluate(() => chrome.storage.local.remove('filler'));
    await options.click('[role=alert] + button');

    await options.waitFor(() => document.documentElement.dataset['theme'] === 'dark');
    expect(failure).toMatch(
      /^The theme was not saved\.The browser could not store it\. Nothing was changed\./,
    );
    expect(during).toBe('system');
  },
);
