import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { runLater } from '../../../src/messaging/state/tasks.ts';
import { logOf, quarantineIn } from '../../support/counter-world.ts';
import { createTaskWorld, echo, never, storeResult, wordWhere } from '../../support/task-world.ts';

const SECOND = 1_000;

beforeEach(() => void vi.useFakeTimers({ now: Date.UTC(2026, 0) }));
afterEach(() => void vi.useRealTimers());

const advance = (ms: number): Promise<unknown> => vi.advanceTimersByTimeAsync(ms);

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
        done: (context) => ((done += 1), storeResult({ ...context, result: String(done) })),
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
      { done: (context) => ((done += 1), storeResult(context)) },
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

  it('whose stored result is damaged moves to the quarantine', async () => {
    const { world, attempts, textOf, restart, add, keys } = createTaskWorld(never);
    await add('hello');
    await advance(10);
    const [key = ''] = keys();
    const record = JSON.parse(String(world.disk.read(key))) as object;
    world.disk.write(key, JSON.stringify({ ...record, result: 7 }));

    await restart();

    expect([attempts.length, textOf('hello'), quarantineIn(world).length]).toEqual([1, undefined, 1]);
  });
});
