import { storage } from 'webextension-polyfill';

import type { Store } from '../messaging/state/store.ts';

type Entries = Parameters<Store['write']>[0];

/** Key of the list of removed keys. It is text, because Firefox may lose an object if the background dies. */
export const REMOVED = 'store/removed';

/** Milliseconds before keys are deleted, so that a burst of changes needs one deletion. */
const DELAY = 1_000;

/** Number of keys that are deleted without a delay, because each write of a burst stores the whole list. */
const MANY = 64;

/** Keys that are `null`, were written since, or could not be deleted. The stored list names all that are `null`. */
const removed = new Set<string>();

/** Keys that were written since the deletion under way has looked at them. */
const writtenSince = new Set<string>();

let isDeleting = false;
let timer: ReturnType<typeof setTimeout> | undefined;

/** The keys of `storage.local` that were set to `null`, until they are deleted. */
export const removedKeys = {
  /** Adds keys that may be `null`. */
  add: (keys: readonly string[]): void => {
    for (const key of keys) removed.add(key);
    deleteLater();
  },

  /** Follows a write. Returns the list to store with it, if it removes keys. */
  follow: (entries: Entries): Entries => {
    for (const [key, value] of Object.entries(entries)) {
      if (isDeleting) writtenSince.add(key);
      if (value === null) removed.add(key);
    }
    return Object.values(entries).includes(null) ? { [REMOVED]: JSON.stringify([...removed]) } : {};
  },

  /** Returns keys that may be `null`. */
  withPrefix: (prefix: string): string[] => [...removed].filter((key) => key.startsWith(prefix)),

  deleteLater,
};

/** Returns `true` if a key is not stored, or removed. */
export const isGone = (stored: Readonly<Record<string, unknown>>, key: string): boolean =>
  !Object.hasOwn(stored, key) || stored[key] === null;

/** Parses the stored list. A damaged one is empty. */
export function parseList(stored: unknown): readonly string[] {
  try {
    const list: unknown = typeof stored === 'string' ? JSON.parse(stored) : [];
    return Array.isArray(list) ? list.filter((key) => typeof key === 'string') : [];
  } catch {
    return [];
  }
}

function deleteLater(): void {
  if (removed.size >= MANY) deleteNow();
  else if (removed.size > 0) timer ??= setTimeout(deleteNow, DELAY);
}

function deleteNow(): void {
  clearTimeout(timer);
  timer = undefined;
  if (isDeleting) return;
  isDeleting = true;
  deleteGone()
    .finally(() => (isDeleting = false))
    // After an error, the next write tries again.
    .then(deleteLater, () => {});
}

/** Deletes the keys that are `null`, and the list if it names no other key. */
async function deleteGone(): Promise<void> {
  writtenSince.clear();
  const keys = [...removed];
  const stored = await storage.local.get(keys);
  // A key that was written since then may have a value. One that is written later stays, because operations take effect in
  // the order of the calls.
  const looked = keys.filter((key) => !writtenSince.has(key));
  const gone = looked.filter((key) => isGone(stored, key));
  writtenSince.clear();
  await storage.local.remove(looked.length === removed.size ? [...gone, REMOVED] : gone);
  for (const key of looked) if (!writtenSince.has(key)) removed.delete(key);
}
