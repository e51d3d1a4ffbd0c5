import type { Json } from '../wire/json.ts';
import { createKeyLists } from './key-lists.ts';
import type { Store } from './store.ts';

/** A value as the code that uses it has parsed it, and its size in characters. */
export interface Held<T = unknown> {
  readonly value: T;
  readonly size: number;
}

/** A change of one key. */
export interface Change {
  /** The value to store, or `null` to remove the key. */
  readonly stored: Json | null;
  /** The value as readers get it. Without it, it is parsed when it is next read. */
  readonly value?: unknown;
  /** Characters that the value takes in memory. Without it, the value does not stay there. */
  readonly size?: number;
}

export type Changes = ReadonlyMap<string, Change>;

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
 *
 * @param first keys that the first read of the store asks for as well, so that a start costs one read
 */
export function createMemory(
  { read: readStore, list: listStore, write: writeStore }: Store,
  first: readonly string[],
  limit = LIMIT,
) {
  const values = createBoundedMap(limit);
  const loading = new Map<string, Loading>();
  const lists = createKeyLists(listStore);
  let extra = first;

  async function readAll<T>(keys: readonly string[], parse: Parse<T>): Promise<readonly T[]> {
    const found: (Held | undefined)[] = [];
    const missing: string[] = [];
    for (const key of keys) {
      const held = values.get(key);
      found.push(held);
      if (held === undefined) missing.push(key);
    }
    const loaded = missing.length === 0 ? [] : await loadAll(missing, parse);
    const read: T[] = [];
    for (const [index, key] of keys.entries()) {
      const held = found[index] ?? loaded.find((batch) => batch.has(key))?.get(key);
      read.push(held?.value as T);
    }
    return read;
  }

  /** Reads values, or joins the reads that are under way. */
  function loadAll(keys: readonly string[], parse: Parse<unknown>) {
    const fresh = keys.filter((key) => !loading.has(key));
    if (fresh.length > 0) load(fresh, parse);
    return Promise.all(new Set(keys.map((key) => loading.get(key) as Loading)));
  }

  function load(keys: readonly string[], parse: Parse<unknown>): void {
    const all = [...keys, ...extra.filter((key) => !keys.includes(key))];
    extra = [];
    const batch: Loading = readAndParse().finally(() => {
      for (const key of all) if (loading.get(key) === batch) loading.delete(key);
    });
    for (const key of all) loading.set(key, batch);

    async function readAndParse(): Promise<ReadonlyMap<string, Held>> {
      const asked = all.filter((key) => !lists.isAbsent(key));
      const stored = asked.length === 0 ? {} : await readStore(asked);
      const parsed = await parse(keys.map((key) => stored[key]));
      const found = new Map(all.map((key, index) => [key, parsed[index] ?? toRaw(stored[key])]));
      // A value that was written since the read began must not be replaced by an earlier one.
      for (const [key, held] of found) if (loading.get(key) === batch) values.set(key, held);
      return found;
    }
  }

  /** Writes all changes or none. @throws ProcedureError `NOT_STORED`, or `NOT_READ` if reads may be out of date */
  async function write(changes: Changes): Promise<void> {
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
    read: readAll,

    /** Returns values of the core itself, as they are stored. @throws ProcedureError `NOT_READ` */
    readRaw: (keys: readonly string[]): Promise<readonly unknown[]> =>
      readAll(keys, async (stored) => stored.map(toRaw)),

    /** Returns the keys that begin with a prefix, in order. @throws ProcedureError `NOT_READ` */
    list: lists.list,
    write,

    /** Returns the keys of values in memory for which `test` returns `true`. */
    find: values.find,
  };
}

const toRaw = (stored: unknown): Held => ({ value: stored, size: sizeOfRaw(stored) });

/** Returns about the number of characters of a value that the core has stored for itself. */
export const sizeOfRaw = (stored: unknown): number =>
  typeof stored === 'string' ? stored.length : (JSON.stringify(stored) ?? '').length;

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
    find: (test: (value: unknown) => boolean): readonly string[] =>
      [...map].flatMap(([key, { held }]) => (test(held.value) ? [key] : [])),
  };
}
