import * as v from 'valibot';

import type { Json } from '../../src/messaging/json.ts';
import { defineCollection } from '../../src/messaging/state/documents.ts';
import { defineTask, type Task } from '../../src/messaging/state/tasks.ts';
import type { StateWriter } from '../../src/messaging/state/transaction.ts';
import type { MemoryWorldOptions } from './memory-world.ts';
import { createNotesWorld } from './notes-world.ts';
import { never } from './promises.ts';
import { advance, SECOND } from './time.ts';

const Meaning = v.object({ word: v.string(), text: v.string() });
export const meanings = defineCollection({ key: 'meanings', schema: Meaning });

/** Tasks that never end. */
export const ring = defineTask({ name: 'ring', data: v.string(), run: never });
export const knock = defineTask({ name: 'knock', data: v.string(), run: never });

interface Attempt {
  readonly word: string;
  readonly key: string;
  readonly signal: AbortSignal;
}

/** Plays the service that a task asks. */
export type Answer = (attempt: Attempt) => Promise<unknown>;

export type Settle = (context: {
  data: { word: string };
  result?: string;
  error?: unknown;
  state: StateWriter;
}) => unknown;

export interface TaskOptions
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

/** Creates a world with a task that looks words up, for tests with fake timers. */
export function createTaskWorld(
  answer: Answer,
  {
    isRight = () => true,
    version = () => '1',
    patchStore = (store) => store,
    ...declaration
  }: TaskOptions = {},
) {
  const attempts: Attempt[] = [];
  const observed: unknown[] = [];
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
  const { world, change, read } = createNotesWorld({
    documents: [meanings],
    tasks: [lookUp, ring, knock],
    observe: (call) => {
      if (call.kind !== 'task') return undefined;
      return (outcome, incident) => observed.push([call, outcome, typeof incident]);
    },
    version,
    patchStore,
    wakeAt: (time) => wakeTimes.push(time),
    stayAwake: () => {
      awake += 1;
      return () => (awake -= 1);
    },
  });
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
    change,
    add: (word: string) => change((state) => state.enqueue(lookUp, { word })),
    cancel: (id: string) => change((state) => state.cancel(lookUp, id)),
    open: () => read((state) => state.list(lookUp)),
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
