import { describe, expect, it } from 'vitest';

import { launchTestExtension } from '../support/built-extension.ts';
import { storeCases } from '../support/store-suite.ts';

describe.each(['storage.local', 'IndexedDB'] as const)('a store over %s', (store) => {
  it('passes all cases of the suite for stores', async () => {
    const page = await (await launchTestExtension('wire')).open('options.html');

    const outcomes: Record<string, unknown> = {};
    for (const name of Object.keys(storeCases)) {
      outcomes[name] = await page.evaluate((...args) => wires.runStoreCase(...args), store, name);
    }

    const expected = Object.entries(storeCases).map(([name, storeCase]) => [name, storeCase.expected]);
    expect(outcomes).toEqual(Object.fromEntries(expected));
  });
});

it('does not list a key whose removal from `storage.local` was interrupted', async () => {
  const page = await (await launchTestExtension('wire')).open('options.html');

  const outcome = await page.evaluate(async () => {
    // A background that dies between the two operations of a removal leaves this.
    await chrome.storage.local.set({ 'notes/a': null, 'notes/b': 1, 'store/removed': ['notes/a'] });
    return [await wires.store.read(['notes/a', 'notes/b']), await wires.store.list('notes/')];
  });

  expect(outcome).toEqual([{ 'notes/b': 1 }, ['notes/b']]);
});

it('keeps values that are written while it finishes an interrupted removal', async () => {
  const page = await (await launchTestExtension('wire')).open('options.html');

  const lost = await page.evaluate(async () => {
    const keys = Array.from({ length: 1_000 }, (_, index) => `notes/${index}`);
    const removed = Object.fromEntries(keys.map((key) => [key, null]));
    await chrome.storage.local.set({ ...removed, 'store/removed': keys });
    const listing = wires.store.list('notes/');
    const writes: Promise<void>[] = [];
    for (const key of keys) {
      writes.push(wires.store.write({ [key]: 1 }));
      // A read after each write spreads the writes over the time of the list.
      await wires.store.read([]);
    }
    await Promise.all([listing, ...writes]);
    const stored = await wires.store.read(keys);
    return keys.filter((key) => stored[key] !== 1);
  });

  expect(lost).toEqual([]);
});
