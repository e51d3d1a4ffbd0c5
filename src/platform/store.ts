import type { Storage } from 'webextension-polyfill';

import type { Store } from '../messaging/state/store.ts';
import * as browser from './browser.ts';

/** The storage area, with functions that are missing in the library's types. */
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
 * and then removed. If the background dies in between, the `null` counts as removed.
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
    for (const key of keys) nulls.delete(key);
    for (const key of removed) nulls.add(key);
    if (removed.length > 0) finishing ??= finishRemovals();
    // Otherwise `finishRemovals` could remove a value that this write stores.
    await finishing;
    await local().set(removed.length === 0 ? entries : { ...entries, [REMOVED]: removed });
    // A later write may have given some of these keys a value by now.
    const left = removed.filter((key) => nulls.delete(key));
    if (left.length > 0) {
      local()
        .remove(left)
        .catch(() => {
          // `null` stays, and counts as removed.
        });
    }
  },
  lock: async (work) => navigator.locks.request('state', work),
};

/** Keys that are set to `null` and will then be removed. */
const nulls = new Set<string>();

/** The key under which a write lists the keys that it removes. */
const REMOVED = 'store/removed';

let finishing: Promise<void> | undefined;

/** Removes the keys that an earlier background set to `null` just before it died, so that they are not listed. */
async function finishRemovals(): Promise<void> {
  try {
    const { [REMOVED]: names } = await local().get(REMOVED);
    if (!Array.isArray(names)) return;
    const keys = names.filter((name) => typeof name === 'string');
    const stored = await local().get(keys);
    await local().remove(keys.filter((key) => stored[key] === null));
  } catch {
    // Then keys that are `null` are listed, although reading finds nothing under them.
  }
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
