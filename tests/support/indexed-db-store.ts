import type { Json } from '../../src/messaging/json.ts';
import type { Store } from '../../src/messaging/state/store.ts';

const TABLE = 'state';

/**
 * State in IndexedDB, for an extension that outgrows `storage.local`. It needs no permission, content scripts cannot read
 * it, and the browser may delete it when the disk is full unless the extension has the permission `unlimitedStorage`.
 */
export const indexedDbStore: Store = {
  read: async (keys) => {
    const requests = await inTransaction('readonly', (table) => keys.map((key) => table.get(key)));
    const values: unknown[] = requests.map(({ result }) => result);
    return Object.fromEntries(
      keys.map((key, index) => [key, values[index]]).filter(([, value]) => value !== undefined),
    );
  },

  list: async (prefix) => {
    // The core's prefixes end with a slash. The first key that does not begin with it has the next character there.
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
      // Now, since the background may be dead before the browser would commit by itself.
      table.transaction.commit();
    });
  },

  lock: async (work) => navigator.locks.request('state', work),
};

let opening: Promise<IDBDatabase> | undefined;

/** Resolves with the result of `work` when the transaction has ended, which is when its requests have their results. */
async function inTransaction<T>(mode: IDBTransactionMode, work: (table: IDBObjectStore) => T): Promise<T> {
  const database = await (opening ??= open());
  const transaction = database.transaction(TABLE, mode, { durability: 'strict' });
  return new Promise((resolve, reject) => {
    transaction.onabort = () => reject(transaction.error ?? new Error('The transaction was aborted.'));
    try {
      const result = work(transaction.objectStore(TABLE));
      transaction.oncomplete = () => resolve(result);
    } catch (error) {
      // A value that cannot be stored, after others that were put: none of them is kept.
      transaction.abort();
      reject(error instanceof Error ? error : new Error(String(error)));
    }
  });
}

function open(): Promise<IDBDatabase> {
  // The next call opens the database again if it could not be opened, or if the browser closes it.
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
