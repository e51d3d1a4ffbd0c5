import { describe, expect, it } from 'vitest';

import { MARK, jobKey, toMark } from '../../../src/messaging/state/job.ts';
import type { DeathPoint } from '../../support/memory-world.ts';
import { logOf } from '../../support/counter-world.ts';
import { createDeferred, never, sleep } from '../../support/promises.ts';
import {
  type Settle,
  createTaskWorld,
  echo,
  echoAfter,
  fail,
  meanings,
  recordOf,
} from '../../support/task-world.ts';
import { advance, SECOND, withFakeTimers } from '../../support/time.ts';

withFakeTimers();

/** Adds a result to what the state has, so that the text shows how often a task was settled. */
const addResult: Settle = async ({ data: { word }, result, state }) => {
  const { text } = (await state.get(meanings, word)) ?? { text: '' };
  state.set(meanings, word, { word, text: `${text}${result}` });
};

describe('after the death of the background, a task', () => {
  it('that was running wakes the next one when its attempt would have ended, and only then', async () => {
    const { promise, resolve } = createDeferred<string>();
    const { add, wakeTime, keys, mark } = createTaskWorld(() => promise, { timeout: 90 * SECOND });
    await add('hello');
    await advance(10 * SECOND);
    const during = (wakeTime() ?? Infinity) - Date.now();
    resolve('done');
    await advance(10);

    expect(during).toBeGreaterThan(80 * SECOND);
    expect(during).toBeLessThanOrEqual(150 * SECOND);
    expect([wakeTime(), keys(), mark()]).toEqual([Infinity, [], '1 empty']);
  });

  it('runs again under the same key, and is not counted as failed', async () => {
    const { add, open, textOf, attempts, observed, restart } = createTaskWorld(echoAfter(never), {
      attempts: 1,
    });
    await add('hello');
    await advance(10);
    const [before] = await open();

    await restart();

    expect([before?.tries, textOf('hello'), attempts.length]).toEqual([0, 'hello!', 2]);
    expect(new Set(attempts.map(({ key }) => key)).size).toBe(1);
    expect(observed).toMatchObject([[{ attempts: 2 }, 'value', 'undefined']]);
  });

  it.each<[when: string, answers: readonly (() => Promise<never>)[]]>([
    ['while it waits', Array(9).fill(fail)],
    ['in nine attempts out of ten', [...Array(9).fill(never), fail, ...Array(9).fill(never), fail]],
  ])('is not given up if backgrounds die %s', async (_when, answers) => {
    const { add, attempts, textOf, restart } = createTaskWorld(echoAfter(...answers), { pause: 90 * SECOND });
    await add('hello');

    for (let start = 0; start < 40; start += 1) {
      await advance(30 * SECOND);
      await restart();
    }

    expect([attempts.length, textOf('hello')]).toEqual([answers.length + 1, 'hello!']);
  });

  it.each<[deaths: number, text: string]>([
    [5, 'bad!'],
    [Infinity, 'Error: The background died in each attempt.'],
  ])('that kills %d backgrounds condemns no other one', async (deaths, text) => {
    let killed = 0;
    const { world, change, lookUp, attempts, textOf, keys, mark, restart } = createTaskWorld((attempt) => {
      if (attempt.word !== 'bad' || killed >= deaths) return echo(attempt);
      killed += 1;
      world.killWorker();
      return never();
    });
    const others = Array.from({ length: 10 }, (_, index) => `w${index}`);
    const words = [...others.slice(0, 5), 'bad', ...others.slice(5)];
    void change((state) => void words.map((word) => state.enqueue(lookUp, { word }, { delay: SECOND })));
    await advance(10);

    for (let start = 0; start < 15; start += 1) await restart();

    expect(others.map(textOf)).toEqual(others.map((word) => `${word}!`));
    expect([textOf('bad'), keys(), mark()]).toEqual([text, [], '11 empty']);
    expect(killed).toBe(Math.min(deaths, 10));
    for (const other of others) expect(attempts.filter(({ word }) => word === other).length).toBeLessThan(4);
  });

  it('that was attempted in two backgrounds that died keeps other old ones waiting until its attempt has ended', async () => {
    const first = createDeferred<string>();
    const { add, attempts, restart } = createTaskWorld(
      echoAfter(never, never, never, never, () => first.promise),
    );
    await add('a');
    await add('b');
    await advance(SECOND);

    await restart();
    await advance(SECOND);
    await restart();
    await advance(SECOND);
    await add('c');
    await advance(SECOND);
    const during = attempts.map(({ word }) => word);
    first.resolve('done');
    await advance(SECOND);

    expect(during).toEqual(['a', 'b', 'a', 'b', 'a', 'c']);
    expect(attempts.map(({ word }) => word)).toEqual([...during, 'b']);
  });

  it('that may be its cause waits until the other old tasks have ended', async () => {
    const { world, leave, attempts, restart } = createTaskWorld(echoAfter(async () => sleep(10 * SECOND)));
    leave(
      recordOf({ data: { word: 'suspect' }, deaths: 1, due: Date.now() + 5 * SECOND, wait: 5 * SECOND }),
      recordOf({ data: { word: 'a' } }),
    );
    await restart();
    await advance(8 * SECOND);
    const during = attempts.map(({ word }) => word);

    await advance(3 * SECOND);

    expect([during, attempts.at(-1)?.word, logOf(world)]).toEqual([['a'], 'suspect', []]);
  });

  it('that may be its cause ends before the next old event begins', async () => {
    const order: string[] = [];
    const { world, change, leave, restart } = createTaskWorld(
      echoAfter(async () => sleep(10 * SECOND).then(() => void order.push('task'))),
      { done: () => undefined },
    );
    await change(() => void order.push('event'));
    const pause = { due: Date.now() + 5 * SECOND, wait: 5 * SECOND };
    leave(
      recordOf({ kind: 'event', name: 'test.change', data: undefined, ...pause }),
      recordOf({ deaths: 2 }),
    );

    await restart();
    await advance(12 * SECOND);

    expect([order, logOf(world)]).toEqual([['event', 'task', 'event'], []]);
  });

  it('that was attempted in ten backgrounds that died, and does not fit this version, moves to the quarantine', async () => {
    const { world, leave, keys, restart } = createTaskWorld(echo, { isRight: () => false });
    leave(recordOf({ deaths: 10 }));

    await restart();

    expect([keys(), logOf(world)]).toEqual([[], [expect.stringContaining('does not fit this version')]]);
  });

  it('waits until the events that were left as well were carried out', async () => {
    const order: string[] = [];
    const { world, change, leave, attempts, restart } = createTaskWorld(echo);
    await change(() => void order.push(`${attempts.length} attempts`));
    leave(recordOf({}));
    world.disk.write(jobKey(2), recordOf({ kind: 'event', name: 'test.change', data: undefined }));
    world.disk.write(MARK, toMark(2, false));

    await restart();

    expect([order, attempts.length]).toEqual([['0 attempts', '0 attempts'], 1]);
  });

  it('that is done leaves its id to no other task', async () => {
    const { add, restart } = createTaskWorld(echo);
    const first = await add('a');
    await advance(SECOND);

    await restart();

    expect((await add('b')) > first).toBe(true);
  });

  it('waits until the store works', async () => {
    const { leave, attempts, textOf, world, restart } = createTaskWorld(echo);
    leave(recordOf({}));
    world.disk.failReads(new Error('The disk is gone'));
    await restart();
    await advance(10 * SECOND);
    const lines = logOf(world).length;

    world.disk.failReads(undefined);
    await advance(30 * SECOND);

    expect([attempts.length, textOf('a')]).toEqual([1, 'a!']);
    // It is tried again after pauses.
    expect(lines).toBeLessThan(20);
  });

  it('waits until a store that has failed is tried again, although its own pause ends earlier', async () => {
    const times = new Set<number>();
    const { leave, world, restart } = createTaskWorld(echo, {
      patchStore: (store) => ({
        ...store,
        write: async () => {
          times.add(Date.now());
          throw new Error('The disk is gone');
        },
      }),
    });
    leave(recordOf({}));
    world.disk.write(jobKey(2), recordOf({ due: Date.now() + 300, wait: 300 }));
    world.disk.write(MARK, toMark(2, false));

    await restart();

    expect(times.size).toBe(1);
  });
});

const points: readonly DeathPoint[] = ['before-commit', 'after-commit'];
// The mutation, the journal's pruning, the failed attempt, and `done`.
const writes = [1, 2, 3, 4];

it.each(points.flatMap((point) => writes.map((write) => [point, write] as const)))(
  'a task is settled once if the background dies %s of write %d',
  async (point, deadly) => {
    let count = 0;
    const { add, textOf, keys, mark, restart, world } = createTaskWorld(echoAfter(fail), {
      done: addResult,
      patchStore: (store) => ({
        ...store,
        write: (entries) => {
          count += 1;
          if (count === deadly) world.killWorkerAt(point);
          return store.write(entries);
        },
      }),
    });

    add('a').catch(() => {});
    await advance(5 * SECOND);
    const hasDied = world.starts() > 1 || !world.isWorkerRunning();
    await restart();
    await advance(5 * SECOND);

    expect([hasDied, textOf('a'), keys()]).toEqual([true, 'a!', []]);
    expect(mark()).toMatch(/^\d+ empty$/u);
  },
);
