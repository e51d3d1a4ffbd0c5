import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { expect, it } from 'vitest';

import { launchBuiltExtension } from '../support/built-extension.ts';

const polyfill = await readFile(createRequire(import.meta.url).resolve('webextension-polyfill'), 'utf8');

it('returns promises for every API that the extension uses, also under `chrome`', async () => {
  const extension = await launchBuiltExtension();
  const page = await extension.open('src/options/index.html');

  const given = await page.evaluate(async () => {
    const asked: Record<string, unknown> = {
      read: chrome.storage.local.get(null),
      write: chrome.storage.local.set({}),
      remove: chrome.storage.local.remove([]),
      measure: chrome.storage.local.getBytesInUse(null),
      tabs: chrome.tabs.query({ url: chrome.runtime.getURL('*') }),
      permissions: chrome.permissions.getAll(),
      message: chrome.runtime.sendMessage({ kind: 'unknown' }).catch(() => 'no answer'),
    };
    await Promise.all(Object.values(asked));
    return Object.entries(asked).map(([name, promise]) => [name, promise instanceof Promise]);
  });

  expect(given.filter(([, isPromise]) => isPromise !== true)).toEqual([]);
  expect(given).toHaveLength(7);
});

it('is what webextension-polyfill would give', async () => {
  const extension = await launchBuiltExtension();
  const page = await extension.open('src/options/index.html');
  await page.evaluate(() => {
    Object.assign(globalThis, { native: browser });
  });

  await page.inject(polyfill);

  // The library puts what it has into `browser`.
  const isNative = () => (globalThis as { native?: unknown }).native === browser;
  expect(await page.evaluate(isNative)).toBe(true);
});
