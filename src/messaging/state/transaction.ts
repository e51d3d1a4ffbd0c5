import type { StandardSchemaV1 as Schema } from '@standard-schema/spec';

import { checkLimit, ProcedureError } from '../errors.ts';
import { copyJson, type Json } from '../json.ts';
import {
  areJson,
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
import { positionOf, splitKey, updateKeys } from './store.ts';
import {
  NEWEST_TASK,
  NO_OWNER,
  parseTask,
  TASK,
  type Task,
  type TaskItem,
  type TaskRecord,
  toDigits,
  toRecordText,
} from './tasks.ts';

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

/** A change of one key. `null` removes it. */
interface Change {
  readonly value: Json | null;
  readonly definition?: Definition<unknown>;
  /** The data of a task, which is not in the stored form of a document. */
  readonly validate?: { readonly schema: Schema; readonly data: Json };
  /** Name of the task that is cancelled. */
  readonly cancelled?: string;
}

/** Number of tasks that this background has enqueued. It makes their ids unique. */
let enqueued = 0;

/**
 * Opens a transaction over stored values.
 *
 * @param isWritable `false` for the state that all queries share
 */
export function openTransaction(base: Base, context: StateContext, isWritable = true) {
  const { definitions, quarantine } = context;
  const changes = new Map<string, Change>();
  /** Values that were read, by key, so that they are not read again before they are replaced. */
  const originals = new Map<
    string,
    { readonly stored: unknown; readonly status: Reading<unknown>['status'] }
  >();
  let isOpen = isWritable;

  /** Reads several documents or records at once. */
  async function load<Data>(
    definition: Definition<Data>,
    keys: readonly string[],
  ): Promise<readonly (Data | undefined)[]> {
    checkListed(definitions, definition);
    const stored = await base.read(keys.filter((key) => !changes.has(key)));
    // If one of many is not JSON, each is checked by itself.
    const isKnown = areJson(keys.map((key) => stored[key]).filter((value) => value !== undefined));
    const readings = keys.map((key) => {
      const change = changes.get(key);
      if (change === undefined) return readStored(definition, stored[key], isKnown);
      return readStored(definition, change.value === null ? undefined : copyJson(change.value));
    });
    const data: (Data | undefined)[] = [];
    for (const [index, key] of keys.entries()) {
      // Most schemas are synchronous, and 10,000 promises take longer than the reading itself.
      const pending = readings[index];
      const reading = pending instanceof Promise ? await pending : pending;
      if (reading?.status === 'invalid') quarantine.onInvalid(key);
      if (reading && isWritable && !changes.has(key))
        originals.set(key, { stored: stored[key], status: reading.status });
      data.push(reading && 'data' in reading ? reading.data : undefined);
    }
    return data;
  }

  /** Returns the keys that begin with a prefix, in order. */
  async function listKeys(prefix: string): Promise<readonly string[]> {
    const changed = Array.from(changes, ([key, { value }]) => [key, value] as const);
    return updateKeys(await base.list(prefix), prefix, changed);
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
    const keys = await listKeys(`${collection.key}/`);
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

  async function listTasks(task: Task<never>): Promise<TaskItem<unknown>[]> {
    checkTask(context.tasks, task);
    const keys = await listKeys(TASK);
    const stored = await base.read(keys.filter((key) => !changes.has(key)));
    return keys.flatMap((key) => {
      const record = parseTask(changes.has(key) ? changes.get(key)?.value : stored[key]);
      if (record?.task !== task.name) return [];
      return [{ id: key.slice(TASK.length), data: record.data, tries: record.tries, due: record.due }];
    });
  }

  function stage(key: string, change: Change): void {
    if (!isOpen)
      throw new Error('Only a mutation can change the state, and only until it ends or runs out of time.');
    changes.set(key, change);
  }

  function stageStored(definition: Definition<unknown>, key: string, value: Stored | null): void {
    checkListed(definitions, definition);
    stage(key, { value, definition });
  }

  function write<Data>(document: DocumentDefinition<Data>, data: NoInfer<Data>): void {
    stageStored(document, document.key, toStored(document, data));
  }

  function enqueue(
    task: Task<never>,
    data: unknown,
    { delay = 0 }: { readonly delay?: number } = {},
  ): string {
    checkTask(context.tasks, task);
    if (!(Number.isFinite(delay) && delay >= 0))
      throw new TypeError('The delay of a task must be a number of milliseconds.');
    const at = Date.now();
    const copied = copyJson(data);
    const { version, owner } = context;
    enqueued += 1;
    // Sorted by id, tasks are in the order in which they were enqueued.
    const id = `${toDigits(at)}-${owner}-${toDigits(enqueued)}`;
    const record: TaskRecord = {
      task: task.name,
      data: copied,
      at,
      version,
      tries: 0,
      due: at + delay,
      wait: delay,
      owner: delay > 0 ? NO_OWNER : owner,
    };
    stage(TASK + id, { value: toRecordText(record), validate: { schema: task.data, data: copied } });
    stage(NEWEST_TASK, { value: id });
    return id;
  }

  /**
   * Returns the changes, after all have been validated.
   *
   * @throws ProcedureError `READ_ONLY` or `NOT_READ` for a stored value that must not be replaced
   * @throws TypeError for data that does not fit its schema, or for a task that was cancelled under another name
   */
  async function validate(): Promise<ReadonlyMap<string, Json | null>> {
    const unread = [...changes].filter(
      ([key, { definition, cancelled }]) => (definition ?? cancelled) !== undefined && !originals.has(key),
    );
    const stored = unread.length === 0 ? {} : await base.read(unread.map(([key]) => key));
    const validated = new Map<string, Json | null>();
    for (const [key, { value, definition, validate: check, cancelled }] of changes) {
      if (cancelled !== undefined) checkName(cancelled, key, stored[key]);
      if (definition !== undefined) {
        const original = originals.get(key) ?? {
          stored: stored[key],
          ...(await readStored(definition, stored[key])),
        };
        for (const [kept, text] of keep(key, original)) validated.set(kept, text);
      }
      const schema = check?.schema ?? definition?.schema;
      const data = check === undefined ? (value as Stored | null)?.data : check.data;
      if (schema !== undefined && value !== null) {
        const result = await schema['~standard'].validate(data);
        if (result.issues !== undefined)
          throw new TypeError(`The new data of "${key}" does not fit its schema.`);
      }
      validated.set(key, value);
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
    update: async (document, change) => {
      const data = change(await state.read(document));
      write(document, data);
      return data;
    },
    set: (collection, id, data) => stageStored(collection, keyOf(collection, id), toStored(collection, data)),
    remove: (collection, id) => stageStored(collection, keyOf(collection, id), null),
    enqueue,
    cancel: (task, id) => {
      checkTask(context.tasks, task);
      const key = TASK + id;
      checkName(task.name, key, changes.get(key)?.value);
      stage(key, { value: null, cancelled: task.name });
    },
  };
  grantDamage(state, {
    inspect: () => quarantine.inspect(base),
    readText: (id) => quarantine.readText(base, id),
    discard: async (ids) => {
      for (const key of await quarantine.listedKeys(base, ids)) stage(key, { value: null });
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
function keep(
  key: string,
  { stored, status }: { stored: unknown; status: string },
): readonly (readonly [string, Json])[] {
  if (status === 'newer') throw new ProcedureError({ code: 'READ_ONLY' });
  if (status !== 'invalid') return [];

  const entries = toQuarantine(key, stored);
  if (entries === undefined) throw new ProcedureError({ code: 'NOT_READ' });
  return Object.entries(entries);
}

/** @throws TypeError for a document or collection that no feature lists */
export function checkListed(
  definitions: readonly Definition<unknown>[],
  definition: Definition<unknown>,
): void {
  if (definitions.includes(definition)) return;
  throw new TypeError(`"${definition.key}" must be among the \`documents\` of a feature.`);
}

/** @throws TypeError for a task that no feature lists */
function checkTask(tasks: readonly Task<never>[], task: Task<never>): void {
  if (tasks.includes(task)) return;
  throw new TypeError(`"${task.name}" must be among the \`tasks\` of a feature.`);
}

/** @throws TypeError if a task with another name is stored under a key */
function checkName(name: string, key: string, stored: unknown): void {
  const record = parseTask(stored);
  if (record === undefined || record.task === name) return;
  throw new TypeError(`The task "${key.slice(TASK.length)}" is not a "${name}".`);
}

/** Returns the id in the key of a record. */
const idOf = (key: string): string => splitKey(key)[1];
