import type { Json } from '../messaging/wire/json.ts';
import type { Store } from '../messaging/state/store.ts';

const TABLE = 'state';

/**
 * A store in IndexedDB, for state that is too large for `storage.local`. It needs no permission, and content scripts cannot
 * read it. When the disk is full, the browser may delete it, unless the extension has the permission `unlimitedStorage`. A Firefox
 * that always uses private browsing mode cannot open it.
 */
export const indexedDbStore: Store = {
  read: async (keys) => {
    const entries = await inTransaction('readonly', (table) =>
      keys.length > FEW ? readRange(table, keys.toSorted()) : readEach(table, keys),
    );
    return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
  },

  list: async (prefix) => {
    // The range ends before the prefix with its last character replaced by the next one: `a/` ends before `a0`.
    const end = prefix.slice(0, -1) + String.fromCharCode(prefix.charCodeAt(prefix.length - 1) + 1);
    const range = IDBKeyRange.bound(prefix, end, false, true);
    return inTransaction('readonly', async (table) => (await resultOf(table.getAllKeys(range))) as string[]);
  },

  write: (entries) =>
    inTransaction('readwrite', async (table) => {
      for (const [key, value] of Object.entries<Json>(entries)) {
        if (value === null) table.delete(key);
        else table.put(value, key);
      }
      // Commits at once, because the background may die before the browser commits by itself.
      table.transaction.commit();
    }),
};

/** Number of keys up to which each value is read by itself. */
const FEW = 8;

type Stored = readonly (readonly [key: string, value: unknown])[];

function readEach(table: IDBObjectStore, keys: readonly string[]): Promise<Stored> {
  return Promise.all(keys.map(async (key) => [key, await resultOf(table.get(key))] as const));
}

/** Reads the values of a list, which follow each other in the database, in two requests. @param keys in order */
async function readRange(table: IDBObjectStore, keys: readonly string[]): Promise<Stored> {
  const range = IDBKeyRange.bound(keys[0], keys.at(-1));
  const [names, values] = await Promise.all([
    resultOf(table.getAllKeys(range, keys.length)),
    resultOf(table.getAll(range, keys.length) as IDBRequest<unknown[]>),
  ]);
  const found = new Map((names as string[]).map((name, index) => [name, values[index]]));
  // If other values were between those of the list, the last ones are still to be read.
  const last = names.at(-1) as string;
  const rest = names.length < keys.length ? [] : keys.filter((key) => key > last);
  return [...keys.map((key) => [key, found.get(key)] as const), ...(await readEach(table, rest))];
}

function resultOf<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error('The request has failed.'));
  });
}

let opening: Promise<IDBDatabase> | undefined;

/** Runs `work` in a transaction, and resolves with its result when the transaction is complete. */
async function inTransaction<T>(
  mode: IDBTransactionMode,
  work: (table: IDBObjectStore) => Promise<T>,
): Promise<T> {
  const database = await (opening ??= open());
  const transaction = database.transaction(TABLE, mode);
  const completed = new Promise<void>((resolve, reject) => {
    transaction.oncomplete = () => resolve();
    transaction.onabort = () => reject(transaction.error ?? new Error('The transaction was aborted.'));
  });
  const working = work(transaction.objectStore(TABLE)).catch((error: unknown) => {
    // If one value cannot be stored, the values that were put before it must not be kept either.
    transaction.abort();
    throw error;
  });
  const [result] = await Promise.all([working, completed]);
  return result;
}

const CANNOT_OPEN =
  'IndexedDB cannot be opened. In a Firefox that always uses private browsing mode, turn this mode off, or use storage.local.';

function open(): Promise<IDBDatabase> {
  // If the database cannot be opened, or the browser closes it, the next call opens it again.
  const forget = (): void => void (opening = undefined);
  const opened = new Promise<IDBDatabase>((resolve, reject) => {
    const request = indexedDB.open('extension', 1);
    request.onupgradeneeded = () => request.result.createObjectStore(TABLE);
    request.onsuccess = () => {
      request.result.onclose = forget;
      resolve(request.result);
    };
    request.onerror = () => reject(request.error ?? new Error('The request has failed.'));
  });
  return opened.catch((cause: unknown) => {
    forget();
    throw new Error(CANNOT_OPEN, { cause });
  });
}
