import type { Entries } from './store.ts';

/** Splits the key of a record into the prefix of its collection and its id. A document's key has no id. */
export function splitKey(key: string): readonly [prefix: string, id?: string] {
  const end = key.indexOf('/') + 1;
  return end === 0 ? [key] : [key.slice(0, end), key.slice(end)];
}

/** The keys in the store by prefix, in order. Each prefix is listed once, since only this background changes the store. */
export function createKeys(list: (prefix: string) => Promise<readonly string[]>) {
  const known = new Map<string, string[]>();
  let writes = 0;

  return {
    list: async (prefix: string): Promise<readonly string[]> => {
      const keys = known.get(prefix);
      if (keys !== undefined) return [...keys];

      const before = writes;
      const listed = await list(prefix);
      // Otherwise something was written while the store was listed.
      if (before === writes) known.set(prefix, [...listed]);
      return listed;
    },

    /** These entries were written. */
    update: (entries: Entries): void => {
      writes += 1;
      for (const [key, value] of Object.entries(entries)) {
        const keys = known.get(splitKey(key)[0]);
        if (keys === undefined) continue;
        const index = keys.findIndex((other) => other >= key);
        const isKnown = keys[index] === key;
        if (value === null && isKnown) keys.splice(index, 1);
        if (value !== null && !isKnown) keys.splice(index === -1 ? keys.length : index, 0, key);
      }
    },

    /** It is not known what was written. */
    forget: (): void => {
      writes += 1;
      known.clear();
    },
  };
}
