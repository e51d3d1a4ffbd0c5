import * as v from 'valibot';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { defineFeature } from '../../../src/messaging/feature.ts';
import { proceduresFor } from '../../../src/messaging/procedures.ts';
import { defineCollection } from '../../../src/messaging/state/documents.ts';
import type { Store } from '../../../src/messaging/state/store.ts';
import { defineTask, runLater } from '../../../src/messaging/state/tasks.ts';
import type { StateWriter } from '../../../src/messaging/state/transaction.ts';
import { logOf, quarantineIn } from '../../support/counter-world.ts';
import { testCallers } from '../../support/counter.ts';
import { createMemoryWorld } from '../../support/memory-world.ts';
import { rejectionOf } from '../../support/promises.ts';

const [SECOND, HOUR] = [1_000, 60 * 60 * 1_000];

beforeEach(() => void vi.useFakeTimers({ now: Date.UTC(2026, 0) }));
afterEach(() => void vi.useRealTimers());

const advance = (ms: number): Promise<unknown> => vi.advanceTimersByTimeAsync(ms);

const Meaning = v.object({ word: v.string(), text: v.string() });
const meanings = defineCollection({ key: 'meanings', schema: Meaning });
const { mutation, query } = proceduresFor(testCallers);

const never = (): Promise<never> => new Promise(() => {});

/** Data of a task that this version accepts only under a condition. */
const wordWhere = (isRight: (word: string) => boolean) =>
  v.object({ word: v.pipe(v.string(), v.check(isRight)) });

/** Tasks that never end. */
const ring = defineTask({ name: 'ring', data: v.string(), run: never });
const knock = defineTask({ name: 'knock', data: v.string(), run: never });

interface Attempt {
  readonly word: string;
  readonly key: string;
  readonly signal: AbortSignal;
}

type Settle = (context: {
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

const store: Settle = ({ data: { word }, result, error, state }) =>
  state.set(meanings, word, { word, text: result ?? String(error) });

/** Creates a world with a task that looks words up. `answer` plays the service. */
function createTaskWorld(
  answer: (attempt: Attempt) => Promise<string>,
  {
    limits,
    done = store,
    failed = store,
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
      await advance(SECOND);
    },
  };
}

const fail = (): Promise<never> => Promise.reject(new Error('no'));
const echo = async ({ word }: Attempt): Promise<string> => `${word}!`;

describe('a task', () => {
  it('runs after the change that has enqueued it, and its result is stored', async () => {
    const { add, textOf, attempts, keys, world } = createTaskWorld(echo);

    await add('hello');
    await advance(SECOND);
    const fromPage = textOf('hello');
    await world.fire(({ mutate }) => mutate('word.add', 'event'));
    await advance(SECOND);

    expect([fromPage, textOf('event'), attempts.length, keys()]).toEqual(['hello!', 'event!', 2, []]);
  });

  it('is tried again under the same key, and given up after its last attempt', async () => {
    const { add, textOf, attempts, world, keys } = createTaskWorld(fail, { limits: { attempts: 3 } });

    await add('hello');
    await advance(10 * SECOND);

    expect([attempts.length, new Set(attempts.map(({ key }) => key)).size]).toEqual([3, 1]);
    expect([textOf('hello'), keys()]).toEqual(['Error: no', []]);
    expect(logOf(world)).toContain('Error: The task "look-up" was given up after 3 attempts.');
  });

  it('is given up when an attempt fails after its age', async () => {
    const { add, textOf, attempts } = createTaskWorld(() => Promise.reject(runLater(40 * SECOND)), {
      limits: { age: 100 * SECOND },
    });

    await add('hello');
    await advance(500 * SECOND);

    expect([attempts.length, textOf('hello')]).toEqual([
      4,
      'RunLater: The task asked to run again in 40000 ms.',
    ]);
  });

  it('is aborted after its timeout, and the background stays awake no longer than that', async () => {
    const { add, attempts, isAwake, textOf } = createTaskWorld(never, {
      limits: { timeout: 5 * SECOND, attempts: 1 },
    });
    await add('hello');
    await advance(4 * SECOND);
    const during = isAwake();

    await advance(2 * SECOND);

    expect([during, isAwake(), attempts[0]?.signal.aborted]).toEqual([true, false, true]);
    expect(textOf('hello')).toBe('Error: It did not end within 5000 ms.');
  });

  it('runs later without counting the attempt, if it asks for that', async () => {
    let count = 0;
    const { add, textOf, open, wakeTime } = createTaskWorld(
      async () => {
        count += 1;
        if (count <= 3) throw runLater('30');
        return 'done';
      },
      { limits: { attempts: 1 } },
    );
    await add('hello');
    await advance(29 * SECOND);
    const [before, [item], time] = [count, await open(), wakeTime()];
    await advance(70 * SECOND);

    expect([before, item?.tries, (item?.due ?? 0) > Date.now() - 70 * SECOND, time]).toEqual([
      1,
      0,
      true,
      item?.due,
    ]);
    expect([textOf('hello'), wakeTime()]).toEqual(['done', Infinity]);
  });

  it.each<[after: number | string | null | undefined, wait: number]>([
    [1_500, 1_500],
    ['30', 30 * SECOND],
    [' 0 ', SECOND],
    ['Thu, 01 Jan 2026 00:02:00 GMT', 120 * SECOND],
    // The clock of the service may be behind.
    ['Wed, 31 Dec 2025 00:00:00 GMT', SECOND],
    [-5, SECOND],
    ['soon', 60 * SECOND],
    [null, 60 * SECOND],
    [undefined, 60 * SECOND],
    [Number.NaN, 60 * SECOND],
    [Infinity, 60 * SECOND],
    ['Infinity', 60 * SECOND],
  ])('that throws runLater(%j) waits %d ms', (after, wait) => {
    expect(runLater(after).wait).toBe(wait);
  });

  it('does not repeat `run` if only `done` fails', async () => {
    let failures = 3;
    const { add, attempts, textOf, restart } = createTaskWorld(echo, {
      done: (context) => {
        failures -= 1;
        if (failures >= 0) throw new Error('done is broken');
        store(context);
      },
    });
    await add('hello');
    await advance(2 * SECOND);
    await restart();
    await advance(20 * SECOND);

    expect([attempts.length, textOf('hello')]).toEqual([1, 'hello!']);
  });

  it.each<[what: string, failed: Settle]>([
    ['throws', () => Promise.reject(new Error('failed is broken'))],
    ['does not end', never],
    ['stores what does not fit', ({ state }) => state.set(meanings, 'a', 7 as never)],
  ])('moves to the quarantine if `failed` %s', async (_what, failed) => {
    const { add, world, keys } = createTaskWorld(fail, { failed, limits: { attempts: 1 } });

    await add('hello');
    await advance(10 * SECOND);

    expect(quarantineIn(world).map((text) => JSON.parse(text))).toMatchObject([
      { task: 'look-up', data: { word: 'hello' } },
    ]);
    expect(keys()).toEqual([]);
  });

  it('leaves the lock if `done` does not end', async () => {
    const { add, change, textOf } = createTaskWorld(echo, { done: never, limits: { attempts: 1 } });
    await add('hello');
    await advance(10);

    const changed = change(() => null);
    await advance(6 * SECOND);

    expect(await changed).toBeUndefined();
    expect(textOf('hello')).toContain('A handler of the task failed.');
  });

  it('is cancelled, and its result is ignored', async () => {
    let resolve = (_: string): void => {};
    const { add, cancel, textOf, attempts, world, keys } = createTaskWorld(
      () => new Promise<string>((settle) => (resolve = settle)),
    );
    const id = await add('hello');
    await advance(10);

    await cancel(id);
    await advance(10);
    resolve('late');
    await advance(100);

    expect([attempts[0]?.signal.aborted, textOf('hello'), keys(), logOf(world)]).toEqual([
      true,
      undefined,
      [],
      [],
    ]);
  });

  it('is not enqueued if its change fails, and cannot have data that does not fit', async () => {
    const { add, attempts, keys, change, world } = createTaskWorld(echo, {
      data: () => wordWhere((word) => word.length <= 3),
    });
    const unlisted = defineTask({ name: 'other', data: v.string(), run: async () => 1 });

    const errors = [
      await rejectionOf(add('hello')),
      await rejectionOf(change((state) => state.enqueue(unlisted, 'x'))),
      await rejectionOf(change((state) => state.cancel(unlisted, 'x'))),
      await rejectionOf(change((state) => state.list(unlisted))),
    ];
    await advance(SECOND);

    expect(errors.map(({ code }) => code)).toEqual(errors.map(() => 'INTERNAL'));
    expect([attempts, keys()]).toEqual([[], []]);
    expect(logOf(world)).toContain('TypeError: "other" must be among the `tasks` of a feature.');
  });

  it('is not cancelled as a task of another name', async () => {
    const { add, change, open, world } = createTaskWorld(never);
    const id = await add('hello');

    const errors = [
      await rejectionOf(change((state) => state.cancel(ring, id))),
      await rejectionOf(change((state) => state.cancel(knock, state.enqueue(ring, 'twice')))),
    ];

    expect([errors.map(({ code }) => code), (await open()).length]).toEqual([['INTERNAL', 'INTERNAL'], 1]);
    expect(logOf(world)).toEqual([
      `TypeError: The task "${id}" is not a "ring".`,
      expect.stringContaining('is not a "knock".'),
    ]);
  });

  it.each(['', 'x'.repeat(101)])('cannot have the name %j', (name) => {
    expect(() => defineTask({ name, data: v.string(), run: async () => 1 })).toThrow(TypeError);
  });
});

describe('tasks', () => {
  it('are listed in the order in which they were enqueued', async () => {
    const { change } = createTaskWorld(never);
    const words = Array.from({ length: 1_000 }, (_, index) => `w${index}`);
    let listed: readonly string[] = [];

    await change((state) => void words.map((word) => state.enqueue(ring, word)));
    await change(async (state) => (listed = (await state.list(ring)).map(({ data }) => data)));

    expect(listed).toEqual(words);
  });

  it('are limited to some at once and in a second', async () => {
    let [active, most] = [0, 0];
    const { add, attempts } = createTaskWorld(
      async ({ word }) => {
        active += 1;
        most = Math.max(most, active);
        await new Promise((resolve) => setTimeout(resolve, 500));
        active -= 1;
        return word;
      },
      { limits: { concurrency: 2, perSecond: 4 } },
    );
    for (let n = 0; n < 10; n += 1) await add(`w${n}`);
    await advance(SECOND);
    const early = attempts.length;
    vi.setSystemTime(Date.now() - 2 * HOUR);
    await advance(5 * SECOND);

    expect(early).toBeLessThanOrEqual(5);
    expect([attempts.length, most]).toEqual([10, 2]);
  });

  it.each([2, -2])(
    'are tried again when the clock is changed by %d hours during their pause',
    async (hours) => {
      const { add, attempts } = createTaskWorld(fail);
      await add('hello');
      await advance(30 * SECOND);
      const before = attempts.length;

      vi.setSystemTime(Date.now() + hours * HOUR);
      await advance(60 * SECOND);

      expect([before, attempts.length]).toEqual([4, 5]);
    },
  );

  it('cost a start nothing if there are none', async () => {
    const listed: string[] = [];
    const { add, restart } = createTaskWorld(echo, {
      patchStore: (disk) => ({ ...disk, list: (prefix) => (listed.push(prefix), disk.list(prefix)) }),
    });
    await add('hello');
    await advance(SECOND);
    listed.length = 0;

    await restart();

    expect(listed).toEqual([]);
  });
});

describe('after the death of the background, a task', () => {
  it('that was running wakes the next one when its attempt would have ended, and only then', async () => {
    let finish = (_: string): void => {};
    const { add, wakeTime, world } = createTaskWorld(() => new Promise((resolve) => (finish = resolve)), {
      limits: { timeout: 90 * SECOND },
    });
    await add('hello');
    await advance(10 * SECOND);
    const during = (wakeTime() ?? Infinity) - Date.now();
    finish('done');
    await advance(10);

    expect(during).toBeGreaterThan(80 * SECOND);
    expect(during).toBeLessThanOrEqual(150 * SECOND);
    expect([wakeTime(), world.disk.keys().filter((key) => key.startsWith('queue/'))]).toEqual([Infinity, []]);
  });

  it.each(['text', -1, 0.5, {}])(
    'is found if %j is stored where the newest task belongs',
    async (damaged) => {
      let isHanging = true;
      const { add, attempts, restart, textOf, world } = createTaskWorld((attempt) =>
        isHanging && attempt.word === 'first' ? never() : echo(attempt),
      );
      await add('first');
      await advance(10);
      world.disk.write('queue/tasks', damaged);
      await add('second');
      await advance(SECOND);
      isHanging = false;

      await restart();

      expect([attempts.length, textOf('first'), textOf('second')]).toEqual([3, 'first!', 'second!']);
    },
  );

  it('runs again, and the attempt is counted', async () => {
    let isHanging = true;
    const { add, open, textOf, attempts, restart } = createTaskWorld((attempt) =>
      isHanging ? never() : echo(attempt),
    );
    await add('hello');
    await advance(10);
    const [before] = await open();
    isHanging = false;

    await restart();

    expect([before?.tries, textOf('hello'), attempts.length]).toEqual([0, 'hello!', 2]);
    expect(new Set(attempts.map(({ key }) => key)).size).toBe(1);
  });

  it('that waits is not counted', async () => {
    let later = 12;
    const { add, attempts, textOf, restart } = createTaskWorld((attempt) =>
      (later -= 1) > 0 ? Promise.reject(runLater(40 * SECOND)) : echo(attempt),
    );
    await add('hello');

    for (let start = 0; start < 12; start += 1) {
      await restart();
      await advance(40 * SECOND);
    }

    expect([attempts.length, textOf('hello')]).toEqual([12, 'hello!']);
  });

  it('is given up if the background dies in each attempt', async () => {
    const created = createTaskWorld(
      () => {
        created.world.killWorker();
        return never();
      },
      { limits: { attempts: 3 } },
    );
    void created.add('hello').catch(() => {});
    await advance(10);

    for (let start = 0; start < 6; start += 1) await created.restart();

    expect([created.attempts.length, created.textOf('hello')]).toEqual([
      4,
      'Error: The background died in each attempt.',
    ]);
    expect(created.keys()).toEqual([]);
  });

  it('whose change of `done` is in doubt is done once', async () => {
    for (const isMade of [true, false]) {
      let [isGone, doubts] = [false, 1];
      const gone = (): Promise<never> => Promise.reject(new Error('The disk is gone'));
      let done = 0;
      const { add, textOf, keys } = createTaskWorld(echo, {
        done: (context) => ((done += 1), store({ ...context, result: String(done) })),
        patchStore: (disk) => ({
          ...disk,
          read: (names) => (isGone ? gone() : disk.read(names)),
          write: async (entries) => {
            if (doubts === 0 || !Object.keys(entries).some((key) => key.startsWith('meanings/')))
              return isGone ? gone() : disk.write(entries);
            [isGone, doubts] = [true, 0];
            if (isMade) await disk.write(entries);
            return gone();
          },
        }),
      });
      await add('hello');
      await advance(500);
      isGone = false;
      await advance(5 * SECOND);

      expect([isMade, textOf('hello'), keys()]).toEqual([isMade, isMade ? '1' : '2', []]);
    }
  });

  it('of two backgrounds that are alive is settled once', async () => {
    let done = 0;
    const { add, attempts, textOf, restart, world, keys } = createTaskWorld(
      async (attempt) => {
        await new Promise((resolve) => setTimeout(resolve, 5 * SECOND));
        return echo(attempt);
      },
      { done: (context) => ((done += 1), store(context)) },
    );
    await add('hello');
    await advance(10);
    world.detachWorker();
    await restart();

    await advance(20 * SECOND);

    expect([attempts.length, done, textOf('hello'), keys()]).toEqual([2, 1, 'hello!', []]);
  });

  it.each<[what: string, from: string, quarantined: number, left: number]>([
    ['moves to the quarantine if an older version has enqueued it', '1.9', 1, 0],
    ['waits for its version if a newer one has enqueued it', '1.11', 0, 1],
  ])('whose data does not fit %s', async (_what, from, quarantined, left) => {
    let [version, isStrict] = [from, false];
    const created = createTaskWorld(never, {
      version: () => version,
      data: () => wordWhere((word) => !isStrict || word.length < 3),
    });
    await created.add('hello');
    await advance(10);
    [version, isStrict] = ['1.10', true];
    // Starts of this version are no attempts.
    for (let start = 0; start < 12; start += 1) await created.restart();

    const stored = created.keys().filter((key) => key.startsWith('queue/task/'));
    expect([quarantineIn(created.world).length, stored.length, created.attempts.length]).toEqual([
      quarantined,
      left,
      1,
    ]);
    expect(logOf(created.world).join()).toContain(quarantined === 1 ? 'does not fit this version' : '');
    const tries = stored.map(
      (key) => (JSON.parse(created.world.disk.read(key) as string) as { tries: number }).tries,
    );
    expect(tries).toEqual(Array(left).fill(0));
  });

  it('of a newer version is found by that version, although other tasks have ended since', async () => {
    let version = '2';
    const answers = [never, echo];
    const { add, restart, textOf } = createTaskWorld((attempt) => (answers.shift() ?? echo)(attempt), {
      version: () => version,
      data: () => wordWhere((word) => version === '2' || word !== 'new'),
    });
    await add('new');
    await advance(10);
    version = '1';
    await restart();
    await add('old');
    await advance(SECOND);

    version = '2';
    await restart();

    expect([textOf('old'), textOf('new')]).toEqual(['old!', 'new!']);
  });

  it.each(['{"task":', '7', '{"task":"look-up"}', '[]'])(
    'that cannot be read, such as %s, moves to the quarantine, and others run',
    async (text) => {
      const { add, textOf, world, restart, keys } = createTaskWorld(echo);
      world.disk.write('queue/task/1', text);
      world.disk.write('queue/tasks', '1');

      await restart();
      await add('hello');
      await advance(SECOND);

      expect([textOf('hello'), quarantineIn(world), keys()]).toEqual(['hello!', [text], []]);
    },
  );

  it('waits until the store works', async () => {
    const { add, textOf, world, restart } = createTaskWorld(echo);
    world.killWorkerAt('after-commit');
    void add('hello').catch(() => {});
    await advance(1);
    world.disk.failReads(new Error('The disk is gone'));
    await restart();
    await advance(10 * SECOND);
    const lines = logOf(world).length;

    world.disk.failReads(undefined);
    await advance(30 * SECOND);

    expect(textOf('hello')).toBe('hello!');
    // It is tried again after pauses.
    expect(lines).toBeLessThan(20);
  });
});

it('1,000 tasks of one change take no longer for each than one', async () => {
  const { change } = createTaskWorld(echo);
  const clock = vi.spyOn(Date, 'now');

  await change((state) => {
    for (let n = 0; n < 1_000; n += 1) state.enqueue(ring, `${n}`);
  });

  // The clock is read for each task that is looked at.
  expect(clock.mock.calls.length).toBeLessThan(20_000);
  clock.mockRestore();
});

it.each([6, 7])(
  '%d tasks start in a second, although the time between them is a fraction',
  async (perSecond) => {
    const { add, attempts } = createTaskWorld(echo, { limits: { concurrency: 100, perSecond } });

    for (let n = 0; n < 100; n += 1) await add(`w${n}`);
    await advance(SECOND - 1);

    expect(attempts.length).toBe(perSecond);
  },
);

it.each([5_000.1, Number.MAX_SAFE_INTEGER])(
  'a task with a delay of %d ms does not run at once',
  async (delay) => {
    const { change, keys, world } = createTaskWorld(echo);

    await change((state) => void state.enqueue(ring, 'late', { delay }));
    await advance(10);

    const stored = keys().map((key) => String(world.disk.read(key)));
    // A background that runs it would be its owner.
    expect(stored.filter((text) => text.includes('"owner":""'))).toHaveLength(1);
  },
);

it('a task that throws a revoked proxy is tried again and given up, as after any other error', async () => {
  const { proxy, revoke } = Proxy.revocable(new Error('no'), {});
  revoke();
  const { add, attempts, textOf } = createTaskWorld(() => Promise.reject(proxy), {
    limits: { attempts: 2 },
    failed: ({ data: { word }, state }) => state.set(meanings, word, { word, text: 'failed' }),
  });

  await add('hello');
  await advance(10 * SECOND);

  expect([attempts.length, textOf('hello')]).toEqual([2, 'failed']);
});

it('a stored result that is damaged does not stand for the work', async () => {
  const { world, attempts, textOf, restart, add, keys } = createTaskWorld(never);
  await add('hello');
  await advance(10);
  const [key = ''] = keys();
  const record = JSON.parse(String(world.disk.read(key))) as object;
  world.disk.write(key, JSON.stringify({ ...record, result: 7 }));

  await restart();

  expect([attempts.length, textOf('hello'), quarantineIn(world).length]).toEqual([1, undefined, 1]);
});

it('a task whose delay is longer than its age is tried again when an attempt fails', async () => {
  let attempts = 0;
  const remind = defineTask({
    name: 'remind',
    data: v.null(),
    age: HOUR,
    run: async () => {
      attempts += 1;
      throw new Error('no');
    },
  });
  const add = mutation({
    callers: ['options'],
    handle: ({ state }) => void state.enqueue(remind, null, { delay: 2 * HOUR }),
  });
  const feature = defineFeature({ tasks: [remind], procedures: { 'reminder.add': add } });
  const world = createMemoryWorld({ callers: testCallers, features: [feature] });

  await world.openPage('options').client.mutate('reminder.add');
  await advance(2 * HOUR + 30 * SECOND);

  expect(attempts).toBe(4);
});

it('a task that asks to run after centuries is given up at its age', async () => {
  const { add, textOf } = createTaskWorld(() => Promise.reject(runLater('9999999999')), {
    limits: { age: HOUR },
  });

  await add('hello');
  await advance(2 * HOUR);

  expect(textOf('hello')).toMatch('The task asked to run again');
});

it('a task does not run if it was cancelled by a write that was reported as failed', async () => {
  let [isGone, doubts] = [false, 0];
  const gone = (): Promise<never> => Promise.reject(new Error('The disk is gone'));
  let finish = (): void => {};
  const { add, cancel, attempts } = createTaskWorld(
    async ({ word }) => {
      if (word === 'first') await new Promise<void>((resolve) => (finish = resolve));
      return word;
    },
    {
      limits: { concurrency: 1 },
      patchStore: (disk) => ({
        ...disk,
        read: (names) => (isGone ? gone() : disk.read(names)),
        write: async (entries) => {
          if (isGone) return gone();
          await disk.write(entries);
          if (doubts-- > 0) isGone = true;
          return isGone ? gone() : undefined;
        },
      }),
    },
  );
  await add('first');
  const second = await add('second');
  doubts = 1;

  const cancelled = rejectionOf(cancel(second));
  await advance(500);
  isGone = false;
  await advance(5 * SECOND);
  finish();
  await advance(SECOND);

  expect((await cancelled).code).toBe('IN_DOUBT');
  expect(attempts.map(({ word }) => word)).toEqual(['first']);
});
