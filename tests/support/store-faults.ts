import type { Entries, Store } from '../../src/messaging/state/store.ts';

/** Rejects, as an operation of a disk that is gone. */
export const gone = (): Promise<never> => Promise.reject(new Error('The disk is gone'));

/** Returns a patch for a store that refuses some writes. */
export const refusing =
  (isRefused: (entries: Entries) => boolean) =>
  (store: Store): Store => ({
    ...store,
    write: (entries) =>
      isRefused(entries) ? Promise.reject(new Error('QUOTA_BYTES')) : store.write(entries),
  });

/** Returns a patch for a store that has this value. It need not be JSON, because Firefox also stores other values. */
export const holding =
  (key: string, value: unknown) =>
  (store: Store): Store => ({
    ...store,
    read: async (keys) => ({ ...(await store.read(keys)), ...(keys.includes(key) && { [key]: value }) }),
  });

/** Returns a patch for stores, and the operations that were asked of them from then on. */
export function recordStore() {
  const reads: (readonly string[])[] = [];
  const lists: string[] = [];
  const writes: (readonly string[])[] = [];
  return {
    /** The keys of each read. */
    reads,
    /** The prefixes that were listed. */
    lists,
    /** The keys of each write. */
    writes,
    patchStore: (store: Store): Store => ({
      read: (keys) => {
        reads.push(keys);
        return store.read(keys);
      },
      list: (prefix) => {
        lists.push(prefix);
        return store.list(prefix);
      },
      write: (entries) => {
        writes.push(Object.keys(entries));
        return store.write(entries);
      },
    }),
  };
}
