import type { Store } from './store.ts';

/** The keys with one prefix. */
interface KeyList {
  /** The keys in order, once they are loaded. */
  keys: readonly string[] | undefined;
  loaded: Promise<void>;
  /** Changes that were written while the keys were being loaded. */
  late: (readonly [key: string, change: Changed])[];
}

interface Changed {
  readonly stored: unknown;
}

/** Lists the keys of each prefix once, and then follows the changes. */
export function createKeyLists(listStore: Store['list']) {
  const lists = new Map<string, KeyList>();

  async function load(prefix: string, list: KeyList): Promise<void> {
    try {
      list.keys = updateKeys(await listStore(prefix), prefix, list.late);
    } catch (error) {
      lists.delete(prefix);
      throw error;
    }
  }

  return {
    /** Returns the keys that begin with a prefix, in order. */
    list: async (prefix: string): Promise<readonly string[]> => {
      let list = lists.get(prefix);
      if (list === undefined) {
        list = { keys: undefined, loaded: Promise.resolve(), late: [] };
        lists.set(prefix, list);
        list.loaded = load(prefix, list);
      }
      await list.loaded;
      return list.keys ?? [];
    },

    /** Returns `true` if a list shows that nothing is stored under a key. */
    isAbsent: (key: string): boolean => {
      const keys = lists.get(key.slice(0, key.indexOf('/') + 1))?.keys;
      return keys !== undefined && keys[positionOf(keys, key)] !== key;
    },

    /** Follows changes that were written. */
    update: (changes: ReadonlyMap<string, Changed>): void => {
      for (const [prefix, list] of lists) {
        if (list.keys === undefined) list.late.push(...changes);
        else list.keys = updateKeys(list.keys, prefix, changes);
      }
    },
  };
}

/** Returns a sorted list of the keys with a prefix as it is after changes. */
export function updateKeys(
  listed: readonly string[],
  prefix: string,
  changes: Iterable<readonly [key: string, change: Changed]>,
): readonly string[] {
  const changed = [...changes].filter(([key]) => key.startsWith(prefix));
  if (changed.length > FEW) {
    const kept = new Set(listed);
    for (const [key, { stored }] of changed) {
      if (stored === null) kept.delete(key);
      else kept.add(key);
    }
    return [...kept].toSorted();
  }
  let keys = listed;
  for (const [key, { stored }] of changed) {
    const index = positionOf(keys, key);
    const isListed = keys[index] === key;
    if (isListed && stored === null) keys = keys.toSpliced(index, 1);
    if (!isListed && stored !== null) keys = keys.toSpliced(index, 0, key);
  }
  return keys;
}

/** Number of keys up to which each is inserted by itself. More keys are sorted together. */
const FEW = 20;

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
