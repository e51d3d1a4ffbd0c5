import type { KeyChanges, Store } from './store.ts';

/** The keys with one prefix. */
interface KeyList {
  /** The keys in order, once they are loaded. */
  keys: readonly string[] | undefined;
  readonly loading: Promise<readonly string[]>;
}

/** Lists the keys of each prefix once, and then follows the changes. */
export function createKeyLists(listStore: Store['list']) {
  const lists = new Map<string, KeyList>();

  function load(prefix: string): KeyList {
    const list: KeyList = { keys: undefined, loading: listStore(prefix) };
    lists.set(prefix, list);
    list.loading.then(
      (keys) => (list.keys = keys),
      () => {
        if (lists.get(prefix) === list) lists.delete(prefix);
      },
    );
    return list;
  }

  return {
    /** Returns the keys that begin with a prefix, in order. */
    list: async (prefix: string): Promise<readonly string[]> => {
      const list = lists.get(prefix) ?? load(prefix);
      return list.keys ?? list.loading;
    },

    /** Returns `true` if a list shows that nothing is stored under a key. */
    isAbsent: (key: string): boolean => {
      const keys = lists.get(key.slice(0, key.indexOf('/') + 1))?.keys;
      return keys !== undefined && keys[positionOf(keys, key)] !== key;
    },

    /** Follows changes that were written. A list that is being loaded may lack them, so the next call loads it again. */
    update: (changes: KeyChanges): void => {
      for (const [prefix, list] of lists) {
        if (list.keys !== undefined) list.keys = updateKeys(list.keys, prefix, changes);
        else if ([...changes.keys()].some((key) => key.startsWith(prefix))) lists.delete(prefix);
      }
    },
  };
}

/** Returns a sorted list of the keys with a prefix as it is after changes. */
export function updateKeys(
  listed: readonly string[],
  prefix: string,
  changes: KeyChanges,
): readonly string[] {
  const changed = [...changes].filter(([key]) => key.startsWith(prefix));
  if (changed.length === 0) return listed;
  // Readers may still have the list, so a copy is changed.
  const keys = [...listed];
  for (const [key, { stored }] of changed) {
    const index = positionOf(keys, key);
    const isListed = keys[index] === key;
    if (isListed && stored === null) keys.splice(index, 1);
    if (!isListed && stored !== null) keys.splice(index, 0, key);
  }
  return keys;
}

/** Returns the index of a key in a sorted list, or the index at which it belongs. */
export function positionOf(listed: readonly string[], key: string): number {
  let [low, high] = [0, listed.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((listed[middle] ?? '') < key) low = middle + 1;
    else high = middle;
  }
  return low;
}
