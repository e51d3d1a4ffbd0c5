import { type ErrorCode, ProcedureError } from '../errors.ts';
import { copyJson, type Json } from '../json.ts';
import type { MutationFrame } from '../wire.ts';

/** Where state lives. Declared here, implemented over the browser's storage and locks. */
export interface Store {
  readonly read: (key: string) => Promise<Json | undefined>;
  readonly readAll: () => Promise<Readonly<Record<string, Json>>>;
  /** Writes all entries or, when it rejects, none. */
  readonly write: (entries: Readonly<Record<string, Json>>) => Promise<void>;
  readonly remove: (keys: readonly string[]) => Promise<void>;
  /** Runs `work` when all that was asked for before is done, in this background or another; one at a time. */
  readonly lock: <T>(work: () => Promise<T>) => Promise<T>;
}

/** What a query sees of the state. */
export interface StateReader {
  readonly get: (key: string) => Promise<Json | undefined>;
}

/** What a subscription sees of the state. */
export interface StateWatcher extends StateReader {
  /** The value of `key` now and after every change of it or of `others`; of several changes the last. Ends with the call. */
  readonly watch: (key: string, ...others: readonly string[]) => AsyncGenerator<Json | undefined, void>;
}

/** What a mutation sees of the state: its own changes at once, those of others only when they are done. */
export interface Transaction extends StateReader {
  /** Stages a change, written when the handler returns. @throws JsonError for what cannot be stored unchanged */
  readonly set: (key: string, value: Json) => void;
}

export type State = ReturnType<typeof createState>;

/** The last mutation of one page that took effect. */
interface JournalEntry {
  readonly id: number;
  readonly name: string;
  /** What it was answered; left out when the page has acknowledged it. */
  readonly outcome?: Json;
  /** Milliseconds since 1970. */
  readonly at: number;
}

const JOURNAL = 'journal/';

/**
 * How long a journal entry is kept, in ms. A page sends its next mutation when the one before has settled, which it does
 * within ten minutes: so a page needs one entry, and no call is sent again after its entry is gone.
 */
const ENTRY_LIFE = 60 * 60 * 1000;

/**
 * The state behind the handlers, over a store that only the background writes.
 *
 * ```
 *   mutation ─▶ lock ─▶ in the journal? ── yes ──────────────────────────────▶ recorded outcome
 *                             │ no
 *                             └─▶ handler ─▶ one write: staged state + entry ─▶ outcome
 * ```
 *
 * @param log gets what went wrong in work that no caller waits for
 */
export function createState(store: Store, log: (error: unknown) => void) {
  const changes = new EventTarget();
  let prunedAt = 0;

  const read = (key: string): Promise<Json | undefined> =>
    store
      .read(key)
      .catch(() => delay().then(() => store.read(key)))
      .catch((cause: unknown) => fail('NOT_READ', cause));

  async function readEntry(page: string): Promise<JournalEntry | undefined> {
    const value = await read(JOURNAL + page);
    return isEntry(value) ? value : undefined;
  }

  /** Runs work under the lock. Rejects as the work does, or with `NOT_READ` when the lock cannot be had. */
  function withLock<T>(work: () => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const run = async (): Promise<void> => {
        const working = work();
        resolve(working);
        await working.catch(() => {});
      };
      store.lock(run).catch((cause: unknown) => fail('NOT_READ', cause).catch(reject));
    });
  }

  /** Runs work and writes what it has staged, together with the journal entry that its outcome becomes. */
  async function commit<T>(
    work: (transaction: Transaction) => Promise<T>,
    entryOf: (outcome: T) => Readonly<Record<string, Json>>,
  ): Promise<T> {
    const staged: Record<string, Json> = {};
    const outcome = await work({
      get: async (key) => (Object.hasOwn(staged, key) ? copyJson(staged[key]) : read(key)),
      set: (key, value) => {
        if (key.startsWith(JOURNAL)) throw new TypeError(`"${key}" belongs to the journal.`);
        Object.assign(staged, copyJson({ [key]: value }));
      },
    });
    const entries = { ...staged, ...entryOf(outcome) };
    if (Object.keys(entries).length > 0) await write(entries);
    for (const key of Object.keys(staged)) changes.dispatchEvent(new Event(key));
    return outcome;
  }

  async function write(entries: Readonly<Record<string, Json>>): Promise<void> {
    try {
      // It may be the journal that fills the disk.
      await store.write(entries).catch(() =>
        delay()
          .then(prune)
          .then(() => store.write(entries)),
      );
    } catch (cause) {
      // A write that is reported as failed may have been done. Where that cannot be read, it cannot be known.
      const isWritten = await hasEntryOf(entries).catch(() => fail('DISCONNECTED', cause));
      if (!isWritten) await fail('NOT_STORED', cause);
    }
  }

  /** Whether the journal entry of a write is there: all that is written in one go is, or nothing. */
  async function hasEntryOf(entries: Readonly<Record<string, Json>>): Promise<boolean> {
    const key = Object.keys(entries).find((name) => name.startsWith(JOURNAL)) ?? '';
    const [stored, entry] = [await read(key), entries[key]];
    return isEntry(stored) && isEntry(entry) && stored.id === entry.id;
  }

  /** Removes the entries of pages long gone. One from the future stands for a clock that was set back. */
  async function prune(): Promise<void> {
    const now = Date.now();
    prunedAt = now;
    const stale = Object.entries(await store.readAll())
      .filter(([key]) => key.startsWith(JOURNAL))
      .filter(([, value]) => !isEntry(value) || Math.abs(now - value.at) >= ENTRY_LIFE);
    if (stale.length > 0) await store.remove(stale.map(([key]) => key));
  }

  return {
    get: read,

    /** Yields the value of the first key, now and after every change of any of the keys, until the signal is aborted. */
    watch: (key: string, others: readonly string[], signal: AbortSignal) =>
      watchChanges(changes, [key, ...others], signal, () => read(key)),

    /** Runs a mutation and records its outcome; or gives the outcome that is recorded already. */
    transact: (
      { page, id, name }: Pick<MutationFrame, 'page' | 'id' | 'name'>,
      checkDeadline: () => void,
      run: (transaction: Transaction) => Promise<Json>,
    ): Promise<Json> =>
      withLock(async () => {
        // The lock may have come late: by now the entry of this mutation may have been pruned.
        checkDeadline();
        const entry = await readEntry(page);
        if (entry?.id === id && entry.name === name && entry.outcome !== undefined) return entry.outcome;
        // The page has moved on: it no longer waits for this one.
        if (entry !== undefined && entry.id >= id) throw new ProcedureError({ code: 'ABORTED' });

        const outcome = await commit(run, (value) => ({
          [JOURNAL + page]: { id, name, outcome: value, at: Date.now() },
        }));
        if (Math.abs(Date.now() - prunedAt) >= ENTRY_LIFE) withLock(prune).catch(log);
        return outcome;
      }),

    /** Drops the recorded outcome of a mutation that its page has received. */
    acknowledge: ({ page, id }: Pick<MutationFrame, 'page' | 'id'>): Promise<void> =>
      withLock(async () => {
        const entry = await readEntry(page);
        if (entry?.id !== id || entry.outcome === undefined) return;
        // The entry stays, for a copy of this mutation that comes late.
        await store.write({ [JOURNAL + page]: { id, name: entry.name, at: entry.at } });
      }).catch(log),

    /** Prunes the journal, then runs work of the background's own as one write. Mutations that come later wait for it. */
    prepare: (run: (transaction: Transaction) => Promise<void>): Promise<void> =>
      withLock(async () => {
        await prune().catch(log);
        await commit(run, () => ({}));
      }).catch(log),
  };
}

/** Yields what `look` gives, now and after events of these names, until the signal is aborted. */
export async function* watchChanges<T>(
  changes: EventTarget,
  names: readonly string[],
  signal: AbortSignal,
  look: () => T | Promise<T>,
): AsyncGenerator<T, void> {
  while (!signal.aborted) {
    const over = new AbortController();
    const once = { signal: over.signal };
    const changed = new Promise<unknown>((resolve) => {
      for (const name of names) changes.addEventListener(name, resolve, once);
      signal.addEventListener('abort', resolve, once);
    });
    try {
      yield await look();
      await changed;
    } finally {
      over.abort();
    }
  }
}

function isEntry(value: Json | undefined): value is JournalEntry & { readonly [key: string]: Json } {
  return typeof value === 'object' && value !== null && 'id' in value && typeof value['at'] === 'number';
}

async function fail(code: ErrorCode, cause: unknown): Promise<never> {
  throw new ProcedureError({ code }, { cause });
}

/** Waits before what failed is tried once more. The store also fails in a background that is about to be stopped. */
const delay = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 100));
