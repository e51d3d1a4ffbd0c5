import { type CollectionDefinition, type Definition, type Item, keyOf } from '../define/documents.ts';
import type { ListPage, StateReader, TaskDefinition, TaskItem } from '../define/handler-state.ts';
import { checkLimit } from '../define/limits.ts';
import type { Task } from '../define/tasks.ts';
import { tasksIn } from './job.ts';
import { positionOf } from './key-lists.ts';
import { splitKey } from './store.ts';
import type { View } from './view.ts';

/** The documents, collections and tasks that features list. */
export interface Listed {
  readonly definitions: readonly Definition<unknown>[];
  readonly tasks: readonly Task<never>[];
}

/** A reader that also gets many records at once. */
export interface Reader extends StateReader {
  /** Returns the records with these ids, except those that do not exist or cannot be read. */
  readonly getMany: <Data>(
    collection: CollectionDefinition<Data>,
    ids: readonly string[],
  ) => Promise<Item<Data>[]>;
}

/** Creates the state that a handler reads, over a view of the stored values. */
export function createReader(view: View, listed: Listed): Reader {
  async function load<Data>(
    definition: Definition<Data>,
    keys: readonly string[],
  ): Promise<readonly (Data | undefined)[]> {
    checkListed(listed, definition);
    const readings = await view.readings(definition, keys);
    return readings.map(({ data }) => data);
  }

  /**
   * Returns all keys after `after`, in the requested order. The caller applies the limit, because unreadable records may be
   * skipped.
   */
  async function selectKeys(
    collection: CollectionDefinition<unknown>,
    { after, limit = Infinity, reverse = false }: ListPage = {},
  ): Promise<readonly string[]> {
    checkListed(listed, collection);
    checkLimit('The limit of a list', limit);
    const start = after === undefined ? undefined : keyOf(collection, after);
    const keys = await view.list(`${collection.key}/`);
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
      items = items.concat(await getItems(collection, batch));
    }
    return items;
  }

  async function getItems<Data>(
    collection: CollectionDefinition<Data>,
    keys: readonly string[],
  ): Promise<Item<Data>[]> {
    const loaded = await load(collection, keys);
    const items: Item<Data>[] = [];
    for (const [index, key] of keys.entries()) {
      const data = loaded[index];
      if (data !== undefined) items.push({ id: idOf(key), data });
    }
    return items;
  }

  async function listTasks(task: TaskDefinition<never>): Promise<TaskItem<unknown>[]> {
    const { name } = findTask(listed, task);
    return tasksIn(await view.jobs(), name);
  }

  return {
    read: async (document) => {
      const [data] = await load(document, [document.key]);
      // The data may be `null`.
      return data === undefined ? document.initial : data;
    },
    get: async (collection, id) => (await load(collection, [keyOf(collection, id)]))[0],
    list: ((definition: CollectionDefinition<unknown> | TaskDefinition<never>, page?: ListPage) =>
      definition.kind === 'task'
        ? listTasks(definition)
        : listRecords(definition, page)) as StateReader['list'],
    ids: async (collection, page) => (await selectKeys(collection, page)).slice(0, page?.limit).map(idOf),
    count: async (collection) => (await selectKeys(collection)).length,
    getMany: (collection, ids) =>
      getItems(
        collection,
        ids.map((id) => keyOf(collection, id)),
      ),
  };
}

/** @throws TypeError for a document or collection that no feature lists */
export function checkListed(
  { definitions }: Pick<Listed, 'definitions'>,
  definition: Definition<unknown>,
): void {
  if (definitions.includes(definition)) return;
  throw new TypeError(`"${definition.key}" must be among the \`documents\` of a feature.`);
}

/** Returns a task with its schema. @throws TypeError for a task that no feature lists */
export function findTask({ tasks }: Listed, task: TaskDefinition<never>): Task<never> {
  const found = tasks.find((listed) => listed === task);
  if (found !== undefined) return found;
  throw new TypeError(`"${task.name}" must be among the \`tasks\` of a feature.`);
}

/** Returns the id in the key of a record. */
const idOf = (key: string): string => splitKey(key)[1];
