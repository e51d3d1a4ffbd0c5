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

/** A store that tries once more before it fails, and fails in errors that a caller understands. */
export type ReliableStore = ReturnType<typeof createReliableStore>;

export function createReliableStore(store: Store) {
  return {
    /** @throws ProcedureError `NOT_READ` */
    read: (keys: readonly string[]): Promise<Readonly<Record<string, unknown>>> =>
      keys.length === 0
        ? Promise.resolve({})
        : // Without members of `Object.prototype`, which would be found under their names.
          read(() => store.read(keys)).then((stored) => ({ __proto__: null, ...stored })),

    /** @throws ProcedureError `NOT_READ` */
    list: (prefix: string): Promise<readonly string[]> => read(() => store.list(prefix)),

    /**
     * Writes entries. A write that is reported as failed may have been done, so `isWritten` looks before each next step.
     *
     * @param makeRoom runs before the second try: the disk may be full
     * @throws ProcedureError `NOT_STORED`; or `DISCONNECTED` if it cannot be known
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
      const giveUp = async (cause: unknown): Promise<void> => {
        if (cause instanceof ProcedureError) throw cause;
        if (!(await look(cause))) await fail('NOT_STORED', cause);
      };
      await store.write(entries).catch(tryAgain).catch(giveUp);
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

/** Milliseconds for one read. Reads hold the lock, so one that never settles would stop all changes. */
const READ_LIMIT = 10_000;

function read<T>(look: () => Promise<T>): Promise<T> {
  const lookInTime = (): Promise<T> =>
    new Promise((resolve, reject) => {
      const onLimit = (): void => reject(new Error(`The store did not answer within ${READ_LIMIT} ms.`));
      const timer = setTimeout(onLimit, READ_LIMIT);
      look()
        .then(resolve, reject)
        .finally(() => clearTimeout(timer));
    });
  return lookInTime()
    .catch(() => delay().then(lookInTime))
    .catch((cause: unknown) => fail('NOT_READ', cause));
}

/** Milliseconds before the second try. The store also fails in a background that the browser is about to stop. */
const DELAY = 100;

const delay = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, DELAY));

async function fail(code: ErrorCode, cause: unknown): Promise<never> {
  throw new ProcedureError({ code }, { cause });
}
