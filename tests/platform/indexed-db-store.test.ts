import { beforeEach, expect, it, vi } from 'vitest';

import type { Store } from '../../src/messaging/state/store.ts';

const refused = new DOMException('A mutation operation was attempted.', 'InvalidStateError');

const open = vi.fn<() => object>();
let store: Store;

beforeEach(async () => {
  vi.stubGlobal('indexedDB', { open });
  vi.resetModules();
  store = (await import('../../src/platform/indexed-db-store.ts')).indexedDbStore;
  return () => {
    vi.unstubAllGlobals();
    open.mockReset();
  };
});

/** Fails to open a database, as Firefox does in a profile that is always private. */
function failLater(): object {
  const request: { error: unknown; onerror?: () => void } = { error: refused };
  queueMicrotask(() => request.onerror?.());
  return request;
}

function failAtOnce(): never {
  throw refused;
}

it.each([
  ['rejects the request', failLater],
  ['throws', failAtOnce],
])('says what to do if the browser %s, and opens the database again at the next call', async (_how, fail) => {
  open.mockImplementation(fail);

  const first = store.read(['a']);

  await expect(first).rejects.toThrow(
    'IndexedDB cannot be opened. In a Firefox that always uses private browsing mode, turn this mode off, or use storage.local.',
  );
  await expect(first).rejects.toMatchObject({ cause: refused });
  await expect(store.write({ a: 1 })).rejects.toMatchObject({ cause: refused });
  expect(open).toHaveBeenCalledTimes(2);
});
