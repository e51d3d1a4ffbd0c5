import * as v from 'valibot';
import { vi } from 'vitest';

import { defineFeature } from '../../src/messaging/feature.ts';
import { proceduresFor } from '../../src/messaging/procedures.ts';
import { defineCollection } from '../../src/messaging/state/documents.ts';
import type { Store } from '../../src/messaging/state/store.ts';
import { defineTask } from '../../src/messaging/state/tasks.ts';
import type { StateWriter } from '../../src/messaging/state/transaction.ts';
import { testCallers } from './counter.ts';
import { createMemoryWorld } from './memory-world.ts';

const Meaning = v.object({ word: v.string(), text: v.string() });
export const meanings = defineCollection({ key: 'meanings', schema: Meaning });
const { mutation, query } = proceduresFor(testCallers);

export const never = (): Promise<never> => new Promise(() => {});

/** Data of a task that this version accepts only under a condition. */
export const wordWhere = (isRight: (word: string) => boolean) =>
  v.object({ word: v.pipe(v.string(), v.check(isRight)) });

/** Tasks that never end. */
export const ring = defineTask({ name: 'ring', data: v.string(), run: never });
export const knock = defineTask({ name: 'knock', data: v.string(), run: never });

export interface Attempt {
  readonly word: string;
  readonly key: string;
  readonly signal: AbortSignal;
}

export type Settle = (context: {
  data: { word: string };
  result?: string;
  error?: unknown;
  state: StateWriter;
}) => unknown;

interface TaskOptions {
  readonly limits?: object;
  readonly done?: Settle;
  readonly failed?: Settle;
  readonly data?: () => v.GenericSchema<{ word: string }>;
  readonly version?: () => string;
  readonly patchStore?: (store: Store) => Store;
}

/** Stores the result or the error of a task. */
export const storeResult: Settle = ({ data: { word }, result, error, state }) =>
  state.set(meanings, word, { word, text: result ?? String(error) });

/** Creates a world with a task that looks words up, for tests with fake timers. `answer` plays the service. */
export function createTaskWorld(
  answer: (attempt: Attempt) => Promise<string>,
  {
    limits,
    done = storeResult,
    failed = storeResult,
    data = () => v.object({ word: v.string() }),
    ...options
  }: TaskOptions = {},
) {
  const attempts: Attempt[] = [];
  let work = (_state: StateWriter): unknown => null;
  let awake = 0;
  const wakeTimes: number[] = [];
  const createFeatures = () => {
    const lookUp = defineTask({
      name: 'look-up',
      data: data(),
      run: async ({ data: { word }, key, signal }) => {
        const attempt = { word, key, signal };
        attempts.push(attempt);
        return answer(attempt);
      },
      done,
      failed,
      ...limits,
    });
    return [
      defineFeature({
        documents: [meanings],
        tasks: [lookUp, ring, knock],
        procedures: {
          'word.add': mutation({
            callers: ['options', 'background'],
            input: v.string(),
            output: v.string(),
            handle: ({ input, state }) => state.enqueue(lookUp, { word: input }),
          }),
          'word.cancel': mutation({
            callers: ['options'],
            input: v.string(),
            handle: ({ input, state }) => state.cancel(lookUp, input),
          }),
          'word.open': query({
            callers: ['options'],
            output: v.array(
              v.object({
                id: v.string(),
                data: v.object({ word: v.string() }),
                tries: v.number(),
                due: v.number(),
              }),
            ),
            handle: ({ state }) => state.list(lookUp),
          }),
          'word.change': mutation({
            callers: ['options'],
            handle: async ({ state }) => void (await work(state)),
          }),
        },
      }),
    ] as const;
  };
  const world = createMemoryWorld({
    callers: testCallers,
    features: createFeatures,
    wakeAt: (time) => wakeTimes.push(time),
    stayAwake: () => {
      awake += 1;
      return () => (awake -= 1);
    },
    ...options,
  });
  const { client } = world.openPage('options');
  return {
    world,
    attempts,
    add: (word: string) => client.mutate('word.add', word),
    cancel: (id: string) => client.mutate('word.cancel', id),
    open: () => client.query('word.open'),
    change: (handle: typeof work) => ((work = handle), client.mutate('word.change')),
    textOf: (word: string) => (world.disk.dataOf(`meanings/${word}`) as { text: string } | undefined)?.text,
    isAwake: () => awake > 0,
    wakeTime: () => wakeTimes.at(-1),
    /** Keys of the queue without the tokens of events. */
    keys: () => world.disk.keys().filter((key) => key.startsWith('queue/task')),
    restart: async () => {
      world.killWorker();
      world.fire(() => {});
      await vi.advanceTimersByTimeAsync(1_000);
    },
  };
}

export const fail = (): Promise<never> => Promise.reject(new Error('no'));
export const echo = async ({ word }: Attempt): Promise<string> => `${word}!`;
