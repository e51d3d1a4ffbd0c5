import * as v from 'valibot';
import { describe, expect, it, vi } from 'vitest';

import { defineTask, runLater } from '../../../src/messaging/state/tasks.ts';
import { logOf, quarantineIn } from '../../support/counter-world.ts';
import { createDeferred, never, rejectionOf, sleep } from '../../support/promises.ts';
import { doubt, recordStore, refusing } from '../../support/store-faults.ts';
import {
  type Settle,
  createTaskWorld,
  echo,
  echoAfter,
  fail,
  knock,
  meanings,
  ring,
  storeResult,
} from '../../support/task-world.ts';
import { advance, HOUR, SECOND, withFakeTimers } from '../../support/time.ts';

withFakeTimers();

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
    const { add, textOf, attempts, world, keys } = createTaskWorld(fail, { attempts: 3 });

    await add('hello');
    await advance(10 * SECOND);

    expect([attempts.length, new Set(attempts.map(({ key }) => key)).size]).toEqual([3, 1]);
    expect([textOf('hello'), keys()]).toEqual(['Error: no', []]);
    expect(logOf(world)).toContain('Error: The task "look-up" was given up after 3 attempts.');
  });

  it('is given up when an attempt fails, but only after its age', async () => {
    const { add, textOf, attempts } = createTaskWorld(() => Promise.reject(runLater(40 * SECOND)), {
      age: 80 * SECOND,
    });

    await add('hello');
    await advance(500 * SECOND);

    expect([attempts.length, textOf('hello')]).toEqual([
      4,
      'RunLater: The task asked to run again in 40000 ms.',
    ]);
  });

  it('is aborted after its timeout, and the background stays awake no longer than that', async () => {
    const { add, attempts, isAwake, textOf } = createTaskWorld(never, { timeout: 5 * SECOND, attempts: 1 });
    await add('hello');
    await advance(4 * SECOND);
    const during = isAwake();

    await advance(2 * SECOND);

    expect([during, isAwake(), attempts[0]?.signal.aborted]).toEqual([true, false, true]);
    expect(textOf('hello')).toBe('Error: It did not end within 5000 ms.');
  });

  it('runs later without counting the attempt, if it asks for that', async () => {
    const later = (): Promise<never> => Promise.reject(runLater('30'));
    const { add, attempts, textOf, open, wakeTime } = createTaskWorld(echoAfter(later, later, later), {
      attempts: 1,
    });
    await add('hello');
    await advance(29 * SECOND);
    const [before, [item], time] = [attempts.length, await open(), wakeTime()];
    await advance(70 * SECOND);

    expect([before, item?.tries, time]).toEqual([1, 0, item?.due]);
    expect(item?.due).toBeGreaterThan(Date.now() - 70 * SECOND);
    expect([textOf('hello'), wakeTime()]).toEqual(['hello!', Infinity]);
  });

  it.each<[after: number | string | null | undefined, wait: number]>([
    [1_500, 1_500],
    [' 30 ', 30 * SECOND],
    ['0', SECOND],
    ['Thu, 01 Jan 2026 00:02:00 GMT', 120 * SECOND],
    // The clock of the service may be behind.
    ['Wed, 31 Dec 2025 00:00:00 GMT', SECOND],
    [-5, SECOND],
    // Dates may have other forms than those of HTTP.
    ['2026-01-01T00:00:05Z', 5 * SECOND],
    ['Thu Jan 01 2026 00:00:05 +0000', 5 * SECOND],
    ['soon', 60 * SECOND],
    [null, 60 * SECOND],
    [undefined, 60 * SECOND],
    [Infinity, 60 * SECOND],
  ])('that throws runLater(%j) waits %d ms', (after, wait) => {
    expect(runLater(after).wait).toBe(wait);
  });

  it('does not repeat `run` if only `done` fails', async () => {
    let failures = 3;
    const { add, attempts, textOf, restart } = createTaskWorld(echo, {
      done: (context) => {
        failures -= 1;
        if (failures >= 0) throw new Error('done is broken');
        storeResult(context);
      },
    });
    await add('hello');
    await advance(2 * SECOND);
    await restart();
    await advance(20 * SECOND);

    expect([attempts.length, textOf('hello')]).toEqual([1, 'hello!']);
  });

  it.each<[what: string, failed: Settle, logged: string]>([
    ['throws', () => Promise.reject(new Error('failed is broken')), '`failed` of the task "look-up"'],
    ['does not end', never, '`failed` of the task "look-up"'],
    [
      'stores what does not fit',
      ({ state }) => state.set(meanings, 'a', 7 as never),
      '`failed` of the task "look-up"',
    ],
    ['stores what the disk refuses', storeResult, 'NOT_STORED'],
  ])('moves to the quarantine if `failed` %s', async (_what, failed, logged) => {
    const { add, world, keys } = createTaskWorld(fail, {
      attempts: 1,
      failed,
      patchStore: refusing((entries) => 'meanings/hello' in entries),
    });

    await add('hello');
    await advance(20 * SECOND);

    expect(quarantineIn(world).map((text) => JSON.parse(text))).toMatchObject([
      { task: 'look-up', data: { word: 'hello' } },
    ]);
    expect([keys(), logOf(world)]).toEqual([[], expect.arrayContaining([expect.stringContaining(logged)])]);
  });

  it('leaves the lock if `done` does not end', async () => {
    const { add, change, textOf } = createTaskWorld(echo, { done: never, attempts: 1 });
    await add('hello');
    await advance(10);

    const changed = change(() => null);
    await advance(6 * SECOND);

    expect(await changed).toBeUndefined();
    expect(textOf('hello')).toContain('`done` of the task "look-up" has failed.');
  });

  it('is cancelled, and its result is ignored', async () => {
    const { promise, resolve } = createDeferred<string>();
    const { add, cancel, textOf, attempts, observed, world, keys } = createTaskWorld(() => promise);
    const id = await add('hello');
    await advance(10);

    await cancel(id);
    await advance(10);
    resolve('late');
    await advance(100);

    expect([textOf('hello'), keys(), logOf(world)]).toEqual([undefined, [], []]);
    expect(attempts[0]?.signal.reason).toEqual(new Error('The task was cancelled.'));
    expect(observed).toMatchObject([[{ attempts: 1 }, 'ABORTED', 'undefined']]);
  });

  it('is not enqueued if its change fails, and cannot have data that does not fit', async () => {
    const { add, attempts, keys, change, world } = createTaskWorld(echo, {
      isRight: (word) => word.length <= 3,
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
        await sleep(500);
        active -= 1;
        return word;
      },
      { concurrency: 2, perSecond: 4 },
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
    const { patchStore, lists } = recordStore();
    const { add, restart } = createTaskWorld(echo, { patchStore });
    await add('hello');
    await advance(SECOND);
    lists.length = 0;

    await restart();

    expect(lists).toEqual([]);
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
    const { add, attempts } = createTaskWorld(echo, { concurrency: 100, perSecond });

    for (let n = 0; n < 100; n += 1) await add(`w${n}`);
    await advance(SECOND - 1);

    expect(attempts.length).toBe(perSecond);
  },
);

it.each([5_000.1, Number.MAX_SAFE_INTEGER])(
  'a task with a delay of %d ms does not run at once',
  async (delay) => {
    const { change, lookUp, attempts, keys } = createTaskWorld(echo);

    await change((state) => void state.enqueue(lookUp, { word: 'late' }, { delay }));
    await advance(10);

    expect([attempts, keys().length]).toEqual([[], 2]);
  },
);

it('a task with a delay waits, although the clock is set back a little', async () => {
  const { change, lookUp, attempts, restart } = createTaskWorld(echo);
  await change((state) => void state.enqueue(lookUp, { word: 'late' }, { delay: HOUR }));
  await advance(2 * SECOND);

  vi.setSystemTime(Date.now() - 5 * SECOND);
  await restart();
  await advance(HOUR - 10 * SECOND);
  const before = attempts.length;
  await advance(20 * SECOND);

  expect([before, attempts.length]).toEqual([0, 1]);
});

it('a task that throws a revoked proxy is tried again and given up, as after any other error', async () => {
  const { proxy, revoke } = Proxy.revocable(new Error('no'), {});
  revoke();
  const { add, attempts, textOf } = createTaskWorld(() => Promise.reject(proxy), {
    attempts: 2,
    failed: ({ data: { word }, state }) => state.set(meanings, word, { word, text: 'failed' }),
  });

  await add('hello');
  await advance(10 * SECOND);

  expect([attempts.length, textOf('hello')]).toEqual([2, 'failed']);
});

it('a task whose delay is longer than its age is tried again when an attempt fails', async () => {
  const { change, lookUp, attempts } = createTaskWorld(fail, { age: HOUR });

  await change((state) => void state.enqueue(lookUp, { word: 'late' }, { delay: 2 * HOUR }));
  await advance(2 * HOUR + 30 * SECOND);

  expect(attempts).toHaveLength(4);
});

it('a task that asks to run after centuries is given up at its age', async () => {
  const { add, textOf } = createTaskWorld(() => Promise.reject(runLater('9999999999')), { age: HOUR });

  await add('hello');
  await advance(2 * HOUR);

  expect(textOf('hello')).toMatch('The task asked to run again');
});

it('a task does not run if it was cancelled by a write that was reported as failed', async () => {
  const { promise, resolve } = createDeferred();
  const { patchStore, recover } = doubt({ isMeant: (entries) => Object.values(entries).includes(null) });
  const { add, cancel, attempts } = createTaskWorld(() => promise, { concurrency: 1, patchStore });
  await add('first');
  const second = await add('second');

  const cancelled = rejectionOf(cancel(second));
  await advance(500);
  recover();
  await advance(5 * SECOND);
  resolve();
  await advance(SECOND);

  expect((await cancelled).code).toBe('IN_DOUBT');
  expect(attempts.map(({ word }) => word)).toEqual(['first']);
});
