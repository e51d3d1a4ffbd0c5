import type { CollectionDefinition, DocumentDefinition, Item } from './documents.ts';

/**
 * The state that the handler of a query gets. All values are frozen: every handler and watcher gets the same object, and a
 * change of it throws a `TypeError`.
 */
export interface StateReader {
  /** Returns a document's data, migrated to its current version, or the initial data if nothing readable is stored. */
  readonly read: <Data>(document: DocumentDefinition<Data>) => Promise<Data>;
  /** Returns a record's data, or `undefined` if the record does not exist or cannot be read. */
  readonly get: <Data>(collection: CollectionDefinition<Data>, id: string) => Promise<Data | undefined>;
  readonly list: {
    /** Returns records in the order of their ids. Those that cannot be read are left out. */
    <Data>(collection: CollectionDefinition<Data>, page?: ListPage): Promise<Item<Data>[]>;
    /** Returns the tasks with this name that are not done, in the order in which they were enqueued. */
    <Data>(task: TaskDefinition<Data>): Promise<TaskItem<Data>[]>;
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
    task: TaskDefinition<Data>,
    data: NoInfer<Data>,
    options?: { readonly delay?: number },
  ) => string;
  /**
   * Removes a task that is not done, if it exists. An attempt that is under way is aborted, and its result is ignored.
   * The mutation fails if the id belongs to a task with another name.
   */
  readonly cancel: (task: TaskDefinition<never>, id: string) => void;
}

/** The state that the handler of a subscription gets. Its generators end with the call. */
export interface StateWatcher extends StateReader {
  readonly watch: {
    /** Yields a document's data, now and after changes. Of several quick changes, it may yield only the last. */
    <Data>(document: DocumentDefinition<Data>): AsyncGenerator<Data, void>;
    /** Yields all records, then changes. */
    <Data>(collection: CollectionDefinition<Data>): AsyncGenerator<Changes<Data>, void>;
    /** Follows several documents and collections. Each time, it yields what each of them would yield, in this order. */
    <const D extends readonly [Watchable, Watchable, ...Watchable[]]>(
      ...definitions: D
    ): AsyncGenerator<{ readonly [Key in keyof D]: Watched<D[Key]> }, void>;
  };
}

/** A definition that a handler can watch. */
export type Watchable = DocumentDefinition<unknown> | CollectionDefinition<unknown>;

type Watched<D> =
  D extends DocumentDefinition<infer Data>
    ? Data
    : D extends CollectionDefinition<infer Data>
      ? Changes<Data>
      : never;

/** New and changed records of a collection, and the ids of removed ones. */
export interface Changes<Data> {
  /** `true` if `items` are all records. They then replace all earlier ones. */
  readonly isWhole: boolean;
  readonly items: Item<Data>[];
  readonly removed: string[];
}

/** Work that follows a change and reaches outside of the state, such as a request, a tab or a notification. */
export interface TaskDefinition<Data> {
  readonly kind: 'task';
  /** The name under which it is stored. It must never change. */
  readonly name: string;
  /** Exists only in the type. */
  readonly '~data': (data: Data) => void;
}

/** A task that is not done, as `state.list` returns it. */
export interface TaskItem<Data> {
  readonly id: string;
  readonly data: Data;
  /** Number of attempts that have failed. */
  readonly tries: number;
  /** Time before which it does not run again, in ms since 1970. */
  readonly due: number;
}
