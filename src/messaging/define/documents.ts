import type { StandardSchemaV1 as Schema } from '@standard-schema/spec';

import type { Json, JsonOf } from '../wire/json.ts';
import { freeze, type Frozen } from './frozen.ts';

/** One value, stored under its key as `{ version, data }`. */
export interface DocumentDefinition<Data> extends Definition<Data> {
  readonly kind: 'document';
  /** The data if no stored value can be used. */
  readonly initial: Data;
}

/** Many values of one shape, each stored under `key/id` as `{ version, data }`. */
export interface CollectionDefinition<Data> extends Definition<Data> {
  readonly kind: 'collection';
}

/** A record of a collection. */
export interface Item<Data> {
  readonly id: string;
  readonly data: Data;
}

/** A document or a collection. */
export interface Definition<Data> {
  readonly kind: 'document' | 'collection';
  /** The key in the store. It must never change. */
  readonly key: string;
  /** Version of the shape of `data`: 1, and one more for each migration. */
  readonly version: number;
  readonly schema: Schema<unknown, Data>;
  readonly migrations: readonly Migration[];
  readonly lifetime: 'session' | undefined;
  readonly adopt: Adoption | undefined;
}

/** Reads data that an earlier extension has stored in its own shape. */
interface Adoption extends EarlierKeys {
  /** Returns data in the first version, by key. */
  readonly toData: (
    stored: Readonly<Record<string, unknown>>,
  ) => readonly (readonly [key: string, data: Json])[];
}

interface EarlierKeys {
  /** Keys of the earlier extension. */
  readonly keys?: readonly string[];
  /** Adds all keys that begin with this text, except those of the core, and data of this extension's definitions. */
  readonly prefix?: string;
  /** `true` to keep the earlier values. By default they are removed when data is adopted from them. */
  readonly keep?: boolean;
}

interface Adopt<Data> extends EarlierKeys {
  /**
   * Returns the data in version 1, before all migrations, so that it never changes. It gets the earlier values by key, and is
   * called only if there are any. It must not have effects. If it throws, or if the data does not fit the schema, nothing is
   * adopted, the earlier values stay, and the error is logged.
   */
  readonly read: (stored: Readonly<Record<string, unknown>>) => Data;
}

/**
 * Turns the data of one version into that of the next. It must not have effects, because it may run many times before its
 * result is written. If it throws, the data counts as unreadable.
 */
type Migration = (data: Json) => Json;

/**
 * `unknown` for a schema whose data can be stored, and read again by this schema. Otherwise a sentence. Members of unknown type,
 * which a `v.looseObject` has, are checked when they are stored.
 */
type SchemaOfState<S extends Schema> = [Schema.InferOutput<S>] extends [
  JsonOf<Schema.InferOutput<S>, unknown> & Frozen<Schema.InferInput<S>>,
]
  ? unknown
  : 'The data of this schema cannot be stored, such as a Date or undefined, or the schema does not accept its own data.';

interface Shape<S extends Schema, Adopted> {
  /** Letters, digits, `-` and `_`, but no key that the core uses. It never changes. */
  readonly key: string;
  /** Validates stored data of this version. It may drop unknown members, but should not reject them. */
  readonly schema: S & SchemaOfState<S>;
  /** Migrations from version 1 to 2, from 2 to 3, and so on. Only append to this list. */
  readonly migrations?: readonly Migration[];
  /**
   * `session` for data that is gone when the browser has been restarted, but not when the background has slept. Ids of tabs
   * and windows belong here, because the next session gives the same ids to other tabs. The data is also lost when the
   * extension is updated or reloaded. Without the option `session` of the background, it is lost with the background.
   */
  readonly lifetime?: 'session';
  /** Takes over what an earlier extension has stored, once and in one write. */
  readonly adopt?: Adopt<Adopted>;
}

/** Declares a document. @throws TypeError for a shape that is not valid */
export function defineDocument<S extends Schema>(
  shape: Shape<S, Json> & { readonly initial: Schema.InferOutput<S> },
): DocumentDefinition<Frozen<Schema.InferOutput<S>>> {
  return {
    ...define<S, Json>(shape, (data) => [[shape.key, data]]),
    kind: 'document',
    initial: freeze(shape.initial),
  };
}

/** Declares a collection. It adopts pairs of an id and data. @throws TypeError for a shape that is not valid */
export function defineCollection<S extends Schema>(
  shape: Shape<S, Iterable<readonly [id: string, data: Json]>>,
): CollectionDefinition<Frozen<Schema.InferOutput<S>>> {
  const toEntries = (items: Iterable<readonly [id: string, data: Json]>) =>
    Array.from(items, ([id, data]) => [keyOf(shape, id), data] as const);
  return { ...define<S, Iterable<readonly [id: string, data: Json]>>(shape, toEntries), kind: 'collection' };
}

/** The core uses these keys, and keys that begin with one of them and a slash. */
export const RESERVED: ReadonlySet<string> = new Set(['journal', 'prepared', 'quarantine', 'queue', 'store']);

function define<S extends Schema, Adopted>(
  { key, schema, migrations = [], lifetime, adopt }: Shape<S, Adopted>,
  toEntries: (adopted: Adopted) => ReturnType<Adoption['toData']>,
) {
  if (!/^[\w-]+$/u.test(key) || RESERVED.has(key) || key in Object.prototype) {
    const instead = 'Use letters, digits, "-" and "_", and no key of the core';
    throw new TypeError(
      `"${key}" cannot be the key of a document or a collection. ${instead} (${[...RESERVED].join(', ')}).`,
    );
  }
  if (adopt !== undefined && (lifetime !== undefined || adopt.prefix === '')) {
    throw new TypeError(
      `"${key}" cannot adopt ${lifetime === undefined ? 'all keys' : 'data of a session'}.`,
    );
  }
  // Every schema can validate an unknown value. Its input type only says which values are valid.
  const reader = schema as unknown as Schema<unknown, Frozen<Schema.InferOutput<S>>>;
  return {
    key,
    schema: reader,
    migrations,
    version: migrations.length + 1,
    lifetime,
    adopt: adopt && {
      ...adopt,
      toData: (stored: Readonly<Record<string, unknown>>) => toEntries(adopt.read(stored)),
    },
  };
}

/** Returns the key of a record. @throws TypeError for an id that is not valid */
export function keyOf({ key }: { readonly key: string }, id: string): string {
  if (typeof id === 'string' && id.length > 0 && id.length <= 200 && id.isWellFormed()) return `${key}/${id}`;
  throw new TypeError(
    `The id of a record must be a string of 1 to 200 characters, not ${JSON.stringify(id)}.`,
  );
}
