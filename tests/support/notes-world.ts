import * as v from 'valibot';

import { type ApiOf, defineFeature } from '../../src/messaging/feature.ts';
import type { Json } from '../../src/messaging/json.ts';
import { proceduresFor } from '../../src/messaging/procedures.ts';
import { defineCollection, defineDocument, type Definition } from '../../src/messaging/state/documents.ts';
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

function createTestFeature(
  work: Work,
  documents: readonly Definition<unknown>[],
  tasks: readonly Task<never>[],
) {
  return defineFeature({
    documents,
    tasks,
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
}

export function createNotesWorld({
  documents = [notes, total],
  tasks = [],
  ...options
}: Partial<Pick<MemoryWorldOptions<[]>, 'patchStore' | 'session'>> & {
  readonly documents?: readonly Definition<unknown>[];
  readonly tasks?: readonly Task<never>[];
} = {}): NotesWorld {
  const work: Work = { look: () => null, change: () => null, follow: async function* () {} };
  const feature = createTestFeature(work, documents, tasks);
  const world = createMemoryWorld({ callers: testCallers, features: [feature], ...options });
  const { client } = world.openPage('options');
  return {
    world,
    read: async <T>(look: (state: StateReader) => Promise<T>) => {
      work.look = look;
      return (await client.query('test.read')) as T;
    },
    change: async <T>(change: (state: StateWriter) => T | Promise<T>) => {
      work.change = change;
      return (await client.mutate('test.change')) as T;
    },
    watch: <T>(follow: (state: StateWatcher) => AsyncIterable<T>) => {
      work.follow = follow;
      return client.subscribe('test.watch') as AsyncGenerator<T, void>;
    },
  };
}
