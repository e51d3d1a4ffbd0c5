import { type ErrorCode, ProcedureError } from '../errors.ts';
import type { Json } from '../json.ts';

/** Values by key. */
export type Entries = Readonly<Record<string, Json>>;

/** The store of the state: `storage.local` and a Web Lock, or another that passes `tests/support/store-suite.ts`. */
export interface Store {
  /** Returns the values that are stored under these keys. A key without a value is left out. */
  readonly read: (keys: readonly string[]) => Promise<Readonly<Record<string, unknown>>>;
  /** Returns the keys that begin with a prefix, in the order of their UTF-16 code units. */
  readonly list: (prefix: string) => Promise<readonly string[]>;
  /**
   * Writes all entries or none. A write that rejects may, rarely, have taken place. `null` removes a key. Writes take effect in the order of the
   * calls.
   */
  readonly write: (entries: Entries) => Promise<void>;
  /** Runs `work` after all earlier `work` of this background and of any other has ended. */
  readonly lock: <T>(work: () => Promise<T>) => Promise<T>;
}

/** A store that tries reads and writes twice, fails with a `ProcedureError`, and remembers the keys that it listed. */
export type ReliableStore = ReturnType<typeof createReliableStore>;

export function createReliableStore(store: Store) {
  /** The stored keys by prefix, in order. Each prefix is listed once, because usually only this background changes the store. */
  const known = new Map<string, Promise<readonly string[]>>();

  function remember(prefix: string, keys: Promise<readonly string[]>): void {
    known.set(prefix, keys);
    keys.catch(() => known.delete(prefix));
  }

  return {
    /** @throws ProcedureError `NOT_READ` */
    read: (keys: readonly string[]): Promise<Readonly<Record<string, unknown>>> =>
      keys.length === 0 ? Promise.resolve({}) : tryTwice(() => store.read(keys)).then(withoutPrototype),

    /** Reads without a second try, which would see later writes. @throws ProcedureError `NOT_READ` */
    readOnce: (keys: readonly string[]): Promise<Readonly<Record<string, unknown>>> =>
      readInTime(() => store.read(keys)).catch((cause: unknown) => fail('NOT_READ', cause)),

    /**
     * Returns the keys that begin with a prefix, in order.
     *
     * @param prefix begins the keys, such as `notes/`
     * @param isFresh lists them again, because another background may have changed the store
     * @throws ProcedureError `NOT_READ`
     */
    list: async (prefix: string, isFresh = false): Promise<readonly string[]> => {
      let keys = known.get(prefix);
      if (keys === undefined || isFresh) {
        keys = tryTwice(() => store.list(prefix));
        remember(prefix, keys);
      }
      return keys;
    },

    /**
     * Writes entries. A write that is reported as failed may have taken place, so `isWritten` is called before a retry.
     *
     * @param makeRoom runs before the second try, because the disk may be full
     * @throws ProcedureError `NOT_STORED`, or `IN_DOUBT` if the result is unknown
     */
    write: async (
      entries: Entries,
      isWritten: () => Promise<boolean>,
      makeRoom: () => Promise<void> = async () => {},
    ): Promise<void> => {
      const checkWritten = (cause: unknown): Promise<boolean> =>
        isWritten().catch(() => fail('IN_DOUBT', cause));
      const tryAgain = async (cause: unknown): Promise<void> => {
        await delay();
        if (await checkWritten(cause)) return;
        // If that fails, the second try reports the cause.
        await makeRoom().catch(() => {});
        await store.write(entries);
      };
      const settleFailure = async (cause: unknown): Promise<void> => {
        // The entries may be stored, so the known keys may be wrong.
        known.clear();
        if (cause instanceof ProcedureError) throw cause;
        if (!(await checkWritten(cause))) await fail('NOT_STORED', cause);
      };
      await store.write(entries).catch(tryAgain).catch(settleFailure);
      const changes = Object.entries(entries);
      // If the keys are still being listed, they are updated afterwards.
      for (const [prefix, keys] of known) {
        const update = (listed: readonly string[]) => updateKeys(listed, prefix, changes);
        remember(prefix, keys.then(update));
      }
    },

    /**
     * Waits for the lock. Returns a function that releases it.
     *
     * @throws ProcedureError `NOT_READ` if the lock is refused
     */
    lock: (): Promise<() => void> =>
      new Promise((resolve, reject) => {
        store
          .lock(() => new Promise<void>((release) => resolve(release)))
          .catch((cause: unknown) => fail('NOT_READ', cause).catch(reject));
      }),
  };
}

/** Makes sure that a key such as `constructor` is found only if something is stored under it. A copy of 10,000 values takes 8 ms. */
function withoutPrototype(stored: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  Object.setPrototypeOf(stored, null);
  return stored;
}

/** Splits the key of a record into the prefix of its collection and its id. The id of a document is empty. */
export function splitKey(key: string): readonly [prefix: string, id: string] {
  const end = key.indexOf('/') + 1;
  return end === 0 ? [key, ''] : [key.slice(0, end), key.slice(end)];
}

/** Returns a sorted list of the keys with a prefix as it is after changes. `null` removes a key. */
export function updateKeys(
  listed: readonly string[],
  prefix: string,
  changes: Iterable<readonly [key: string, value: unknown]>,
): readonly string[] {
  const changed = [...changes].filter(([key]) => key.startsWith(prefix));
  if (changed.length > FEW) {
    const kept = new Set(listed);
    for (const [key, value] of changed) {
      if (value === null) kept.delete(key);
      else kept.add(key);
    }
    return [...kept].toSorted();
  }
  let keys = listed;
  for (const [key, value] of changed) {
    const index = positionOf(keys, key);
    const isKnown = keys[index] === key;
    if (isKnown && value === null) keys = keys.toSpliced(index, 1);
    if (!isKnown && value !== null) keys = keys.toSpliced(index, 0, key);
  }
  return keys;
}

/** Number of keys up to which each is inserted by itself. More keys are sorted together. */
const FEW = 20;

/** Returns the index of a key in a sorted list, or the index at which it belongs. */
export function positionOf(listed: readonly string[], key: string): number {
  let [low, high] = [0, listed.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((listed[middle] ?? '') < key) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Time limit of one read in ms. Under the lock, only the check of a failed write can take that long. */
const READ_LIMIT = 10_000;

/** Tries a read again if it fails or takes too long. @throws ProcedureError `NOT_READ` */
export function tryTwice<T>(read: () => Promise<T>): Promise<T> {
  return readInTime(read)
    .catch(() => delay().then(() => readInTime(read)))
    .catch((cause: unknown) => fail('NOT_READ', cause));
}

function readInTime<T>(read: () => Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const onLimit = (): void => reject(new Error(`The store did not answer within ${READ_LIMIT} ms.`));
    const timer = setTimeout(onLimit, READ_LIMIT);
    read()
      .then(resolve, reject)
      .finally(() => clearTimeout(timer));
  });
}

/** Milliseconds before the second try. If the first failed because the browser stops the background, there is no second. */
const DELAY = 100;

const delay = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, DELAY));

async function fail(code: ErrorCode, cause: unknown): Promise<never> {
  throw new ProcedureError({ code }, { cause });
}
