import { copyJson } from './copy-json.ts';
import type { Json } from './json.ts';
import type { Store } from './store.ts';

/** The store as long as nobody else writes to it: what was read or written once is known. */
export type HeldStore = Pick<Store, 'read' | 'write'>;

/** Milliseconds for which the lock is kept after the last work. Short enough for another worker to wait. */
const LINGER = 100;

/**
 * Runs work one after the other under the store's lock. To take the lock takes as long as to write, and so does to
 * read: so the lock is kept for a moment, for the next work, and with it what is known of the store.
 */
export function holdLock(store: Store): <T>(work: (held: HeldStore) => Promise<T>) => Promise<T> {
  let letGo = (): void => {};
  /** The store for whoever comes next, when all before are done; none while the lock is not held. */
  let next: Promise<HeldStore> | undefined;

  function take(): Promise<HeldStore> {
    return new Promise((resolve, reject) => {
      const hold = (): Promise<void> =>
        new Promise((release) => {
          letGo = release;
          resolve(remember(store));
        });
      store.lock(hold).catch(reject);
    });
  }

  return (work) => {
    const turn = next ?? take();
    const working = turn.then(work);
    const pass = (): Promise<HeldStore> => turn;
    const done = working.then(pass, pass);
    const end = (): void => {
      if (next !== done) return;
      next = undefined;
      letGo();
    };
    next = done;
    done.then(() => setTimeout(end, LINGER), end);
    return working;
  };
}

function remember(store: Store): HeldStore {
  const known = new Map<string, Json | undefined>();
  return {
    // Copies, as from and to a disk: what a handler does to a value later is its own matter.
    read: async (key) => {
      if (!known.has(key)) {
        const value = await store.read(key);
        // It may have been written meanwhile.
        if (!known.has(key)) known.set(key, value);
      }
      return copyJson(known.get(key));
    },
    write: async (entries) => {
      const copies = copyJson(entries);
      await store.write(copies);
      for (const [key, value] of Object.entries(copies)) known.set(key, value);
    },
  };
}
