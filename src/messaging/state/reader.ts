import { copyJson } from '../json.ts';
import {
  type Collection,
  type Definition,
  type Document,
  type Item,
  type Reading,
  readStored,
  type Stored,
} from './documents.ts';
import type { Condition, Quarantine } from './quarantine.ts';
import type { ReliableStore } from './store.ts';

/** The state that the handler of a query gets. */
export interface StateReader {
  /** Returns a document's data, migrated to its current version, or the initial data if nothing readable is stored. */
  readonly read: <Data>(document: Document<Data>) => Promise<Data>;
  /** Returns a record's data, or `undefined` if the record does not exist or cannot be read. */
  readonly get: <Data>(collection: Collection<Data>, id: string) => Promise<Data | undefined>;
  /** Returns records in the order of their ids. Those that cannot be read are left out. */
  readonly list: <Data>(collection: Collection<Data>, page?: ListPage) => Promise<Item<Data>[]>;
  /** Returns the condition of the stored state. It lists an unreadable record only after an attempt to read it. */
  readonly inspect: () => Promise<Condition>;
  /** Returns the text of a value that could not be read, or `undefined` if the value is gone. */
  readonly readUnreadable: (id: string) => Promise<string | undefined>;
}

/** The part of a collection to list. */
export interface ListPage {
  /** Lists only records whose ids come after this one. */
  readonly after?: string;
  /** Maximum number of records. All by default. */
  readonly limit?: number;
}

/** The parts of the state that all handlers share. */
export interface StateContext {
  readonly store: ReliableStore;
  readonly definitions: readonly Definition<unknown>[];
  readonly quarantine: Quarantine;
}

/** Changes that are not written yet, by key. `null` removes a key. */
export type Staged = Map<string, { readonly definition: Definition<unknown>; readonly value: Stored | null }>;

/** Values that a transaction has read, by key, so that it does not read them again before it replaces them. */
export type Originals = Map<
  string,
  { readonly stored: unknown; readonly status: Reading<unknown>['status'] }
>;

/** Creates the state of a query or, with `staged` and `originals`, of a mutation. */
export function createReader(
  { store, definitions, quarantine }: StateContext,
  staged: Staged = new Map(),
  originals: Originals = new Map(),
) {
  /** Reads several keys at once. */
  async function load<Data>(
    definition: Definition<Data>,
    keys: readonly string[],
  ): Promise<readonly (Data | undefined)[]> {
    checkListed(definitions, definition);
    const stored = await store.read(keys.filter((key) => !staged.has(key)));
    const readings = keys.map((key) => {
      const change = staged.get(key);
      if (change === undefined) return readStored(definition, stored[key]);
      return readStored(definition, change.value === null ? undefined : copyJson(change.value));
    });
    const data: (Data | undefined)[] = [];
    for (const [index, key] of keys.entries()) {
      // Most schemas are synchronous, and 10,000 promises take longer than the reading itself.
      const pending = readings[index];
      const reading = pending instanceof Promise ? await pending : pending;
      if (reading?.status === 'invalid') quarantine.onInvalid(key);
      if (reading && !staged.has(key)) originals.set(key, { stored: stored[key], status: reading.status });
      data.push(reading && 'data' in reading ? reading.data : undefined);
    }
    return data;
  }

  async function listIds({ key }: Collection<unknown>): Promise<readonly string[]> {
    const prefix = `${key}/`;
    const stored = await store.list(prefix);
    const changes = [...staged].filter(([name]) => name.startsWith(prefix));
    if (changes.length === 0) return stored.map((name) => name.slice(prefix.length));

    // Removed records stay in the list. They are left out when the records are read.
    const names = new Set([...stored, ...changes.map(([name]) => name)]);
    return [...names].map((name) => name.slice(prefix.length)).toSorted();
  }

  async function list<Data>(
    collection: Collection<Data>,
    { after = '', limit = Infinity }: ListPage = {},
  ): Promise<Item<Data>[]> {
    const ids = (await listIds(collection)).filter((id) => id > after);
    const items: Item<Data>[] = [];
    // Continues until `limit` records are read, because some may be unreadable.
    for (let start = 0; start < ids.length && items.length < limit;) {
      const batch = ids.slice(start, start + limit - items.length);
      start += batch.length;
      items.push(...(await getMany(collection, batch)));
    }
    return items;
  }

  /** Returns the records with these ids, except those that do not exist or cannot be read. */
  async function getMany<Data>(
    collection: Collection<Data>,
    ids: readonly string[],
  ): Promise<readonly Item<Data>[]> {
    const keys = ids.map((id) => keyOf(collection, id));
    const loaded = await load(collection, keys);
    return ids.flatMap((id, index) => {
      const data = loaded[index];
      return data === undefined ? [] : [{ id, data }];
    });
  }

  const reader: StateReader = {
    read: async (document) => {
      const [data] = await load(document, [document.key]);
      // The data may be `null`.
      return data === undefined ? document.initial : data;
    },
    get: async (collection, id) => (await load(collection, [keyOf(collection, id)]))[0],
    list,
    inspect: quarantine.inspect,
    readUnreadable: quarantine.readText,
  };
  return { ...reader, getMany };
}

/** @throws TypeError for a document or collection that the background does not list */
export function checkListed(
  definitions: readonly Definition<unknown>[],
  definition: Definition<unknown>,
): void {
  if (definitions.includes(definition)) return;
  throw new TypeError(`"${definition.key}" must be among the \`documents\` of \`createBackground\`.`);
}

/** Returns the key of a record. @throws TypeError for an id that is not valid */
export function keyOf({ key }: Collection<unknown>, id: string): string {
  if (typeof id === 'string' && id.length > 0 && id.length <= 200 && id.isWellFormed()) return `${key}/${id}`;
  throw new TypeError(
    `The id of a record must be a string of 1 to 200 characters, not ${JSON.stringify(id)}.`,
  );
}
