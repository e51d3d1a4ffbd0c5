import * as v from 'valibot';
import { afterEach, expect, it, vi } from 'vitest';

import { defineFeature } from '../../../src/messaging/feature.ts';
import { proceduresFor } from '../../../src/messaging/procedures.ts';
import { defineCollection } from '../../../src/messaging/state/documents.ts';
import { defineTask, runLater } from '../../../src/messaging/state/tasks.ts';
import { testCallers } from '../../support/counter.ts';
import { createMemoryWorld } from '../../support/memory-world.ts';

afterEach(() => void vi.useRealTimers());

const Meaning = v.object({ word: v.string(), text: v.string() });
const meanings = defineCollection({ key: 'meanings', schema: Meaning });
const { mutation, query } = proceduresFor(testCallers);

interface Attempt {
  readonly word: string;
  readonly key: string;
  readonly signal: AbortSignal;
}

/** A world with a task that looks words up. `answer` plays the service. */
function createTaskWorld(answer: (attempt: Attempt) => Promise<string>, limits: object = {}) {
  vi.useFakeTimers();
  const attempts: Attempt[] = [];
  const lookUp = defineTask({
    name: 'look-up',
    data: v.object({ word: v.string() }),
    run: async ({ data, key, signal }) => {
      const attempt = { word: data.word, key, signal };
      attempts.push(attempt);
      return answer(attempt);
    },
    done: ({ data, result, state }) => state.set(meanings, data.word, { word: data.word, text: result }),
    failed: ({ data, error, state }) =>
      state.set(meanings, data.word, { word: data.word, text: String(error) }),
    ...limits,
  });
  const feature = defineFeature({
    documents: [meanings],
    tasks: [lookUp],
    procedures: {
      'word.add': mutation({
        callers: ['options'],
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
        output: v.array(v.string()),
        handle: async ({ state }) => (await state.list(lookUp)).map(({ data }) => data.word),
      }),
    },
  });
  const world = createMemoryWorld({ callers: testCallers, features: [feature] });
  const { client } = world.openPage('options');
  return {
    world,
    client,
    attempts,
    textOf: (word: string) => (world.disk.dataOf(`meanings/${word}`) as { text: string } | undefined)?.text,
  };
}

it('runs a task and stores its result', async () => {
  const { world, client, textOf, attempts } = createTaskWorld(async ({ word }) => `${word}!`);

  await client.mutate('word.add', 'hello');
  await vi.advanceTimersByTimeAsync(10);

  expect(textOf('hello')).toBe('hello!');
  expect(attempts).toHaveLength(1);
  expect(world.disk.keys().filter((key) => key.startsWith('queue/'))).toEqual([]);
});

it('tries a failed task again under the same key, and gives it up after its last attempt', async () => {
  const { client, textOf, attempts, world } = createTaskWorld(() => Promise.reject(new Error('no')), {
    attempts: 3,
  });

  await client.mutate('word.add', 'hello');
  await vi.advanceTimersByTimeAsync(10_000);

  expect(attempts).toHaveLength(3);
  expect(new Set(attempts.map(({ key }) => key)).size).toBe(1);
  expect(textOf('hello')).toContain('no');
  expect([...world.logged.values()].map(String)).toContain(
    'Error: The task "look-up" was given up after 3 attempts.',
  );
});

it('continues after the death of the background, and counts the attempt', async () => {
  let isHanging = true;
  const { client, textOf, attempts, world } = createTaskWorld(async ({ word }) =>
    isHanging ? new Promise<string>(() => {}) : word,
  );
  await client.mutate('word.add', 'hello');
  await vi.advanceTimersByTimeAsync(10);
  world.killWorker();
  isHanging = false;

  expect(await client.query('word.open')).toEqual(['hello']);
  await vi.advanceTimersByTimeAsync(200);

  expect(textOf('hello')).toBe('hello');
  expect(attempts).toHaveLength(2);
});

it('runs a task later without counting the attempt', async () => {
  let count = 0;
  const { client, textOf } = createTaskWorld(
    async () => {
      count += 1;
      if (count <= 3) throw runLater('30');
      return 'done';
    },
    { attempts: 1 },
  );
  await client.mutate('word.add', 'hello');
  await vi.advanceTimersByTimeAsync(29_000);
  expect(count).toBe(1);
  await vi.advanceTimersByTimeAsync(70_000);
  expect(textOf('hello')).toBe('done');
});

it('cancels a task, and ignores its result', async () => {
  let resolve = (_: string): void => {};
  const { client, textOf, attempts, world } = createTaskWorld(
    () => new Promise<string>((settle) => (resolve = settle)),
  );
  const id = await client.mutate('word.add', 'hello');
  await vi.advanceTimersByTimeAsync(10);

  await client.mutate('word.cancel', id);
  await vi.advanceTimersByTimeAsync(10);
  resolve('late');
  await vi.advanceTimersByTimeAsync(100);

  expect(attempts[0]?.signal.aborted).toBe(true);
  expect(textOf('hello')).toBeUndefined();
  expect([...world.logged.values()]).toEqual([]);
});

it('limits the tasks that run at once and in a second', async () => {
  let [active, most] = [0, 0];
  const { client, attempts } = createTaskWorld(
    async ({ word }) => {
      active += 1;
      most = Math.max(most, active);
      await new Promise((resolve) => setTimeout(resolve, 500));
      active -= 1;
      return word;
    },
    { concurrency: 2, perSecond: 4 },
  );
  for (let n = 0; n < 10; n += 1) await client.mutate('word.add', `w${n}`);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(attempts.length).toBeLessThanOrEqual(5);
  await vi.advanceTimersByTimeAsync(5_000);
  expect(attempts).toHaveLength(10);
  expect(most).toBe(2);
});
