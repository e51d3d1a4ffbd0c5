import * as v from 'valibot';

import { defineFeature } from '../../src/messaging/feature.ts';
import type { Json } from '../../src/messaging/json.ts';
import { proceduresFor } from '../../src/messaging/procedures.ts';
import { defineCollection } from '../../src/messaging/state/documents.ts';
import { defineTask, type Task } from '../../src/messaging/state/tasks.ts';
import type { StateWriter } from '../../src/messaging/state/transaction.ts';
import { testCallers } from './counter.ts';
import { createMemoryWorld, type MemoryWorldOptions } from './memory-world.ts';
import { never } from './promises.ts';
import { advance, SECOND } from './time.ts';

const Meaning = v.object({ word: v.string(), text: v.string() });
export const meanings = defineCollection({ key: 'meanings', schema: Meaning });
const { mutation, query } = proceduresFor(testCallers);

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

interface TaskOptions
  extends
    Partial<Pick<Task<never>, 'timeout' | 'attempts' | 'age' | 'concurrency' | 'perSecond'>>,
    Partial<Pick<MemoryWorldOptions<[]>, 'version' | 'patchStore'>> {
  readonly done?: Settle;
  readonly failed?: Settle;
  /** Returns `true` if this version accepts the word as data. */
  readonly isRight?: (word: string) => boolean | Promise<boolean>;
}

/** Stores the result or the error of a task. */
export const storeResult: Settle = ({ data: { word }, result, error, state }) =>
  state.set(meanings, word, { word, text: result ?? String(error) });

/** Creates a world with a task that looks words up, for tests with fake timers. `answer` plays the service. */
export function createTaskWorld(
  answer: (attempt: Attempt) => Promise<unknown>,
  {
    isRight = () => true,
    version = () => '1',
    patchStore = (store) => store,
    ...declaration
  }: TaskOptions = {},
) {
  const attempts: Attempt[] = [];
  const observed: unknown[] = [];
  let work = (_state: StateWriter): unknown => null;
  let awake = 0;
  const wakeTimes: number[] = [];
  const lookUp = defineTask({
    name: 'look-up',
    data: v.objectAsync({
      word: v.pipeAsync(
        v.string(),
        v.checkAsync(async (word) => isRight(word)),
      ),
    }),
    run: async ({ data: { word }, key, signal }) => {
      const attempt = { word, key, signal };
      attempts.push(attempt);
      return (await answer(attempt)) as string;
    },
    done: storeResult,
    failed: storeResult,
    ...declaration,
  });
  const feature = defineFeature({
    documents: [meanings],
    tasks: [lookUp, ring, knock],
    observe: (call) => {
      if (call.kind !== 'task') return undefined;
      return (outcome, incident) => observed.push([call, outcome, typeof incident]);
    },
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
  });
  const world = createMemoryWorld({
    callers: testCallers,
    features: [feature],
    version,
    patchStore,
    wakeAt: (time) => wakeTimes.push(time),
    stayAwake: () => {
      awake += 1;
      return () => (awake -= 1);
    },
  });
  const { client } = world.openPage('options');
  const start = async (): Promise<void> => {
    world.fire(() => {});
    await advance(SECOND);
  };
  return {
    world,
    lookUp,
    attempts,
    /** The attempts that an observer has seen: the call, its outcome, and the type of its incident. */
    observed,
    add: (word: string) => client.mutate('word.add', word),
    cancel: (id: string) => client.mutate('word.cancel', id),
    open: () => client.query('word.open'),
    change: (handle: typeof work) => ((work = handle), client.mutate('word.change')),
    textOf: (word: string) => (world.disk.dataOf(`meanings/${word}`) as { text: string } | undefined)?.text,
    isAwake: () => awake > 0,
    wakeTime: () => wakeTimes.at(-1),
    /** Keys of the queue without the tokens of events. */
    keys: () => world.disk.keys().filter((key) => key.startsWith('queue/task')),
    /** Stores what an earlier background has left as the record of a task. */
    leave: (record: Json) => {
      world.disk.write('queue/tasks', '1');
      world.disk.write('queue/task/1', record);
    },
    /** Starts a background that has no reason to list tasks: none are left, and the journal has just been pruned. */
    startQuietly: () => {
      world.disk.write('journal', Date.now());
      return start();
    },
    restart: () => {
      world.killWorker();
      return start();
    },
  };
}

/** The text of a task that another background has enqueued. */
export const recordOf = (parts: object): string => {
  const record = { task: 'look-up', data: { word: 'a' }, at: 1, version: '1', tries: 0, due: 0, wait: 0 };
  return JSON.stringify({ ...record, owner: 'x', ...parts });
};

export const fail = (): Promise<never> => Promise.reject(new Error('no'));
/** Answers the first attempts with these functions, and all later ones with an echo. */
export const echoAfter =
  (...first: (() => Promise<unknown>)[]) =>
  (attempt: Attempt): Promise<unknown> =>
    (first.shift() ?? echo)(attempt);

export const echo = async ({ word }: Attempt): Promise<string> => `${word}!`;
