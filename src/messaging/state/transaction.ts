import { checkLimit, ProcedureError } from '../errors.ts';
import { copyJson, type Json } from '../json.ts';
import {
  areJson,
  checkFits,
  type CollectionDefinition,
  type Definition,
  type DocumentDefinition,
  type Item,
  keyOf,
  type Reading,
  readStored,
  type Stored,
  toStored,
} from './documents.ts';
import { grantDamage, type Quarantine, toQuarantine } from './quarantine.ts';
import { type Entries, positionOf, splitKey, updateKeys } from './store.ts';
import { openTasks } from './task-records.ts';
import type { Task, TaskItem } from './tasks.ts';

/** The state that the handler of a query gets. */
export interface StateReader {
  /** Returns a document's data, migrated to its current version, or the initial data if nothing readable is stored. */
  readonly read: <Data>(document: DocumentDefinition<Data>) => Promise<Data>;
  /** Returns a record's data, or `undefined` if the record does not exist or cannot be read. */
  readonly get: <Data>(collection: CollectionDefinition<Data>, id: string) => Promise<Data | undefined>;
  readonly list: {
    /** Returns records in the order of their ids. Those that cannot be read are left out. */
    <Data>(collection: CollectionDefinition<Data>, page?: ListPage): Promise<Item<Data>[]>;
    /** Returns the tasks with this name that are not done, in the order in which they were enqueued. */
    <Data>(task: Task<Data>): Promise<TaskItem<Data>[]>;
  };
  /** Returns ids of records, in their order and without reading the records. Some may be unreadable. */
  readonly ids: (collection: CollectionDefinition<unknown>, page?: ListPage) => Promise<string[]>;
  /** Returns the number of records, without reading them. Some may be unreadable. */
  readonly count: (collection: CollectionDefinition<unknown>) => Promise<number>;
}

/** The part of a collection to list. A TypeError is thrown if it is not valid. */
export interface ListPage {
  /** The id after which the list begins. A record with this id need not exist. */
  readonly after?: string;
  /** Maximum number of records: a positive whole number. All by default. */
  readonly limit?: number;
  /** Lists from the last id to the first. The ids after `after` are then the smaller ones. */
  readonly reverse?: boolean;
}

/**
 * The state that the handler of a mutation gets. Reads include the handler's changes. The changes are written together
 * after the handler has returned, or not at all if it throws. After that, each change throws.
 */
export interface StateWriter extends StateReader {
  /** Replaces a document's data. @throws JsonError for data that cannot be stored unchanged */
  readonly write: <Data>(document: DocumentDefinition<Data>, data: NoInfer<Data>) => void;
  /** Replaces a document's data by the result of `change`, and returns it. */
  readonly update: <Data>(
    document: DocumentDefinition<Data>,
    change: (data: Data) => NoInfer<Data>,
  ) => Promise<Data>;
  /** Adds or replaces a record. @throws JsonError for data that cannot be stored unchanged, TypeError for an invalid id */
  readonly set: <Data>(collection: CollectionDefinition<Data>, id: string, data: NoInfer<Data>) => void;
  /** Removes a record, if it exists. */
  readonly remove: (collection: CollectionDefinition<unknown>, id: string) => void;
  /**
   * Adds a task, which runs after this change was written. Returns its id.
   *
   * @param options `delay`: milliseconds before it runs
   * @throws JsonError for data that cannot be stored unchanged
   */
  readonly enqueue: <Data>(
    task: Task<Data>,
    data: NoInfer<Data>,
    options?: { readonly delay?: number },
  ) => string;
  /**
   * Removes a task that is not done, if it exists. An attempt that is under way is aborted, and its result is ignored.
   * The mutation fails if the id belongs to a task with another name.
   */
  readonly cancel: (task: Task<never>, id: string) => void;
}

/** The stored values that a transaction sees, including earlier changes of the same turn. */
export interface Base {
  readonly read: (keys: readonly string[]) => Promise<Readonly<Record<string, unknown>>>;
  /** Returns the keys that begin with a prefix, in order. */
  readonly list: (prefix: string) => Promise<readonly string[]>;
}

/** The parts of the state that all handlers share. */
export interface StateContext {
  readonly definitions: readonly Definition<unknown>[];
  readonly tasks: readonly Task<never>[];
  readonly quarantine: Quarantine;
  /** Version of the extension. */
  readonly version: string;
  /** Identifies this background. */
  readonly owner: string;
}

/** Adds a change of one key to a transaction, with the checks that it needs before it is written. `null` removes the key. */
export type StageChecked = (key: string, value: Json | null, checks?: Checks) => void;

interface Checks {
  /** Compares a change with the stored value. Returns more entries to write. */
  readonly compare?: (stored: unknown) => Entries | Promise<Entries>;
  /** Validates the new value. */
  readonly validate?: () => Promise<void>;
}

/**
 * Opens a transaction over stored values.
 *
 * @param isWritable `false` for the state that all queries share
 */
export function openTransaction(base: Base, context: StateContext, isWritable = true) {
  const { definitions, quarantine } = context;
  const changes = new Map<string, Json | null>();
  const checks = new Map<string, Checks>();
  /** Values that were read, by key, so that they are not read again before they are replaced. */
  const originals = new Map<
    string,
    { readonly stored: unknown; readonly status: Reading<unknown>['status'] }
  >();
  const current = withChanges(base, changes);
  const { listTasks, enqueue, cancel } = openTasks(current, context, (key) => changes.get(key), stage);
  let isOpen = isWritable;
  /** The latest update. The next one waits for it, so that it reads what this one has written. */
  let updating: Promise<unknown> = Promise.resolve();

  /** Reads several documents or records at once. */
  async function load<Data>(
    definition: Definition<Data>,
    keys: readonly string[],
  ): Promise<readonly (Data | undefined)[]> {
    checkListed(definitions, definition);
    const stored = await current.read(keys);
    // If one of many is not JSON, each is checked by itself.
    const isKnown = areJson(keys.map((key) => stored[key] ?? null));
    const readings = keys.map((key) => [key, readStored(definition, stored[key], isKnown)] as const);
    const data: (Data | undefined)[] = [];
    for (const [key, pending] of readings) {
      // Most schemas are synchronous, and 10,000 promises take longer than the reading itself.
      const reading = pending instanceof Promise ? await pending : pending;
      if (reading.status === 'invalid') quarantine.onInvalid(key);
      if (isWritable && !changes.has(key))
        originals.set(key, { stored: stored[key], status: reading.status });
      data.push(reading.data);
    }
    return data;
  }

  /**
   * Returns all keys after `after`, in the requested order. The caller applies the limit, because unreadable records may be
   * skipped.
   */
  async function selectKeys(
    collection: CollectionDefinition<unknown>,
    { after, limit = Infinity, reverse = false }: ListPage = {},
  ): Promise<readonly string[]> {
    checkListed(definitions, collection);
    checkLimit('The limit of a list', limit);
    const start = after === undefined ? undefined : keyOf(collection, after);
    const keys = await current.list(`${collection.key}/`);
    if (start === undefined) return reverse ? keys.toReversed() : keys;
    const index = positionOf(keys, start);
    if (reverse) return keys.slice(0, index).toReversed();
    return keys.slice(keys[index] === start ? index + 1 : index);
  }

  async function listRecords<Data>(
    collection: CollectionDefinition<Data>,
    page?: ListPage,
  ): Promise<Item<Data>[]> {
    const keys = await selectKeys(collection, page);
    const limit = page?.limit ?? Infinity;
    let items: Item<Data>[] = [];
    // Continues until `limit` records are read, because some may be unreadable.
    for (let start = 0; start < keys.length && items.length < limit;) {
      const batch = keys.slice(start, start + limit - items.length);
      start += batch.length;
      items = items.concat(await getMany(collection, batch.map(idOf)));
    }
    return items;
  }

  /** Returns the records with these ids, except those that do not exist or cannot be read. */
  async function getMany<Data>(
    collection: CollectionDefinition<Data>,
    ids: readonly string[],
  ): Promise<Item<Data>[]> {
    const keys = ids.map((id) => keyOf(collection, id));
    const loaded = await load(collection, keys);
    return ids.flatMap((id, index) => {
      const data = loaded[index];
      return data === undefined ? [] : [{ id, data }];
    });
  }

  function stage(key: string, value: Json | null, keyChecks: Checks = {}): void {
    if (!isOpen)
      throw new Error('Only a mutation can change the state, and only until it ends or runs out of time.');
    changes.set(key, value);
    checks.set(key, keyChecks);
  }

  function stageStored(definition: Definition<unknown>, key: string, value: Stored | null): void {
    checkListed(definitions, definition);
    stage(key, value, {
      compare: async (stored) => {
        const { status } = originals.get(key) ?? (await readStored(definition, stored));
        return keep(key, stored, status);
      },
      ...(value !== null && { validate: () => checkFits(`"${key}"`, definition.schema, value.data) }),
    });
  }

  function write<Data>(document: DocumentDefinition<Data>, data: NoInfer<Data>): void {
    stageStored(document, document.key, toStored(document, data));
  }

  /**
   * Refuses further changes, and returns the changes after all have been validated.
   *
   * @throws ProcedureError `READ_ONLY` or `NOT_READ` for a stored value that must not be replaced
   * @throws TypeError for data that does not fit its schema, or for a task that was cancelled under another name
   */
  async function validate(): Promise<Entries> {
    isOpen = false;
    const compared = [...checks].filter(([, { compare }]) => compare !== undefined).map(([key]) => key);
    const unread = compared.filter((key) => !originals.has(key));
    const stored = await base.read(unread);
    const validated: Record<string, Json> = {};
    for (const [key, value] of changes) {
      const { compare, validate: validateValue } = checks.get(key) ?? {};
      const { stored: original } = originals.get(key) ?? { stored: stored[key] };
      Object.assign(validated, await compare?.(original));
      await validateValue?.();
      validated[key] = value;
    }
    return validated;
  }

  const state: StateWriter = {
    read: async (document) => {
      const [data] = await load(document, [document.key]);
      // The data may be `null`. Handlers may change the values that they get.
      return data === undefined ? structuredClone(document.initial) : data;
    },
    get: async (collection, id) => (await load(collection, [keyOf(collection, id)]))[0],
    list: ((definition: CollectionDefinition<unknown> | Task<never>, page?: ListPage) =>
      definition.kind === 'task'
        ? listTasks(definition)
        : listRecords(definition, page)) as StateReader['list'],
    ids: async (collection, page) => (await selectKeys(collection, page)).slice(0, page?.limit).map(idOf),
    count: async (collection) => (await selectKeys(collection)).length,
    write,
    update: (document, change) => {
      const update = async () => {
        const data = change(await state.read(document));
        write(document, data);
        return data;
      };
      const updated = updating.then(update, update);
      updating = updated;
      return updated;
    },
    set: (collection, id, data) => stageStored(collection, keyOf(collection, id), toStored(collection, data)),
    remove: (collection, id) => stageStored(collection, keyOf(collection, id), null),
    enqueue,
    cancel,
  };
  grantDamage(state, {
    inspect: () => quarantine.inspect(base),
    readText: (id) => quarantine.readText(base, id),
    discard: async (ids) => {
      for (const key of await quarantine.listedKeys(base, ids)) stage(key, null);
    },
  });
  return {
    state,
    getMany,
    validate,
    /** Refuses further changes. */
    close: (): void => void (isOpen = false),
  };
}

/** Returns the entries that quarantine an unreadable value before it is replaced. Other values need none. */
function keep(key: string, stored: unknown, status: Reading<unknown>['status']): Entries {
  if (status === 'newer') throw new ProcedureError({ code: 'READ_ONLY' });
  if (status !== 'invalid') return {};

  const entries = toQuarantine(key, stored);
  if (entries === undefined) throw new ProcedureError({ code: 'NOT_READ' });
  return entries;
}

/** Returns stored values as they are after changes. */
export function withChanges({ read, list }: Base, changes: ReadonlyMap<string, Json | null>): Base {
  return {
    read: async (keys) => {
      const stored = await read(keys.filter((key) => !changes.has(key)));
      const changed = keys.filter((key) => (changes.get(key) ?? null) !== null);
      // Handlers may change the values that they get.
      const copies = changed.map((key) => [key, copyJson(changes.get(key))] as const);
      return Object.assign(stored, Object.fromEntries(copies));
    },
    list: async (prefix) => updateKeys(await list(prefix), prefix, changes),
  };
}

/** @throws TypeError for a document or collection that no feature lists */
export function checkListed(
  definitions: readonly Definition<unknown>[],
  definition: Definition<unknown>,
): void {
  if (definitions.includes(definition)) return;
  throw new TypeError(`"${definition.key}" must be among the \`documents\` of a feature.`);
}

/** Returns the id in the key of a record. */
const idOf = (key: string): string => splitKey(key)[1];
