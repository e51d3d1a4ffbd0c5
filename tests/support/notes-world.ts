import * as v from 'valibot';

import type { Json } from '../../src/messaging/wire/json.ts';
import { proceduresFor } from '../../src/messaging/define/declare.ts';
import { defineCollection, defineDocument, type Definition } from '../../src/messaging/define/documents.ts';
import { damageOf } from '../../src/messaging/state/damage.ts';
import type { StateReader, StateWatcher, StateWriter } from '../../src/messaging/define/handler-state.ts';
import { testCallers } from './counter.ts';
import { createFeatureWorld, type FeatureWorldOptions } from './feature-world.ts';

const Note = v.looseObject({ text: v.string(), done: v.boolean() });

export type Note = v.InferOutput<typeof Note>;

/** Notes in the second version of their shape, which has added `done`. */
export const notes = defineCollection({
  key: 'notes',
  schema: Note,
  migrations: [(data) => ({ ...(data as Readonly<Record<string, Json>>), done: false })],
});

/** A number that tests change together with notes, to show that both are written or neither. */
export const total = defineDocument({ key: 'total', schema: v.number(), initial: 0 });

const Anything = v.custom<Json>(() => true);

const { query, mutation, subscription } = proceduresFor(testCallers);

/** Functions that the handlers of a test run. */
interface Work {
  look: (state: StateReader) => unknown;
  change: (state: StateWriter) => unknown;
  follow: (state: StateWatcher) => AsyncIterable<unknown>;
}

const toJson = (value: unknown): Json => (value === undefined ? null : (value as Json));

const createProcedures = (work: Work) => ({
  'test.read': query({
    callers: ['options'],
    output: Anything,
    handle: async ({ state }) => toJson(await work.look(state)),
  }),
  'test.change': mutation({
    callers: ['options', 'background'],
    output: Anything,
    handle: async ({ state }) => toJson(await work.change(state)),
  }),
  'test.watch': subscription({
    callers: ['options'],
    output: Anything,
    handle: async function* ({ state }) {
      for await (const value of work.follow(state)) yield toJson(value);
    },
  }),
});

export type NotesWorld = ReturnType<typeof createNotesWorld>;

/** Creates a world with notes. A test passes the functions that read and change its state. */
export function createNotesWorld({
  documents = [notes, total],
  stored = {},
  ...options
}: FeatureWorldOptions & {
  readonly documents?: readonly Definition<unknown>[];
  /** Values that are stored before the first worker starts, by key. */
  readonly stored?: Readonly<Record<string, unknown>>;
} = {}) {
  const work: Work = { look: () => null, change: () => null, follow: async function* () {} };
  const world = createFeatureWorld(createProcedures(work), documents, options);
  for (const [key, value] of Object.entries(stored)) world.disk.write(key, value as Json);
  const { client } = world.openPage('options');

  /** Runs `look` as the handler of a query. */
  async function read<T>(look: (state: StateReader) => Promise<T>): Promise<T> {
    work.look = look;
    return (await client.query('test.read')) as T;
  }

  /** Runs `make` as the handler of a mutation. */
  async function change<T>(make: (state: StateWriter) => T | Promise<T>): Promise<T> {
    work.change = make;
    return (await client.mutate('test.change')) as T;
  }

  /** Runs `follow` as the handler of a subscription. */
  function watch<T>(follow: (state: StateWatcher) => AsyncIterable<T>): AsyncGenerator<T, void> {
    work.follow = follow;
    return client.subscribe('test.watch') as AsyncGenerator<T, void>;
  }

  return {
    world,
    read,
    change,
    watch,
    /** Returns the condition of the state, in a query. */
    inspect: () => read((state) => damageOf(state).inspect()),
    /** Returns the text of an unreadable value, in a query. */
    textOf: (id = '') => read((state) => damageOf(state).readText(id)),
    /** Discards unreadable values, in a mutation. */
    discard: (ids: readonly string[]) => change((state) => damageOf(state).discard(ids)),
    /** The keys of the quarantine. */
    quarantined: () => world.disk.keys().filter((key) => key.startsWith('quarantine/')),
  };
}
