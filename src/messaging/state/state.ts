import { ProcedureError } from '../errors.ts';
import type { Json } from '../json.ts';
import { untilAborted } from '../deadline.ts';
import type { Collection, Definition, Document, Item } from './documents.ts';
import { createJournal, type MutationIdentity, PAUSE, PRUNED_AT } from './journal.ts';
import { createQuarantine, type Condition, QUARANTINE } from './quarantine.ts';
import { checkListed, createReader, type StateContext, type StateReader } from './reader.ts';
import { createReliableStore, type Entries, splitKey, type Store } from './store.ts';
import { openTransaction, type Transaction } from './transaction.ts';
import { watchChanges } from './watch.ts';

/** The state that the handler of a subscription gets. Its generators end with the call. */
export interface StateWatcher extends StateReader {
  readonly watch: {
    /** Yields a document's data, now and after changes. Of several quick changes, it may yield only the last. */
    <Data>(document: Document<Data>): AsyncGenerator<Data, void>;
    /** Yields all records, then changes. */
    <Data>(collection: Collection<Data>): AsyncGenerator<Changes<Data>, void>;
  };
  /** Yields all records of a collection, now and after changes. Reads all of them each time, so it is for small ones. */
  readonly watchList: <Data>(collection: Collection<Data>) => AsyncGenerator<Item<Data>[], void>;
  /** Yields the condition of the stored state, now and when it may have changed. */
  readonly watchCondition: () => AsyncGenerator<Condition, void>;
}

/** New and changed records of a collection, and the ids of removed ones. */
export interface Changes<Data> {
  /** `true` if `items` are all records. They then replace all earlier ones. */
  readonly isWhole: boolean;
  readonly items: readonly Item<Data>[];
  readonly removed: readonly string[];
}

export type State = ReturnType<typeof createState>;

/** One attempt at a mutation. It has an identity, a note, or both. */
export interface Attempt {
  /** Recorded in the journal with the outcome. An event without a key has no identity, and has run if its note is gone. */
  readonly identity?: MutationIdentity;
  /** The key of an event's note, which is removed in the same write. */
  readonly note?: string;
  /** Aborted when nothing waits for the outcome any more. */
  readonly signal: AbortSignal;
  /**
   * Called when the mutation has the lock. Starts the deadline of an event.
   *
   * @throws ProcedureError if the signal was aborted, or the deadline of a page's mutation has passed by either clock
   */
  readonly onTurn: () => void;
}

/**
 * Creates the state of the handlers over a store that only the background writes.
 *
 * ```
 *   mutation ─▶ lock ─▶ in the journal? ── yes ──────────────────────────────▶ recorded outcome
 *                             │ no
 *                             └─▶ handler ─▶ one write: staged state + entry ─▶ outcome
 * ```
 *
 * While a call has the lock, its handler ends at the call's deadline, and each read ends after a limit. Only the write has no
 * limit. So one handler cannot block all changes. The lock also orders two backgrounds that overlap, but neither learns of
 * the other's writes.
 *
 * @param log called with errors that no caller gets
 */
export function createState(
  store: Store,
  definitions: readonly Definition<unknown>[],
  log: (error: unknown) => void,
) {
  checkUnique(definitions);
  const reliable = createReliableStore(store);
  const { withLock } = reliable;
  const journal = createJournal(reliable);
  const changes = new EventTarget();
  const quarantine = createQuarantine(reliable, definitions, (key) => void setAside(key).catch(log));
  const context: StateContext = { store: reliable, definitions, quarantine };
  const reader = createReader(context);
  const documentKeys = definitions.filter(({ kind }) => kind === 'document').map(({ key }) => key);
  /** Readings for watchers, by the key of the document or `QUARANTINE`. Watchers of one document share a reading. */
  const readings = new Map<string, Promise<unknown>>();
  let prunedAt = 0;

  /** Writes entries and notifies watchers. */
  async function write(
    entries: Entries,
    isWritten: () => Promise<boolean> = async () => false,
  ): Promise<void> {
    if (Object.keys(entries).length === 0) return;
    await reliable.write(entries, isWritten, makeRoom);
    for (const key of Object.keys(entries)) {
      announce(key);
      if (quarantine.isFound(key)) announce(QUARANTINE);
    }
  }

  async function makeRoom(): Promise<void> {
    const entries = await journal.toMakeRoom();
    if (Object.keys(entries).length > 0) await store.write(entries);
  }

  function announce(key: string): void {
    const [name, id] = splitKey(key);
    readings.delete(name);
    readings.delete(QUARANTINE);
    changes.dispatchEvent(new CustomEvent(name, { detail: id }));
  }

  async function isNoted(note: string | undefined): Promise<boolean> {
    return note !== undefined && Object.hasOwn(await reliable.read([note]), note);
  }

  /** Moves a value that cannot be read into the quarantine. */
  function setAside(key: string): Promise<void> {
    return withLock(async () => {
      try {
        await quarantine.setAside(key, write);
      } finally {
        announce(QUARANTINE);
      }
    });
  }

  function pruneSometimes(): void {
    if (Math.abs(Date.now() - prunedAt) < PAUSE) return;
    prunedAt = Date.now();
    withLock(async () => write(await journal.toPrune())).catch(log);
  }

  /** Reads for a watcher, or joins the unfinished reading of another watcher. */
  function share<T>(name: string, read: () => Promise<T>): Promise<T> {
    const known = readings.get(name) as Promise<T> | undefined;
    if (known !== undefined) return known;

    const reading = read();
    readings.set(name, reading);
    const forget = (): void => {
      if (readings.get(name) === reading) readings.delete(name);
    };
    reading.then(forget, forget);
    return reading;
  }

  async function* watchCollection<Data>(
    collection: Collection<Data>,
    signal: AbortSignal,
  ): AsyncGenerator<Changes<Data>, void> {
    const prefix = `${collection.key}/`;
    const changed = new Set<string>();
    const collect = (event: Event): void => void changed.add((event as CustomEvent<string>).detail);
    let isWhole = true;

    async function look(): Promise<Changes<Data>> {
      const ids = [...changed];
      changed.clear();
      if (isWhole) {
        isWhole = false;
        return { isWhole: true, items: await reader.list(collection), removed: [] };
      }
      const items = await reader.getMany(collection, ids);
      const existing = new Set(items.map(({ id }) => id));
      return { isWhole: false, items, removed: ids.filter((id) => !existing.has(id)) };
    }

    changes.addEventListener(prefix, collect);
    try {
      yield* watchChanges(changes, [prefix], signal, look);
    } finally {
      changes.removeEventListener(prefix, collect);
    }
  }

  return {
    reader,

    /** Creates the state of a subscription, whose generators end when the signal is aborted. */
    createWatcher: (signal: AbortSignal): StateWatcher => ({
      ...reader,
      watch: ((definition: Document<unknown> | Collection<unknown>) => {
        checkListed(definitions, definition);
        return definition.kind === 'document'
          ? watchChanges(changes, [definition.key], signal, () =>
              share(definition.key, () => reader.read(definition)),
            )
          : watchCollection(definition, signal);
      }) as StateWatcher['watch'],
      watchList: (collection) => {
        checkListed(definitions, collection);
        const prefix = `${collection.key}/`;
        return watchChanges(changes, [prefix], signal, () => share(prefix, () => reader.list(collection)));
      },
      // Changes of records are ignored, because each would cause another reading of all documents.
      watchCondition: () =>
        watchChanges(changes, [...documentKeys, PRUNED_AT, QUARANTINE], signal, () =>
          share(QUARANTINE, reader.inspect),
        ),
    }),

    /** Runs a mutation and records its outcome, or returns its recorded outcome. */
    transact: (
      { identity, note, signal, onTurn }: Attempt,
      hasOutput: boolean,
      run: (transaction: Transaction) => Promise<Json | undefined>,
    ): Promise<Json | undefined> =>
      withLock(async () => {
        // The call may have waited so long for the lock that its journal entry was pruned.
        onTurn();
        const done = identity && (await untilAborted(signal, () => journal.find(identity, hasOutput)));
        if (done !== undefined) {
          if (note !== undefined) await write({ [note]: null });
          return done.outcome;
        }
        if (!identity && !(await untilAborted(signal, () => isNoted(note)))) {
          throw new ProcedureError({ code: 'ABORTED' });
        }

        const { transaction, toEntries } = openTransaction(context);
        const outcome = await untilAborted(signal, () => run(transaction));
        const staged = await untilAborted(signal, toEntries);
        const entries: Entries = {
          ...staged,
          ...(identity && journal.entryOf(identity, outcome)),
          ...(note !== undefined && { [note]: null }),
        };
        // A write is atomic, so one stored entry proves that all are stored.
        await write(entries, async () => (identity ? journal.isRecorded(identity) : !(await isNoted(note))));
        pruneSometimes();
        return outcome;
      }),

    /** Removes the outcomes that a page has received. */
    acknowledge: (source: string, id: number): Promise<void> =>
      withLock(async () => write(await journal.toAcknowledge(source, id))),
  };
}

/** @throws TypeError if two definitions have the same key */
function checkUnique(definitions: readonly Definition<unknown>[]): void {
  const keys = definitions.map(({ key }) => key);
  const duplicate = keys.find((key, index) => keys.indexOf(key) !== index);
  if (duplicate !== undefined)
    throw new TypeError(`Two documents or collections have the key "${duplicate}".`);
}
