import { storage, type Storage } from 'webextension-polyfill';

import type { Store } from '../messaging/state/store.ts';
import { isGone, parseList, REMOVED, removedKeys } from './removed-keys.ts';

/** The storage area, with functions that the library's types lack. */
type Area = Storage.StorageArea & {
  /** Since Chromium 130 and Firefox 143. */
  readonly getKeys?: () => Promise<string[]>;
  /** Since Chromium 102. Firefox 153 does not have it. */
  readonly setAccessLevel?: (options: { readonly accessLevel: 'TRUSTED_CONTEXTS' }) => Promise<void>;
};

/**
 * Keeps the state in `storage.local`, which both browsers write atomically.
 *
 * Writing and removing are two operations there. So a key is first set to `null`, in the same write as all other entries,
 * and deleted later, together with others. If the background dies in between, the `null` counts as removed.
 */
export const localStore: Store = {
  read,
  list: async (prefix) => {
    await (listRead ?? read([]));
    const area = local();
    const removable = removedKeys.withPrefix(prefix);
    const [keys, stored] = await Promise.all([
      area.getKeys ? area.getKeys() : area.get(null).then(Object.keys),
      removable.length === 0 ? {} : area.get(removable),
    ]);
    const gone = new Set(removable.filter((key) => isGone(stored, key)));
    return keys.filter((key) => key.startsWith(prefix) && !gone.has(key)).toSorted();
  },
  write: async (entries) => {
    await (listRead ?? read([]));
    await local()
      .set({ ...entries, ...removedKeys.follow(entries) })
      .finally(removedKeys.deleteLater);
  },
};

/** Resolves when the list of removed keys that earlier backgrounds have left is read. */
let listRead: Promise<void> | undefined;

/** Reads values. The first call reads the list of removed keys as well. */
async function read(keys: readonly string[]): Promise<Readonly<Record<string, unknown>>> {
  const isFirst = listRead === undefined;
  const reading = local().get(isFirst ? [...keys, REMOVED] : [...keys]);
  if (isFirst) {
    listRead = reading.then(({ [REMOVED]: list }) => removedKeys.add(parseList(list)));
    listRead.catch(() => (listRead = undefined));
  }
  const stored = await reading;
  // A damaged database may have lost the list that names them.
  removedKeys.add(keys.filter((key) => stored[key] === null));
  return Object.fromEntries(keys.filter((key) => !isGone(stored, key)).map((key) => [key, stored[key]]));
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
