import { storage, type Storage } from 'webextension-polyfill';

import type { Store } from '../messaging/state/store.ts';

/** The storage area, with functions that the library's types lack. */
type Area = Storage.StorageArea & {
  /** Since Chromium 130 and Firefox 143. */
  readonly getKeys?: () => Promise<string[]>;
  /** Since Chromium 102. Firefox 153 does not have it. */
  readonly setAccessLevel?: (options: { readonly accessLevel: 'TRUSTED_CONTEXTS' }) => Promise<void>;
};

/**
 * Keeps the state in `storage.local`, which both browsers write atomically, and locks it with a Web Lock.
 *
 * Writing and removing are two operations there. So a key is first set to `null`, in the same write as all other entries,
 * and removed later, together with others. If the background dies in between, the `null` counts as removed.
 */
export const browserStore: Store = {
  read: async (keys) => {
    const stored = await local().get([...keys]);
    const entries = keys.filter((key) => Object.hasOwn(stored, key) && stored[key] !== null);
    return Object.fromEntries(entries.map((key) => [key, stored[key]]));
  },
  list: async (prefix) => {
    const area = local();
    // Taken before the keys, because a removal may end while they are listed.
    const before = [...leaving.keys()];
    const keys = area.getKeys ? await area.getKeys() : Object.keys(await area.get(null));
    await loadLists(keys.filter((key) => key.startsWith(REMOVED) && !lists.has(key)));
    const doubtful = [...new Set([...before, ...leaving.keys()])].filter((key) => key.startsWith(prefix));
    const stored = doubtful.length === 0 ? {} : await area.get(doubtful);
    const removed = new Set(doubtful.filter((key) => (stored[key] ?? null) === null));
    return keys.filter((key) => key.startsWith(prefix) && !removed.has(key)).toSorted();
  },
  write: async (entries) => {
    const keys = Object.keys(entries);
    const removed = keys.filter((key) => entries[key] === null);
    const list = removed.length === 0 ? {} : { [`${REMOVED}/${owner}-${(listCount += 1)}`]: removed };
    const write = { hasEnded: false };
    const replaced = keys.filter((key) => entries[key] !== null && leaving.has(key));
    for (const key of [...removed, ...replaced]) leaving.set(key, write);
    for (const [key, names] of Object.entries(list)) lists.set(key, names);
    try {
      await local().set({ ...entries, ...list });
      // After a failed write, they may still be `null`.
      for (const key of replaced) if (leaving.get(key) === write) leaving.delete(key);
    } finally {
      write.hasEnded = true;
      tidySoon();
    }
  },
  lock: async (work) => navigator.locks.request('state', work),
};

/**
 * Prefix of the lists of removed keys. Each write stores its own list, because a single list would grow with each write of a
 * burst, and each write would store all of it again. Earlier versions of the core stored a single list under this key.
 */
const REMOVED = 'store/removed';

/** Makes the keys of this background's lists unique. */
const owner = crypto.randomUUID();
let listCount = 0;

/** A write that has set keys to `null`, or has replaced the `null` under them. */
interface Write {
  hasEnded: boolean;
}

/** Keys that may be `null`, with the latest write. Each is read before it counts as removed, because a write may have failed. */
const leaving = new Map<string, Write>();

/** The stored lists, by their keys. A list is removed after the keys that it names. */
const lists = new Map<string, readonly string[]>();

/** Reads the lists of earlier backgrounds. */
async function loadLists(keys: readonly string[]): Promise<void> {
  if (keys.length === 0) return;
  const stored = await local().get([...keys]);
  const write = { hasEnded: true };
  for (const key of keys) {
    const list: unknown = stored[key];
    const names = Array.isArray(list) ? list.filter((name) => typeof name === 'string') : [];
    lists.set(key, names);
    for (const name of names) if (!leaving.has(name)) leaving.set(name, write);
  }
  clearTimeout(tidying);
  tidying = setTimeout(() => void tidy(), LEFT_DELAY);
}

/** Milliseconds before keys are removed, so that a burst of changes needs one removal. */
const TIDY_DELAY = 1_000;

/**
 * Milliseconds before the keys are removed that earlier backgrounds have left. This is sooner, because their number would grow if
 * each background died within `TIDY_DELAY`.
 */
const LEFT_DELAY = 100;

let tidying: ReturnType<typeof setTimeout> | undefined;

function tidySoon(): void {
  if (leaving.size + lists.size > 0) tidying ??= setTimeout(() => void tidy(), TIDY_DELAY);
}

/** Removes the keys that are `null`. Keys that cannot be removed now are tried again after the next write. */
async function tidy(): Promise<void> {
  tidying = undefined;
  try {
    // Without the lock, another background could write a key after it was read.
    await browserStore.lock(removeEnded);
  } catch {
    // Until then, `list` and `read` leave these keys out.
  }
}

async function removeEnded(): Promise<void> {
  // The others follow when their writes have ended.
  const ended = [...leaving].filter(([, { hasEnded }]) => hasEnded);
  const stored = await local().get(ended.map(([key]) => key));
  // A write that has begun since may have set a key, or may have set it to `null` again.
  const unchanged = new Set(ended.filter(([key, write]) => leaving.get(key) === write).map(([key]) => key));
  const isSettled = (key: string): boolean => unchanged.has(key) || !leaving.has(key);
  const removed = [...unchanged].filter((key) => stored[key] === null);
  const done = [...lists].filter(([, names]) => names.every(isSettled)).map(([key]) => key);
  if (removed.length + done.length > 0) await local().remove([...removed, ...done]);
  for (const key of done) lists.delete(key);
  for (const [key, write] of ended) if (leaving.get(key) === write) leaving.delete(key);
}

/** The key of the id in `storage.session`. */
const SESSION = 'session';

/**
 * Returns an id of the browser's session. `storage.session` outlives the background, but neither the browser nor an update of
 * the extension.
 */
export function readSession(): Promise<string> {
  // Two backgrounds that overlap must get the same id.
  return navigator.locks.request('session', async () => {
    const { [SESSION]: known } = await storage.session.get(SESSION);
    if (typeof known === 'string') return known;
    const id = crypto.randomUUID();
    await storage.session.set({ [SESSION]: id });
    return id;
  });
}

/** Denies content scripts access to the stored state, if the browser can. */
export function restrictStorage(): void {
  local()
    .setAccessLevel?.({ accessLevel: 'TRUSTED_CONTEXTS' })
    .catch((error: unknown) => {
      console.warn('Content scripts can read the stored state:', error);
    });
}

function local(): Area {
  return storage.local;
}
