import type { StandardSchemaV1 as Schema } from '@standard-schema/spec';

import type { Procedure } from './procedures.ts';
import { type CollectionDefinition, type DocumentDefinition, type Item, keyOf } from './documents.ts';
import type { StateWatcher, StateWriter } from './handler-state.ts';

/** The callers of exposed state. Both lists may have names of `defineCallers`, or `background`. */
interface Exposure<Reader, Writer> {
  readonly watch: readonly [Reader, ...Reader[]];
  readonly change: readonly [Writer, ...Writer[]];
  /** Largest change, in characters of JSON text; 4 Mi by default. All that is stored can be watched, up to 20 Mi. */
  readonly maxSize?: number;
}

type ExposedDocument<Name extends string, Data, Reader extends string, Writer extends string> = {
  readonly [Key in `${Name}.watch` | `${Name}.write`]: Key extends `${Name}.watch`
    ? Procedure<'subscription', Reader, undefined, Data, {}>
    : Procedure<'mutation', Writer, Data, void, {}>;
};

type ExposedCollection<Name extends string, Data, Reader extends string, Writer extends string> = {
  readonly [Key in `${Name}.watch` | `${Name}.set` | `${Name}.remove`]: Key extends `${Name}.watch`
    ? Procedure<'subscription', Reader, undefined, readonly Item<Data>[], {}>
    : Procedure<'mutation', Writer, Key extends `${Name}.set` ? Item<Data> : string, void, {}>;
};

/**
 * Declares the procedures with which callers watch and change state as it is stored.
 *
 * - Of a document: `<name>.watch` yields its data, now and after changes, and `<name>.write` replaces it.
 * - Of a collection: `<name>.watch` yields all records, `<name>.set` adds or replaces one, and `<name>.remove` removes one.
 *
 * Two pages that replace a document at the same time do not merge their changes, so keep settings that change independently
 * in documents of their own.
 */
export interface Expose<Callable extends string> {
  <const Name extends string, Data, const Reader extends Callable, const Writer extends Callable>(
    name: Name,
    document: DocumentDefinition<Data>,
    callers: Exposure<Reader, Writer>,
  ): ExposedDocument<Name, Data, Reader, Writer>;
  <const Name extends string, Data, const Reader extends Callable, const Writer extends Callable>(
    name: Name,
    collection: CollectionDefinition<Data>,
    callers: Exposure<Reader, Writer>,
  ): ExposedCollection<Name, Data, Reader, Writer>;
}

type Declare = (declaration: object) => object;

/** Returns `expose` over the functions that declare a subscription and a mutation. */
export function createExpose(subscription: Declare, mutation: Declare) {
  return (
    name: string,
    definition: DocumentDefinition<unknown> | CollectionDefinition<unknown>,
    { watch, change, ...limit }: Exposure<string, string>,
  ): object => {
    const watchWith = (handle: (context: { readonly state: StateWatcher }) => AsyncIterable<unknown>) =>
      subscription({ callers: watch, output: READ, maxSize: Infinity, handle });
    const changeWith = <Input>(
      input: Schema<unknown, Input>,
      apply: (state: StateWriter, input: Input) => void,
    ) =>
      mutation({
        ...limit,
        callers: change,
        input,
        handle: (given: { readonly input: Input; readonly state: StateWriter }) =>
          apply(given.state, given.input),
      });
    if (definition.kind === 'document') {
      return {
        [`${name}.watch`]: watchWith(({ state }) => state.watch(definition)),
        [`${name}.write`]: changeWith(definition.schema, (state, data) => state.write(definition, data)),
      };
    }
    return {
      [`${name}.watch`]: watchWith(async function* ({ state }) {
        for await (const _ of state.watch(definition)) yield await state.list(definition);
      }),
      [`${name}.set`]: changeWith(itemOf(definition), (state, { id, data }) =>
        state.set(definition, id, data),
      ),
      [`${name}.remove`]: changeWith(idOf(definition), (state, id) => state.remove(definition, id)),
    };
  };
}

/** The schema of data that was read. It accepts everything, because reading has validated the data. */
const READ = schemaOf((value) => ({ value }));

/** Returns the schema of the ids of a collection. */
function idOf(collection: CollectionDefinition<unknown>): Schema<unknown, string> {
  return schemaOf((id) => {
    try {
      keyOf(collection, id as string);
      return { value: id as string };
    } catch (error) {
      return { issues: [{ message: (error as TypeError).message }] };
    }
  });
}

/** Returns the schema of the records of a collection. */
function itemOf<Data>(collection: CollectionDefinition<Data>): Schema<unknown, Item<Data>> {
  const ids = idOf(collection);
  return schemaOf(async (item) => {
    const { id, data } = Object(item) as { readonly id?: unknown; readonly data?: unknown };
    const [checkedId, checkedData] = [
      await ids['~standard'].validate(id),
      await collection.schema['~standard'].validate(data),
    ];
    const issues = [...issuesAt('id', checkedId), ...issuesAt('data', checkedData)];
    if (checkedId.issues !== undefined || checkedData.issues !== undefined) return { issues };
    return { value: { id: checkedId.value, data: checkedData.value } };
  });
}

function issuesAt(key: string, { issues = [] }: Schema.Result<unknown>): readonly Schema.Issue[] {
  return issues.map(({ message, path = [] }) => ({ message, path: [key, ...path] }));
}

function schemaOf<Data>(validate: Schema.Props<unknown, Data>['validate']): Schema<unknown, Data> {
  return { '~standard': { version: 1, vendor: 'extension-core', validate } };
}
