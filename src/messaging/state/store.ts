import { type ErrorCode, ProcedureError } from '../wire/errors.ts';
import type { Json } from '../wire/json.ts';

/** Values by key. `null` removes the key. */
export type Entries = Readonly<Record<string, Json>>;

/** A change of one key. */
export interface KeyChange {
  /** The value to store, or `null` to remove the key. */
  readonly stored: Json | null;
  /** The value as readers get it. Without it, it is parsed when it is next read. */
  readonly value?: unknown;
  /** Characters that the value takes in memory. Without it, the value does not stay there. */
  readonly size?: number;
}

export type KeyedChange = readonly [key: string, change: KeyChange];

export type KeyChanges = ReadonlyMap<string, KeyChange>;

/** The store of the state: `storage.local`, or another that passes `tests/support/store-suite.ts`. */
export interface Store {
  /** Returns the values that are stored under these keys. A key without a value is left out. */
  readonly read: (keys: readonly string[]) => Promise<Readonly<Record<string, unknown>>>;
  /** Returns the keys that begin with a prefix, in the order of their UTF-16 code units. */
  readonly list: (prefix: string) => Promise<readonly string[]>;
  /** Writes all entries or none, and none if it rejects. Reads and writes take effect in the order of the calls. */
  readonly write: (entries: Entries) => Promise<void>;
}

/** Milliseconds after which a read counts as failed. */
const READ_LIMIT = 10_000;

/** Returns a store that fails with a `ProcedureError`: `NOT_READ` or `NOT_STORED`. Its writes wait for `alone`. */
export function withErrors(store: Store, alone: Promise<unknown>): Store {
  // It is reported by the first write.
  alone.catch(() => {});
  return {
    read: (keys) => inTime(store.read(keys)).catch((cause: unknown) => fail('NOT_READ', cause)),
    list: (prefix) => inTime(store.list(prefix)).catch((cause: unknown) => fail('NOT_READ', cause)),
    write: async (entries) => {
      try {
        await alone;
        await store.write(entries);
      } catch (cause) {
        await fail('NOT_STORED', cause);
      }
    },
  };
}

function inTime<T>(reading: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const onLimit = (): void => reject(new Error(`The store did not answer within ${READ_LIMIT} ms.`));
    const timer = setTimeout(onLimit, READ_LIMIT);
    reading.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

async function fail(code: ErrorCode, cause: unknown): Promise<never> {
  throw new ProcedureError({ code }, { cause });
}

/** Splits the key of a record into the prefix of its collection and its id. The id of a document is empty. */
export function splitKey(key: string): readonly [prefix: string, id: string] {
  const end = key.indexOf('/') + 1;
  return end === 0 ? [key, ''] : [key.slice(0, end), key.slice(end)];
}
