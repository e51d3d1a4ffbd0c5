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
    await loadRemoved();
    // Taken before the keys, because a removal may end while they are listed.
    const doubtful = [...leaving.keys()].filter((key) => key.startsWith(prefix));
    const keys = area.getKeys ? await area.getKeys() : Object.keys(await area.get(null));
    const stored = doubtful.length === 0 ? {} : await area.get(doubtful);
    const removed = new Set(doubtful.filter((key) => (stored[key] ?? null) === null));
    return keys.filter((key) => key.startsWith(prefix) && !removed.has(key)).toSorted();
  },
  write: async (entries) => {
    const keys = Object.keys(entries);
    const removed = keys.filter((key) => entries[key] === null);
    // This write replaces the list of removed keys, so the list of an earlier background must be known.
    // Later writes wait too, so that they stay in order.
    if (removed.length > 0) ready ??= loadRemoved();
    await ready;
    const replaced = keys.filter((key) => leaving.delete(key));
    const removal = { hasEnded: false };
    for (const key of removed) leaving.set(key, removal);
    try {
      await local().set(removed.length === 0 ? entries : { ...entries, [REMOVED]: [...leaving.keys()] });
    } catch (error) {
      // Unless the write took place, these keys are still `null`.
      for (const key of replaced) if (!leaving.has(key)) leaving.set(key, removal);
      throw error;
    } finally {
      removal.hasEnded = true;
      tidySoon();
    }
  },
  lock: async (work) => navigator.locks.request('state', work),
};

/** The key under which writes list the keys that are `null`. */
const REMOVED = 'store/removed';

/** A write that has set keys to `null`. */
interface Removal {
  hasEnded: boolean;
}

/** Keys that may be `null`, with the latest write. Each is read before it counts as removed, because a write may have failed. */
const leaving = new Map<string, Removal>();

/** Resolves when `leaving` has the keys that an earlier background set to `null` just before it died. */
let loading: Promise<void> | undefined;

/** Writes wait for this. The first write that removes keys sets it. Earlier writes do not wait. */
let ready: Promise<void> | undefined;

function loadRemoved(): Promise<void> {
  loading ??= addRemoved().catch((error: unknown) => {
    // The next call tries again.
    loading = undefined;
    ready = undefined;
    throw error;
  });
  return loading;
}

async function addRemoved(): Promise<void> {
  const { [REMOVED]: names } = await local().get(REMOVED);
  const removal = { hasEnded: true };
  for (const name of Array.isArray(names) ? names : [])
    if (typeof name === 'string') leaving.set(name, removal);
  tidySoon();
}

/** Milliseconds before keys are removed, so that a burst of changes needs one removal. */
const TIDY_DELAY = 1_000;

let tidying: ReturnType<typeof setTimeout> | undefined;

function tidySoon(): void {
  if (leaving.size > 0) tidying ??= setTimeout(() => void tidy(), TIDY_DELAY);
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
  // A write that has begun since may have set a key, or may have set it to `null` again.
  const unchanged = (): string[] =>
    ended.filter(([key, removal]) => leaving.get(key) === removal).map(([key]) => key);
  const stored = await local().get(ended.map(([key]) => key));
  const removed = unchanged().filter((key) => stored[key] === null);
  if (removed.length > 0) await local().remove(removed);
  for (const key of unchanged()) leaving.delete(key);
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
