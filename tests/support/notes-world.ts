import * as v from 'valibot';

import { defineContract, mutation, query, subscription } from '../../src/messaging/contract.ts';
import type { Json } from '../../src/messaging/json.ts';
import type { StateReader } from '../../src/messaging/state/reader.ts';
import type { StateWatcher } from '../../src/messaging/state/state.ts';
import type { Transaction } from '../../src/messaging/state/transaction.ts';
import { defineCollection, defineDocument } from '../../src/messaging/state/documents.ts';
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

const contract = defineContract(testCallers, {
  'test.read': query({ callers: ['options'], output: Anything }),
  'test.change': mutation({ callers: ['options', 'background'], output: Anything }),
  'test.watch': subscription({ callers: ['options'], output: Anything }),
});

type World = MemoryWorld<typeof contract>;

/** A world with notes. A test passes the functions that read and change its state. */
export interface NotesWorld {
  readonly world: World;
  /** Runs `look` as the handler of a query. */
  readonly read: <T>(look: (state: StateReader) => Promise<T>) => Promise<T>;
  /** Runs `work` as the handler of a mutation. */
  readonly change: <T>(work: (state: Transaction) => T | Promise<T>) => Promise<T>;
  /** Runs `follow` as the handler of a subscription. */
  readonly watch: <T>(follow: (state: StateWatcher) => AsyncIterable<T>) => AsyncGenerator<T, void>;
}

export function createNotesWorld(
  options: Partial<Pick<MemoryWorldOptions<typeof contract>, 'patchStore' | 'documents'>> = {},
): NotesWorld {
  let look: (state: StateReader) => unknown = () => null;
  let work: (state: Transaction) => unknown = () => null;
  let follow: (state: StateWatcher) => AsyncIterable<unknown> = async function* () {};
  const toJson = (value: unknown): Json => (value === undefined ? null : (value as Json));
  const world = createMemoryWorld({
    callers: testCallers,
    contract,
    documents: [notes, total],
    handlers: {
      'test.read': async ({ state }) => toJson(await look(state)),
      'test.change': async ({ state }) => toJson(await work(state)),
      'test.watch': async function* ({ state }) {
        for await (const value of follow(state)) yield toJson(value);
      },
    },
    ...options,
  });
  const { client } = world.openPage('options');
  return {
    world,
    read: async <T>(given: (state: StateReader) => Promise<T>) => {
      look = given;
      return (await client.query('test.read')) as T;
    },
    change: async <T>(given: (state: Transaction) => T | Promise<T>) => {
      work = given;
      return (await client.mutate('test.change')) as T;
    },
    watch: <T>(given: (state: StateWatcher) => AsyncIterable<T>) => {
      follow = given;
      return client.subscribe('test.watch') as AsyncGenerator<T, void>;
    },
  };
}
