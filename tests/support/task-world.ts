import * as v from 'valibot';
import { vi } from 'vitest';

import type { Json } from '../../src/messaging/wire/json.ts';
import { defineCollection } from '../../src/messaging/define/documents.ts';
import { defineTask, type Task } from '../../src/messaging/define/tasks.ts';
import type { StateWriter } from '../../src/messaging/define/handler-state.ts';
import { isJobKey, MARK, type Job, jobKey, toMark, toText } from '../../src/messaging/state/job.ts';
import type { ObservedCall } from '../../src/messaging/define/observe.ts';
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
    Partial<Pick<Task<never>, 'timeout' | 'attempts' | 'age' | 'pause' | 'service'>>,
    Partial<Pick<MemoryWorldOptions<[]>, 'patchStore'>> {
  readonly done?: Settle;
  readonly failed?: Settle;
  /** Returns `true` if this version accepts the word as data. */
  readonly isRight?: (word: string) => boolean | Promise<boolean>;
}

/** Stores the result or the error of a task. */
export const storeResult: Settle = ({ data: { word }, result, error, state }) =>
  state.set(meanings, word, { word, text: result ?? String(error) });

/** Creates a world with two tasks that look words up and translate them in the same way, for tests with fake timers. */
export function createTaskWorld(
  answer: Answer,
  { isRight = () => true, patchStore = (store) => store, ...declaration }: TaskOptions = {},
) {
  const attempts: Attempt[] = [];
  const observed: [call: ObservedCall, outcome: string, incident: string][] = [];
  let awake = 0;
  const wakeTimes: number[] = [];
  let isOnline = true;
  let onOnline = (): void => {};
  const declare = (name: string) =>
    defineTask({
      name,
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
  const lookUp = declare('look-up');
  const translate = declare('translate');
  const { world, change, read } = createNotesWorld({
    documents: [meanings],
    tasks: [lookUp, translate, ring, knock],
    observe: (call) => {
      if (call.kind !== 'task') return undefined;
      return (outcome, incident) => void observed.push([call, outcome, typeof incident]);
    },
    patchStore,
    wakeAt: (time) => wakeTimes.push(time),
    network: { isOnline: () => isOnline, onOnline: (listener) => (onOnline = listener) },
    stayAwake: () => {
      awake += 1;
      return () => (awake -= 1);
    },
  });
  return {
    world,
    lookUp,
    translate,
    attempts,
    /** The attempts that an observer has seen: the call, its outcome, and the type of its incident. */
    observed,
    change,
    read,
    add: (word: string, task = lookUp) => change((state) => state.enqueue(task, { word })),
    cancel: (id: string) => change((state) => state.cancel(lookUp, id)),
    open: () => read((state) => state.list(lookUp)),
    textOf: (word: string) => (world.disk.dataOf(`meanings/${word}`) as { text: string } | undefined)?.text,
    goOffline: () => (isOnline = false),
    /** The network is back. */
    goOnline: () => {
      isOnline = true;
      onOnline();
    },
    isAwake: () => awake > 0,
    wakeTime: () => wakeTimes.at(-1),
    /** Keys of the records of the queue. */
    keys: () => world.disk.keys().filter(isJobKey),
    /** The mark of the queue. */
    mark: () => world.disk.read(MARK),
    /** Stores what an earlier background has left as the records of tasks. */
    leave: (...records: Json[]) => {
      world.disk.write(MARK, toMark(records.length, false));
      for (const [index, record] of records.entries()) world.disk.write(jobKey(index + 1), record);
    },
    /** Ends the background with its timers, and starts the next one. */
    restart: async () => {
      world.killWorker();
      const now = Date.now();
      // It also sets the clock to its first time.
      vi.clearAllTimers();
      vi.setSystemTime(now);
      world.fire(() => {});
      await advance(SECOND);
    },
  };
}

/** The text of a task that an earlier background has enqueued. */
export const recordOf = (parts: Partial<Job>): string =>
  toText({
    kind: 'task',
    name: 'look-up',
    data: { word: 'a' },
    key: 'key-1',
    at: Date.now(),
    tries: 0,
    deaths: 0,
    due: 0,
    wait: 0,
    ...parts,
  });

export const fail = (): Promise<never> => Promise.reject(new Error('no'));
/** Answers the first attempts with these functions, and all later ones with an echo. */
export const echoAfter =
  (...first: (() => Promise<unknown>)[]) =>
  (attempt: Attempt): Promise<unknown> =>
    (first.shift() ?? echo)(attempt);

export const echo = async ({ word }: Attempt): Promise<string> => `${word}!`;
