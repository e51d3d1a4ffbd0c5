import type { Json } from '../json.ts';
import type { CollectionDefinition, Definition, DocumentDefinition, Item } from './documents.ts';
import { PAUSE, PRUNED_AT, toMakeRoom, toPrune } from './journal.ts';
import { createPreparation } from './preparation.ts';
import { createQuarantine, damageOf, grantDamage, QUARANTINE } from './quarantine.ts';
import { createReliableStore, type Entries, splitKey, type Store } from './store.ts';
import type { Task } from './tasks.ts';
import {
  type Base,
  checkListed,
  openTransaction,
  type StateContext,
  type StateReader,
} from './transaction.ts';
import { createTurns } from './turn.ts';
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

/** A change of a document, or of a record below a prefix. */
interface Change {
  /** The id of the record, or empty. */
  readonly id: string;
  /** The new value, `null` if it was removed, or `undefined` if it is unknown. */
  readonly value: Json | undefined;
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
 * Two backgrounds that run at the same time share the lock, but neither is notified of the other's writes.
 */
export function createState({ store, definitions, tasks, version, owner, session, log }: StateOptions) {
  checkUnique(definitions);
  const reliable = createReliableStore(store);
  const changes = new EventTarget();
  const preparation = createPreparation(definitions, { session, onFailed: log });
  const quarantine = createQuarantine(definitions, preparation.isHeld, () => {
    void quarantineFound().catch(log);
  });
  const context: StateContext = { definitions, tasks, quarantine, version, owner };
  const inTurn = createTurns({ store: reliable, preparation, context, onWritten });
  const prepared: Base = {
    read: (keys) => readPrepared(keys, ({ read }) => read(keys)),
    list: (prefix) => readPrepared([prefix], ({ list }) => list(prefix)),
  };
  const { state: reader, getMany } = openTransaction(prepared, context, false);
  /**
   * Readings for watchers, by the key of the document or `QUARANTINE`. Watchers of one document share a reading. Without that,
   * it took 1,040 ms until 100 of them had a change of 1 MB (`npm run bench -- --state`).
   */
  const readings = new Map<string, Promise<unknown>>();
  let prunedAt = 0;
  /** Number of writes so far. */
  let writes = 0;

  /** Reads without the lock, unless these keys must be prepared first. */
  async function readPrepared<T>(keys: readonly string[], look: (base: Base) => Promise<T>): Promise<T> {
    const earlier = writes;
    const early = look(reliable);
    early.catch(() => {});
    // A write since then may have prepared the keys, so the early result may be of an earlier session of the browser.
    if (await preparation.isPrepared(keys, reliable)) return writes === earlier ? early : look(reliable);
    let seen: Promise<T> | undefined;
    try {
      return await inTurn((turn) => (seen = look(turn)));
    } catch (error) {
      if (seen === undefined) throw error;
      const result = await seen;
      // The result is valid, although the preparation could not be written, for example to a full disk. The next read tries
      // again.
      log(error);
      return result;
    }
  }

  function onWritten(entries: Entries, isKnown: boolean): void {
    writes += 1;
    for (const [key, value] of Object.entries(entries)) {
      announce(key, isKnown ? value : undefined);
      if (quarantine.isFound(key)) announce(QUARANTINE);
    }
    if (isKnown) pruneSometimes();
  }

  /** Notifies watchers. The value is missing if it is unknown. */
  function announce(key: string, value?: Json): void {
    const [name, id] = splitKey(key);
    readings.delete(name);
    readings.delete(QUARANTINE);
    changes.dispatchEvent(new CustomEvent<Change>(name, { detail: { id, value } }));
  }

  /** Moves values that cannot be read into the quarantine. */
  async function quarantineFound(): Promise<void> {
    try {
      await quarantine.moveFound(inTurn);
    } finally {
      announce(QUARANTINE);
    }
  }

  function pruneSometimes(): void {
    if (Math.abs(Date.now() - prunedAt) < PAUSE) return;
    prunedAt = Date.now();
    inTurn(async (turn) => turn.stage(await toPrune(turn))).catch(log);
  }

  /** Reads for a watcher, or joins the unfinished reading of another watcher. */
  function share<T>(name: string, read: () => Promise<T>): Promise<T> {
    const known = readings.get(name) as Promise<T> | undefined;
    // Handlers may change the values that they get.
    if (known !== undefined) return known.then(copyData);

    const reading = read();
    readings.set(name, reading);
    const forget = (): void => void readings.delete(name);
    reading.then(forget, forget);
    return reading;
  }

  async function* watchCollection<Data>(
    collection: CollectionDefinition<Data>,
    signal: AbortSignal,
  ): AsyncGenerator<Changes<Data>, void> {
    const prefix = `${collection.key}/`;
    const changed = new Set<string>();
    const collect = (event: Event): void => void changed.add((event as CustomEvent<Change>).detail.id);
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
        // Changes of records are events with other names. They are ignored, because each would cause another reading of all
        // documents.
        watch: () =>
          watchChanges(changes, [...definitions.map(({ key }) => key), PRUNED_AT, QUARANTINE], signal, () =>
            share(QUARANTINE, () => quarantine.inspect(prepared)),
          ),
      });
      return state;
    },

    inTurn,

    /** Stores the records of events without waiting for the lock. */
    note: (entries: Entries, isWritten: () => Promise<boolean>): Promise<void> =>
      reliable.write(entries, isWritten, () => inTurn(async (turn) => turn.stage(await toMakeRoom(turn)))),

    /** Reads stored values without the lock. */
    peek: reliable.read,

    /** Reads stored values as they are before any later write. Rejects instead of trying again. */
    peekOnce: reliable.readOnce,

    /** Lists keys again, because another background may have changed them. */
    listAgain: (prefix: string): Promise<readonly string[]> => reliable.list(prefix, true),

    /** Calls a listener after each change of a document, or of a record below a prefix. */
    onChange: (name: string, listener: (change: Change) => void): void =>
      changes.addEventListener(name, (event) => listener((event as CustomEvent<Change>).detail)),
  };
}

/** @throws TypeError if two definitions have the same key */
function checkUnique(definitions: readonly Definition<unknown>[]): void {
  const keys = definitions.map(({ key }) => key);
  const duplicate = keys.find((key, index) => keys.indexOf(key) !== index);
  if (duplicate !== undefined)
    throw new TypeError(`Two documents or collections have the key "${duplicate}".`);
}

/** Copies the arrays and plain objects of a value. A structured clone of 1 MB takes 2 ms, and fails for some values of schemas. */
function copyData<T>(value: T): T {
  if (Array.isArray(value)) return value.map(copyData) as T;
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype)
    return value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, copyData(part)])) as T;
}
