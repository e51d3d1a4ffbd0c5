import { type ErrorCode, ProcedureError } from '../errors.ts';
import type { Json } from '../json.ts';

/** Values by key. */
export type Entries = Readonly<Record<string, Json>>;

/** The store of the state: `storage.local` and a Web Lock, or another that passes `tests/support/store-suite.ts`. */
export interface Store {
  /** Returns what is stored under these keys; a key without a value is left out. */
  readonly read: (keys: readonly string[]) => Promise<Readonly<Record<string, unknown>>>;
  /** Returns the keys that begin with a prefix, in the order of their UTF-16 code units. */
  readonly list: (prefix: string) => Promise<readonly string[]>;
  /**
   * Writes all entries or, when it rejects, none of them. `null` removes a key. Writes take effect in the order of the
   * calls.
   */
  readonly write: (entries: Entries) => Promise<void>;
  /** Runs `work` after all work that was passed in before, in this background or another; one at a time. */
  readonly lock: <T>(work: () => Promise<T>) => Promise<T>;
}

/** A store that tries once more before it fails, fails in errors that a caller understands, and remembers its keys. */
export type ReliableStore = ReturnType<typeof createReliableStore>;

export function createReliableStore(store: Store) {
  /** The stored keys by prefix, in order. Each prefix is listed once, since only this background changes the store. */
  const known = new Map<string, Promise<string[]>>();

  return {
    /** @throws ProcedureError `NOT_READ` */
    read: (keys: readonly string[]): Promise<Readonly<Record<string, unknown>>> =>
      keys.length === 0
        ? Promise.resolve({})
        : // Without members of `Object.prototype`, which would be found under their names.
          tryTwice(() => store.read(keys)).then((stored) => ({ __proto__: null, ...stored })),

    /**
     * Returns the keys that begin with a prefix, in order.
     *
     * @param prefix that of a collection, or another that ends at the first slash of its keys
     * @throws ProcedureError `NOT_READ`
     */
    list: async (prefix: string): Promise<readonly string[]> => {
      let keys = known.get(prefix);
      if (keys === undefined) {
        keys = tryTwice(() => store.list(prefix)).then((listed) => [...listed]);
        known.set(prefix, keys);
        keys.catch(() => known.delete(prefix));
      }
      return [...(await keys)];
    },

    /**
     * Writes entries. A write that is reported as failed may have been done, so `isWritten` looks before each next step.
     *
     * @param makeRoom runs before the second try, because the disk may be full
     * @throws ProcedureError `NOT_STORED`, or `DISCONNECTED` if it cannot be known
     */
    write: async (
      entries: Entries,
      isWritten: () => Promise<boolean>,
      makeRoom: () => Promise<void> = async () => {},
    ): Promise<void> => {
      const look = (cause: unknown): Promise<boolean> => isWritten().catch(() => fail('DISCONNECTED', cause));
      const tryAgain = async (cause: unknown): Promise<void> => {
        await delay();
        if (await look(cause)) return;
        // Without more room, the second try says why it fails.
        await makeRoom().catch(() => {});
        await store.write(entries);
      };
      const settleFailure = async (cause: unknown): Promise<void> => {
        // It may have been written.
        known.clear();
        if (cause instanceof ProcedureError) throw cause;
        if (!(await look(cause))) await fail('NOT_STORED', cause);
      };
      await store.write(entries).catch(tryAgain).catch(settleFailure);
      for (const [key, value] of Object.entries(entries)) {
        // While the keys are still being listed, they are updated after that.
        const keys = known.get(splitKey(key)[0]);
        keys?.then((listed) => updateKeys(listed, key, value !== null)).catch(() => {});
      }
    },

    /** Runs work under the lock. Rejects as the work does, or with `NOT_READ` when the lock is refused. */
    withLock: <T>(work: () => Promise<T>): Promise<T> =>
      new Promise((resolve, reject) => {
        const run = async (): Promise<void> => {
          const working = work();
          resolve(working);
          await working.catch(() => {});
        };
        store.lock(run).catch((cause: unknown) => fail('NOT_READ', cause).catch(reject));
      }),
  };
}

/** Splits the key of a record into the prefix of its collection and its id. A document's key has no id. */
export function splitKey(key: string): readonly [prefix: string, id?: string] {
  const end = key.indexOf('/') + 1;
  return end === 0 ? [key] : [key.slice(0, end), key.slice(end)];
}

function updateKeys(keys: string[], key: string, isStored: boolean): void {
  const index = keys.findIndex((other) => other >= key);
  const isKnown = keys[index] === key;
  if (isKnown && !isStored) keys.splice(index, 1);
  if (isStored && !isKnown) keys.splice(index === -1 ? keys.length : index, 0, key);
}

/** Milliseconds for one read. Reads hold the lock, so one that never settles would stop all changes. */
const READ_LIMIT = 10_000;

function tryTwice<T>(read: () => Promise<T>): Promise<T> {
  const readInTime = (): Promise<T> =>
    new Promise((resolve, reject) => {
      const onLimit = (): void => reject(new Error(`The store did not answer within ${READ_LIMIT} ms.`));
      const timer = setTimeout(onLimit, READ_LIMIT);
      read()
        .then(resolve, reject)
        .finally(() => clearTimeout(timer));
    });
  return readInTime()
    .catch(() => delay().then(readInTime))
    .catch((cause: unknown) => fail('NOT_READ', cause));
}

/** Milliseconds before the second try. The store also fails in a background that the browser is about to stop. */
const DELAY = 100;

const delay = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, DELAY));

async function fail(code: ErrorCode, cause: unknown): Promise<never> {
  throw new ProcedureError({ code }, { cause });
}
