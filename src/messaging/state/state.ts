import type { ProcedureError } from '../errors.ts';
import type { CollectionDefinition, Definition, DocumentDefinition, Item } from './documents.ts';
import { createJournal, PAUSE, PRUNED_AT } from './journal.ts';
import { createPreparation } from './preparation.ts';
import { createQuarantine, damageOf, grantDamage, QUARANTINE } from './quarantine.ts';
import { createReliableStore, type Entries, splitKey, type Store } from './store.ts';
import type { Task } from './tasks.ts';
import { checkListed, openTransaction, type StateContext, type StateReader } from './transaction.ts';
import { takeTurn, type Turn } from './turn.ts';
import { watchChanges } from './watch.ts';

/** The state that the handler of a subscription gets. Its generators end with the call. */
export interface StateWatcher extends StateReader {
  readonly watch: {
    /** Yields a document's data, now and after changes. Of several quick changes, it may yield only the last. */
    <Data>(document: DocumentDefinition<Data>): AsyncGenerator<Data, void>;
    /** Yields all records, then changes. */
    <Data>(collection: CollectionDefinition<Data>): AsyncGenerator<Changes<Data>, void>;
  };
}

/** New and changed records of a collection, and the ids of removed ones. */
export interface Changes<Data> {
  /** `true` if `items` are all records. They then replace all earlier ones. */
  readonly isWhole: boolean;
  readonly items: Item<Data>[];
  readonly removed: string[];
}

export type State = ReturnType<typeof createState>;

interface StateOptions {
  readonly store: Store;
  readonly definitions: readonly Definition<unknown>[];
  readonly tasks: readonly Task<never>[];
  /** Version of the extension, such as `1.10.2`. */
  readonly version: string;
  /** Identifies this background. */
  readonly owner: string;
  /** Returns an id of the browser's session. */
  readonly session: () => Promise<string>;
  /** Called with errors that no caller gets. */
  readonly log: (error: unknown) => void;
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
 * The lock also orders two backgrounds that overlap, but neither learns of the other's writes.
 */
export function createState({ store, definitions, tasks, version, owner, session, log }: StateOptions) {
  checkUnique(definitions);
  const reliable = createReliableStore(store);
  const journal = createJournal(reliable);
  const changes = new EventTarget();
  const prepared = createPreparation(reliable, definitions, {
    session,
    onPending: () => void writePending().catch(log),
    onFailed: log,
  });
  const quarantine = createQuarantine(prepared, definitions, () => void setAside().catch(log));
  const context: StateContext = { definitions, tasks, quarantine, version, owner };
  const { state: reader, getMany } = openTransaction(prepared, context, false);
  const documentKeys = definitions.filter(({ kind }) => kind === 'document').map(({ key }) => key);
  /** Readings for watchers, by the key of the document or `QUARANTINE`. Watchers of one document share a reading. */
  const readings = new Map<string, Promise<unknown>>();
  let prunedAt = 0;

  /** Writes changes and notifies watchers. Call it under the lock. */
  async function write(
    changed: Entries,
    isWritten: () => Promise<boolean> = async () => false,
  ): Promise<void> {
    if (Object.keys(changed).length === 0) return;
    const entries = prepared.complete(changed);
    try {
      await reliable.write(entries, isWritten, makeRoom);
    } catch (error) {
      if ((error as ProcedureError).report.code !== 'NOT_STORED') {
        prepared.onWritten(entries, false);
        announceAll(entries);
      }
      throw error;
    }
    prepared.onWritten(entries);
    announceAll(entries);
  }

  /** Writes what reads see already. */
  const writePending = (): Promise<void> =>
    withLock(async () => {
      for (const entries of prepared.pending()) await write(entries);
    });

  /** Removes the outcomes of the journal, because the disk may be full. Call it under the lock. */
  async function makeRoom(): Promise<void> {
    const entries = await journal.toMakeRoom();
    if (Object.keys(entries).length > 0) await store.write(entries);
  }

  function announceAll(entries: Entries): void {
    for (const key of Object.keys(entries)) {
      announce(key);
      if (quarantine.isFound(key)) announce(QUARANTINE);
    }
  }

  function announce(key: string): void {
    const [name, id] = splitKey(key);
    readings.delete(name);
    readings.delete(QUARANTINE);
    changes.dispatchEvent(new CustomEvent(name, { detail: id }));
  }

  async function withLock<T>(work: () => Promise<T>): Promise<T> {
    const release = await prepared.lock();
    try {
      return await work();
    } finally {
      release();
    }
  }

  /** Moves values that cannot be read into the quarantine. Between two batches, other changes take the lock. */
  async function setAside(): Promise<void> {
    try {
      for (let isMore = true; isMore;) isMore = await withLock(() => quarantine.setAside(write));
    } finally {
      announce(QUARANTINE);
    }
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
    collection: CollectionDefinition<Data>,
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
      const items = await getMany(collection, ids);
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
    createWatcher: (signal: AbortSignal): StateWatcher => {
      const state: StateWatcher = {
        ...reader,
        watch: ((definition: DocumentDefinition<unknown> | CollectionDefinition<unknown>) => {
          checkListed(definitions, definition);
          return definition.kind === 'document'
            ? watchChanges(changes, [definition.key], signal, () =>
                share(definition.key, () => reader.read(definition)),
              )
            : watchCollection(definition, signal);
        }) as StateWatcher['watch'],
      };
      grantDamage(state, {
        ...damageOf<StateReader>(reader),
        // Changes of records are ignored, because each would cause another reading of all documents.
        watch: () =>
          watchChanges(changes, [...documentKeys, PRUNED_AT, QUARANTINE], signal, () =>
            share(QUARANTINE, quarantine.inspect),
          ),
      });
      return state;
    },

    /** Waits for the lock. See `takeTurn`. */
    takeTurn: (): Promise<Turn> =>
      takeTurn({ store: prepared, context, journal, write, onCommit: pruneSometimes }),

    /** Stores the records of events without waiting for the lock. */
    note: (entries: Entries, isWritten: () => Promise<boolean>): Promise<void> =>
      reliable.write(entries, isWritten, () => withLock(makeRoom)),

    /** Reads stored values without the lock. */
    peek: reliable.read,

    /** Reads stored values before the writes that are issued after this call, or not at all. */
    peekOnce: reliable.readOnce,

    /** Lists keys again, because another background may have changed them. */
    listAgain: (prefix: string): Promise<readonly string[]> => reliable.list(prefix, true),

    /** Calls a listener after each change of a document, or of a record below a prefix, with the record's id. */
    onChange: (name: string, listener: (id: string) => void): void =>
      changes.addEventListener(name, (event) => listener((event as CustomEvent<string>).detail)),

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
