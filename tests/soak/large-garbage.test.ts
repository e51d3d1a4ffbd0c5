import { expect, inject, it } from 'vitest';

import type { View } from '../../scripts/browsers/running-extension.ts';
import { launchBuiltExtension } from '../support/built-extension.ts';
import { catchDownloads, openPreferences, pickTheme, pressButton } from '../support/page-actions.ts';

// Chromium's quota of 10 MiB does not allow such values.
it.runIf(inject('browserName') === 'firefox').each([
  [25, 'text'],
  [25, 'objects'],
  [100, 'text'],
] as const)('sets aside, saves and removes %d MiB of unreadable %s', async (size, kind) => {
  const extension = await launchBuiltExtension();
  const options = await openPreferences(extension);
  const length = await options.evaluate(storeGarbage, { characters: size * 1024 * 1024, kind });
  await extension.stopWorker();
  const times: Record<string, number> = {};
  const measure = async (what: string, work: () => Promise<unknown>): Promise<void> => {
    const start = performance.now();
    await work();
    times[what] = Math.round(performance.now() - start);
  };

  await measure('notice', async () => {
    await options.reload();
    await succeeds(options, 'could not be read. It is kept');
  });
  await measure('change', async () => {
    await pickTheme(options, 'Dark');
    await succeeds(options, 'Saved.');
  });
  await options.evaluate(catchDownloads);
  await measure('save', async () => {
    await pressButton(options, 'Save a copy');
    await succeeds(options, 'Saved as');
  });
  const saved = await options.waitFor(() => {
    const text = document.body.dataset['saved'];
    return text !== undefined && JSON.stringify((JSON.parse(text) as [{ value: unknown }])[0].value).length;
  });
  await measure('remove', async () => {
    await pressButton(options, 'Remove…');
    await pressButton(options, 'Remove');
    await succeeds(options, 'The unreadable data was removed.');
  });
  const left = await options.evaluate(async () => Object.keys(await chrome.storage.local.get(null)));

  console.log(`measured: ${JSON.stringify({ size, kind, ...times, retries: await retries(options) })}`);
  expect(saved).toBe(length);
  expect(left.filter((key) => key.startsWith('quarantine/'))).toEqual([]);
  const messages = await extension.readConsole();
  // A read that takes more than ten seconds is logged, and the page offers to retry it.
  expect(messages.filter(({ text }) => !text.includes('NOT_READ'))).toEqual([]);
});

/** Runs in the page. Stores preferences that cannot be read. Returns the number of characters of their text. */
async function storeGarbage({ characters, kind }: { characters: number; kind: string }): Promise<number> {
  const record = { text: 'some text', list: [1, 2.5, null, true] };
  const count = characters / JSON.stringify(record).length;
  const preferences = kind === 'text' ? 'x'.repeat(characters) : Array.from({ length: count }, () => record);
  await chrome.storage.local.set({ preferences });
  return JSON.stringify(preferences).length;
}

/** Waits for a text. Presses “Try again” when the page offers it, and fails after an unexpected failure. */
async function succeeds(page: View, text: string): Promise<void> {
  const found = await page.waitFor((expected) => {
    const { body } = document;
    if (body.textContent.includes(expected)) return expected;
    const failure = document.querySelector('.failure')?.textContent ?? '';
    if (failure.includes('unexpectedly')) return failure;
    const retry = [...document.querySelectorAll('button')].find(
      ({ textContent }) => textContent === 'Try again',
    );
    if (retry === undefined) return undefined;
    retry.click();
    body.dataset['retries'] = String(Number(body.dataset['retries'] ?? 0) + 1);
    return undefined;
  }, text);
  expect(found).toBe(text);
}

async function retries(page: View): Promise<number> {
  return page.evaluate(() => Number(document.body.dataset['retries'] ?? 0));
}
