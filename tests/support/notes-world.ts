import * as v from 'valibot';

import { type ApiOf, defineFeature } from '../../src/messaging/feature.ts';
import type { Json } from '../../src/messaging/json.ts';
import { proceduresFor } from '../../src/messaging/procedures.ts';
import type { Observe } from '../../src/messaging/server/call.ts';
import { defineCollection, defineDocument, type Definition } from '../../src/messaging/state/documents.ts';
import { type Condition, damageOf } from '../../src/messaging/state/quarantine.ts';
import type { StateWatcher } from '../../src/messaging/state/state.ts';
import type { Task } from '../../src/messaging/state/tasks.ts';
import type { StateReader, StateWriter } from '../../src/messaging/state/transaction.ts';
import { testCallers } from './counter.ts';
import { createMemoryWorld, type MemoryWorld, type MemoryWorldOptions } from './memory-world.ts';

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

interface NotesFeature {
  readonly documents?: readonly Definition<unknown>[];
  readonly tasks?: readonly Task<never>[];
  readonly observe?: Observe;
}

function createTestFeature(work: Work, feature: NotesFeature) {
  return defineFeature({
    ...feature,
    procedures: {
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
    },
  });
}

type World = MemoryWorld<ApiOf<readonly [ReturnType<typeof createTestFeature>]>>;

/** A world with notes. A test passes the functions that read and change its state. */
export interface NotesWorld {
  readonly world: World;
  /** Runs `look` as the handler of a query. */
  readonly read: <T>(look: (state: StateReader) => Promise<T>) => Promise<T>;
  /** Runs `work` as the handler of a mutation. */
  readonly change: <T>(work: (state: StateWriter) => T | Promise<T>) => Promise<T>;
  /** Runs `follow` as the handler of a subscription. */
  readonly watch: <T>(follow: (state: StateWatcher) => AsyncIterable<T>) => AsyncGenerator<T, void>;
  /** Returns the condition of the state, in a query. */
  readonly inspect: () => Promise<Condition>;
  /** Returns the text of an unreadable value, in a query. */
  readonly textOf: (id: string | undefined) => Promise<string | undefined>;
  /** Discards unreadable values, in a mutation. */
  readonly discard: (ids: readonly string[]) => Promise<void>;
  /** The keys of the quarantine. */
  readonly quarantined: () => readonly string[];
}

type Options = NotesFeature & Partial<Omit<MemoryWorldOptions<[]>, 'callers' | 'features'>>;

export function createNotesWorld({
  documents = [notes, total],
  tasks = [],
  observe = () => undefined,
  ...options
}: Options = {}): NotesWorld {
  const work: Work = { look: () => null, change: () => null, follow: async function* () {} };
  const feature = createTestFeature(work, { documents, tasks, observe });
  const world = createMemoryWorld({ callers: testCallers, features: [feature], ...options });
  const { client } = world.openPage('options');
  const read: NotesWorld['read'] = async (look) => {
    work.look = look;
    return (await client.query('test.read')) as Awaited<ReturnType<typeof look>>;
  };
  const change: NotesWorld['change'] = async (make) => {
    work.change = make;
    return (await client.mutate('test.change')) as Awaited<ReturnType<typeof make>>;
  };
  return {
    world,
    read,
    change,
    watch: <T>(follow: (state: StateWatcher) => AsyncIterable<T>) => {
      work.follow = follow;
      return client.subscribe('test.watch') as AsyncGenerator<T, void>;
    },
    inspect: () => read((state) => damageOf(state).inspect()),
    textOf: (id = '') => read((state) => damageOf(state).readText(id)),
    discard: (ids) => change((state) => damageOf(state).discard(ids)),
    quarantined: () => world.disk.keys().filter((key) => key.startsWith('quarantine/')),
  };
}
