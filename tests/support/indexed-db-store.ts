import type { Json } from '../../src/messaging/json.ts';
import type { Store } from '../../src/messaging/state/store.ts';

const TABLE = 'state';

/**
 * State in IndexedDB, for an extension that outgrows `storage.local`. It needs no permission, content scripts cannot read
 * it, and the browser may delete it when the disk is full unless the extension has the permission `unlimitedStorage`.
 */
export const indexedDbStore: Store = {
  read: async (keys) => {
    const entries: [string, unknown][] = [];
    await inTransaction('readonly', (table) => {
      for (const key of keys) {
        const request: IDBRequest<unknown> = table.get(key);
        request.onsuccess = () => {
          if (request.result !== undefined) entries.push([key, request.result]);
        };
      }
    });
    return Object.fromEntries(entries);
  },

  list: async (prefix) => {
    // The core's prefixes end with a slash. The first key that does not begin with it has the next character there.
    const end = prefix.slice(0, -1) + String.fromCharCode(prefix.charCodeAt(prefix.length - 1) + 1);
    const range = IDBKeyRange.bound(prefix, end, false, true);
    const keys = await inTransaction('readonly', (table) => table.getAllKeys(range));
    return (keys ?? []) as string[];
  },

  write: async (entries) => {
    await inTransaction('readwrite', (table) => {
      for (const [key, value] of Object.entries<Json>(entries)) {
        if (value === null) table.delete(key);
        else table.put(value, key);
      }
    });
  },

  lock: async (work) => navigator.locks.request('state', work),
};

let opening: Promise<IDBDatabase> | undefined;

/** Resolves with the result of the request that `work` returns, if any, when the transaction is on the disk. */
async function inTransaction<T>(
  mode: IDBTransactionMode,
  work: (table: IDBObjectStore) => IDBRequest<T> | void,
): Promise<T | undefined> {
  opening ??= open().catch((error: unknown) => {
    opening = undefined;
    throw error;
  });
  const transaction = (await opening).transaction(TABLE, mode, { durability: 'strict' });
  return new Promise((resolve, reject) => {
    const fail = (): void => reject(transaction.error ?? new Error('The transaction was aborted.'));
    let request: IDBRequest<T> | undefined;
    transaction.oncomplete = () => resolve(request?.result);
    transaction.onabort = fail;
    try {
      request = work(transaction.objectStore(TABLE)) ?? undefined;
      // Now, since the background may be dead before the browser would commit by itself.
      if (mode === 'readwrite') transaction.commit();
    } catch (error) {
      // A value that cannot be stored, after others that were put: none of them is kept.
      transaction.abort();
      reject(error instanceof Error ? error : new Error(String(error)));
    }
  });
}

function open(): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open('extension', 1);
    request.onupgradeneeded = () => request.result.createObjectStore(TABLE);
    request.onsuccess = () => {
      const database = request.result;
      // The browser closes it when the data is deleted.
      database.onclose = () => (opening = undefined);
      resolve(database);
    };
    request.onerror = () => reject(request.error ?? new Error('The database cannot be opened.'));
  });
}
