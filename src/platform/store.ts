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
    await (finishing ??= finishRemovals());
    const keys = area.getKeys ? await area.getKeys() : Object.keys(await area.get(null));
    return keys.filter((key) => key.startsWith(prefix) && !leaving.has(key)).toSorted();
  },
  write: async (entries) => {
    const keys = Object.keys(entries);
    const removed = keys.filter((key) => entries[key] === null);
    // This write replaces the list of removed keys, so removals of an earlier background must finish first.
    // Later writes wait too, so that they stay in order.
    if (removed.length > 0) ready ??= finishing ??= finishRemovals();
    await ready;
    for (const key of keys) {
      leaving.delete(key);
      written?.add(key);
    }
    for (const key of removed) leaving.add(key);
    writes += 1;
    try {
      await local().set(removed.length === 0 ? entries : { ...entries, [REMOVED]: [...leaving] });
    } catch (error) {
      // The write has failed, so these keys may still have their values.
      for (const key of removed) leaving.delete(key);
      throw error;
    } finally {
      writes -= 1;
      if (leaving.size > 0) tidying ??= setTimeout(tidy, TIDY_DELAY);
    }
  },
  lock: async (work) => navigator.locks.request('state', work),
};

/** The key under which writes list the keys that are `null`. */
const REMOVED = 'store/removed';

/** Keys that are `null` and will be removed. A key that is set again leaves this set. */
const leaving = new Set<string>();

/** Keys that this background has written, until the removals of an earlier one are finished. */
let written: Set<string> | undefined = new Set();

/** Number of writes under way. Their keys must not be removed, because they may fail. */
let writes = 0;

/** Resolves when the removals of an earlier background are finished. */
let finishing: Promise<void> | undefined;

/** Writes wait for this. The first write that removes keys sets it to `finishing`. Earlier writes do not wait. */
let ready: Promise<void> | undefined;

/** Removes the keys that an earlier background set to `null` just before it died, so that they are not listed. */
async function finishRemovals(): Promise<void> {
  try {
    const { [REMOVED]: names } = await local().get(REMOVED);
    if (!Array.isArray(names)) return;
    const keys = names.filter((name) => typeof name === 'string');
    const stored = await local().get(keys);
    const left = keys.filter((key) => stored[key] === null && written?.has(key) !== true);
    if (left.length > 0) await local().remove(left);
  } catch {
    // If this fails, `list` returns keys that are `null`, and `read` finds nothing under them.
  } finally {
    written = undefined;
  }
}

/** Milliseconds before keys are removed, so that a burst of changes needs one removal. */
const TIDY_DELAY = 1_000;

let tidying: ReturnType<typeof setTimeout> | undefined;

function tidy(): void {
  tidying = undefined;
  // The end of the write tries again.
  if (writes > 0) return;
  // Keys that cannot be removed stay `null`, which counts as removed.
  removeLeaving([...leaving]).catch(() => {});
}

async function removeLeaving(keys: readonly string[]): Promise<void> {
  const left = keys.filter((key) => leaving.delete(key));
  if (left.length > 0) await local().remove(left);
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
