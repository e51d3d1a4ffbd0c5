import { createKeyLists } from './key-lists.ts';
import type { KeyChanges, Store } from './store.ts';

/** A value as the code that uses it has parsed it, and its size in characters. */
export interface Held<T = unknown> {
  readonly value: T;
  readonly size: number;
}

/** Parses values that were read from the store. A missing one is `undefined`. */
type Parse<T> = (values: readonly unknown[]) => Promise<readonly Held<T>[]>;

/** Values that are being read. */
type Loading = Promise<ReadonlyMap<string, Held>>;

export type Memory = ReturnType<typeof createMemory>;

/** Characters that values in memory may take together. `storage.local` holds as many by default. */
const LIMIT = 10 * 1024 * 1024;

/** Characters that each key takes in addition to its value. */
const OVERHEAD = 50;

/**
 * Keeps values that were read or written, because only this background changes the store. The values that were not used for
 * longest are dropped first.
 *
 * ```
 *   read ─▶ in memory? ── yes ─▶ value
 *               │ no
 *               └─▶ one read of the store ─▶ parsed ─▶ in memory, unless the key was written since
 *   write ─▶ one write of the store ─┬─▶ the new values are in memory
 *                                    └─ error ─▶ the keys are forgotten
 * ```
 */
export function createMemory({ read: readStore, list: listStore, write: writeStore }: Store, limit = LIMIT) {
  const values = createBoundedMap(limit);
  const loading = new Map<string, Loading>();
  const lists = createKeyLists(listStore);

  async function read<T>(keys: readonly string[], parse: Parse<T>): Promise<readonly T[]> {
    const held = keys.map(values.get);
    const missing = keys.filter((_key, index) => held[index] === undefined);
    if (missing.length > 0) {
      const unread = missing.filter((key) => !loading.has(key));
      if (unread.length > 0) load(unread, parse);
      const batches = await Promise.all(new Set(missing.map((key) => loading.get(key) as Loading)));
      for (const [index, key] of keys.entries())
        held[index] ??= batches.find((batch) => batch.has(key))?.get(key);
    }
    return held.map((found) => found?.value as T);
  }

  /** Starts to read values. Until they are read, other reads join. */
  function load(keys: readonly string[], parse: Parse<unknown>): void {
    const batch: Loading = readAndParse().finally(() => {
      for (const key of keys) if (loading.get(key) === batch) loading.delete(key);
    });
    for (const key of keys) loading.set(key, batch);

    async function readAndParse(): Promise<ReadonlyMap<string, Held>> {
      // The store need not be asked for keys that a list does not have.
      const listed = keys.filter((key) => !lists.isAbsent(key));
      const stored = listed.length === 0 ? {} : await readStore(listed);
      const parsed = await parse(keys.map((key) => stored[key]));
      const found = new Map(keys.map((key, index) => [key, parsed[index] as Held]));
      // A value that was written since the read began must not be replaced by an earlier one.
      for (const [key, value] of found) if (loading.get(key) === batch) values.set(key, value);
      return found;
    }
  }

  /** Writes all changes or none. @throws ProcedureError `NOT_STORED` */
  async function write(changes: KeyChanges): Promise<void> {
    for (const key of changes.keys()) loading.delete(key);
    try {
      await writeStore(Object.fromEntries([...changes].map(([key, { stored }]) => [key, stored])));
    } catch (error) {
      for (const key of changes.keys()) values.delete(key);
      throw error;
    }
    for (const [key, { value, size }] of changes) {
      if (size === undefined) values.delete(key);
      else values.set(key, { value, size });
    }
    lists.update(changes);
  }

  return {
    /** Returns parsed values. @throws ProcedureError `NOT_READ` */
    read,

    /** Returns values of the core itself, as they are stored. @throws ProcedureError `NOT_READ` */
    readRaw: (keys: readonly string[]): Promise<readonly unknown[]> =>
      read(keys, async (stored) => stored.map(toRaw)),

    /** Returns the keys that begin with a prefix, in order. @throws ProcedureError `NOT_READ` */
    list: lists.list,
    write,
  };
}

const toRaw = (stored: unknown): Held => ({ value: stored, size: sizeOfRaw(stored) });

/** Returns about the number of characters of a value of the core itself. One that is not JSON is too large to keep. */
export function sizeOfRaw(stored: unknown): number {
  if (typeof stored === 'string') return stored.length;
  try {
    return (JSON.stringify(stored) ?? '').length;
  } catch {
    return Infinity;
  }
}

/** A map whose values have a limited size together. The one that was not used for longest is dropped first. */
function createBoundedMap(limit: number) {
  /** The values in the order of their use, each with its size and that of its key. */
  const map = new Map<string, { readonly held: Held; readonly size: number }>();
  let total = 0;

  function remove(key: string): void {
    const kept = map.get(key);
    if (kept === undefined) return;
    map.delete(key);
    total -= kept.size;
  }

  return {
    get: (key: string): Held | undefined => {
      const kept = map.get(key);
      if (kept === undefined) return undefined;
      map.delete(key);
      map.set(key, kept);
      return kept.held;
    },
    set: (key: string, held: Held): void => {
      remove(key);
      const size = key.length + held.size + OVERHEAD;
      if (size > limit) return;
      map.set(key, { held, size });
      total += size;
      for (const oldest of map.keys()) {
        if (total <= limit) return;
        remove(oldest);
      }
    },
    delete: remove,
  };
}
