import type { Json } from '../messaging/json.ts';
import type { Store } from '../messaging/state/store.ts';

const TABLE = 'state';

/**
 * A store in IndexedDB, for state that is too large for `storage.local`. It needs no permission, and content scripts cannot
 * read it. When the disk is full, the browser may delete it, unless the extension has the permission `unlimitedStorage`.
 */
export const indexedDbStore: Store = {
  read: async (keys) => {
    const requests = await inTransaction('readonly', (table) => keys.map((key) => table.get(key)));
    const entries = requests.map(({ result }, index): [string | undefined, unknown] => [keys[index], result]);
    return Object.fromEntries(entries.filter(([, value]) => value !== undefined)) as Record<string, unknown>;
  },

  list: async (prefix) => {
    // The prefixes of the core end with a slash. The range ends before the same text with the character after the slash.
    const end = prefix.slice(0, -1) + String.fromCharCode(prefix.charCodeAt(prefix.length - 1) + 1);
    const range = IDBKeyRange.bound(prefix, end, false, true);
    const request = await inTransaction('readonly', (table) => table.getAllKeys(range));
    return request.result as string[];
  },

  write: async (entries) => {
    await inTransaction('readwrite', (table) => {
      for (const [key, value] of Object.entries<Json>(entries)) {
        if (value === null) table.delete(key);
        else table.put(value, key);
      }
      // Commits at once, because the background may die before the browser commits by itself.
      table.transaction.commit();
    });
  },

  lock: async (work) => navigator.locks.request('state', work),
};

let opening: Promise<IDBDatabase> | undefined;

/** Runs `work` in a transaction, and resolves with its result when the transaction is complete. */
async function inTransaction<T>(mode: IDBTransactionMode, work: (table: IDBObjectStore) => T): Promise<T> {
  const database = await (opening ??= open());
  const transaction = database.transaction(TABLE, mode, { durability: 'strict' });
  return new Promise((resolve, reject) => {
    transaction.onabort = () => reject(transaction.error ?? new Error('The transaction was aborted.'));
    try {
      const result = work(transaction.objectStore(TABLE));
      transaction.oncomplete = () => resolve(result);
    } catch (error) {
      // If one value cannot be stored, the values that were put before it must not be kept either.
      transaction.abort();
      reject(error instanceof Error ? error : new Error(String(error)));
    }
  });
}

function open(): Promise<IDBDatabase> {
  // If the database cannot be opened, or the browser closes it, the next call opens it again.
  const forget = (): void => void (opening = undefined);
  return new Promise((resolve, reject) => {
    const request = indexedDB.open('extension', 1);
    request.onupgradeneeded = () => request.result.createObjectStore(TABLE);
    request.onsuccess = () => {
      request.result.onclose = forget;
      resolve(request.result);
    };
    request.onerror = () => {
      forget();
      reject(request.error ?? new Error('The database cannot be opened.'));
    };
  });
}
