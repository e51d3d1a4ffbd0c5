import type { Storage } from 'webextension-polyfill';

import type { Store } from '../messaging/state/store.ts';
import * as browser from './browser.ts';

/** The storage area, with functions that are missing in the library's types. */
type Area = Storage.StorageArea & {
  /** Chromium 130, Firefox 143. */
  readonly getKeys?: () => Promise<string[]>;
  /** Chromium 102; missing in Firefox 153. */
  readonly setAccessLevel?: (options: { readonly accessLevel: 'TRUSTED_CONTEXTS' }) => Promise<void>;
};

/**
 * State in `storage.local`, which writes several keys atomically in both browsers, behind one Web Lock.
 *
 * Writing and removing are two operations there. So a key is first set to `null`, together with everything else that is
 * written, and then removed: whenever the background dies, `null` counts as removed.
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
    return keys.filter((key) => key.startsWith(prefix)).toSorted();
  },
  write: async (entries) => {
    const keys = Object.keys(entries);
    const removed = keys.filter((key) => entries[key] === null);
    // This write replaces the list of keys that an earlier background was removing. Later writes wait too, to stay in order.
    if (removed.length > 0) isReady ??= finishing ??= finishRemovals();
    await isReady;
    for (const key of keys) leaving.delete(key);
    for (const key of removed) leaving.add(key);
    await local().set(removed.length === 0 ? entries : { ...entries, [REMOVED]: removed });
    removeLeaving(removed).catch(() => {
      // `null` stays, and counts as removed.
    });
  },
  lock: async (work) => navigator.locks.request('state', work),
};

/** The keys of the last write with removals. */
const REMOVED = 'store/removed';

/** Keys that are `null` and about to be removed. A write that puts a value there takes its key out. */
const leaving = new Set<string>();

/** Resolves when the removals of an earlier background are finished. */
let finishing: Promise<void> | undefined;

/** The same promise once a write must wait for it. Notes of events must not, since the background may die at any moment. */
let isReady: Promise<void> | undefined;

/** Removes the keys that an earlier background set to `null` just before it died, so that they are not listed. */
async function finishRemovals(): Promise<void> {
  try {
    const { [REMOVED]: names } = await local().get(REMOVED);
    if (!Array.isArray(names)) return;
    const keys = names.filter((name) => typeof name === 'string');
    for (const key of keys) leaving.add(key);
    const stored = await local().get(keys);
    await removeLeaving(keys.filter((key) => stored[key] === null));
  } catch {
    // Keys that are `null` are listed then, and read as absent.
  }
}

async function removeLeaving(keys: readonly string[]): Promise<void> {
  const left = keys.filter((key) => leaving.delete(key));
  if (left.length > 0) await local().remove(left);
}

/** Denies content scripts access to the stored state, if the browser can. */
export function restrictStorage(): void {
  local()
    .setAccessLevel?.({ accessLevel: 'TRUSTED_CONTEXTS' })
    .catch((error: unknown) => {
      console.warn('The stored state is open to content scripts:', error);
    });
}

function local(): Area {
  return browser.storage.local;
}
