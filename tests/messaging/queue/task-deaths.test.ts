import { describe, expect, it } from 'vitest';

import { runLater } from '../../../src/messaging/state/tasks.ts';
import type { Entries } from '../../../src/messaging/state/store.ts';
import { logOf, outcomeOf } from '../../support/counter-world.ts';
import { createDeferred, never, sleep } from '../../support/promises.ts';
import { doubt, recordStore } from '../../support/store-faults.ts';
import { createTaskWorld, echo, echoAfter, fail, recordOf, storeResult } from '../../support/task-world.ts';
import { advance, SECOND, withFakeTimers } from '../../support/time.ts';

withFakeTimers();

/** Returns `true` for a write that counts the first attempt at a task. */
const hasOneTry = (entries: Entries): boolean =>
  Object.entries(entries).some(
    ([key, value]) => key.startsWith('queue/task/') && String(value).includes('"tries":1'),
  );

describe('after the death of the background, a task', () => {
  it('that was running wakes the next one when its attempt would have ended, and only then', async () => {
    const { promise, resolve } = createDeferred<string>();
    const { add, wakeTime, world } = createTaskWorld(() => promise, { timeout: 90 * SECOND });
    await add('hello');
    await advance(10 * SECOND);
    const during = (wakeTime() ?? Infinity) - Date.now();
    resolve('done');
    await advance(10);

    expect(during).toBeGreaterThan(80 * SECOND);
    expect(during).toBeLessThanOrEqual(150 * SECOND);
    expect([wakeTime(), world.disk.keys().filter((key) => key.startsWith('queue/'))]).toEqual([Infinity, []]);
  });

  it('runs again, and the attempt is counted', async () => {
    const { add, open, textOf, attempts, restart } = createTaskWorld(echoAfter(never));
    await add('hello');
    await advance(10);
    const [before] = await open();

    await restart();

    expect([before?.tries, textOf('hello'), attempts.length]).toEqual([0, 'hello!', 2]);
    expect(new Set(attempts.map(({ key }) => key)).size).toBe(1);
  });

  it('whose claim is in doubt is not counted twice', async () => {
    const { patchStore, recover } = doubt({ isMeant: hasOneTry });
    const { leave, restart, attempts, textOf } = createTaskWorld(echo, { attempts: 1, patchStore });
    leave(recordOf({ at: Date.now() }));
    await restart();
    await advance(500);
    recover();
    await advance(10 * SECOND);

    expect([attempts.length, textOf('a')]).toEqual([1, 'a!']);
  });

  it('that waits is not counted', async () => {
    const later = (): Promise<never> => Promise.reject(runLater(40 * SECOND));
    const answers = Array.from({ length: 11 }, () => later);
    const { add, attempts, textOf, restart } = createTaskWorld(echoAfter(...answers));
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
      { attempts: 3 },
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

  it('of two backgrounds that are alive is settled once', async () => {
    let done = 0;
    const { add, attempts, textOf, restart, world, keys } = createTaskWorld(
      async (attempt) => {
        await sleep(5 * SECOND);
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

  it('of a newer version is found by that version, although other tasks have ended since', async () => {
    let version = '2';
    const { add, restart, textOf } = createTaskWorld(echoAfter(never), {
      version: () => version,
      isRight: (word) => version === '2' || word !== 'new',
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

  it('waits until the store works', async () => {
    const { add, attempts, textOf, world, restart } = createTaskWorld(echo);
    world.killWorkerAt('after-commit');
    void add('hello').catch(() => {});
    await advance(1);
    world.disk.failReads(new Error('The disk is gone'));
    await restart();
    await advance(10 * SECOND);
    const lines = logOf(world).length;

    world.disk.failReads(undefined);
    await advance(30 * SECOND);

    expect([attempts.length, textOf('hello')]).toEqual([1, 'hello!']);
    // It is tried again after pauses.
    expect(lines).toBeLessThan(20);
  });
});

it.each<[of: string, isMeant: (entries: Entries) => boolean, isMade: boolean, text: string]>([
  ['the change that enqueues it', (entries) => 'queue/tasks' in entries, true, 'a! 1'],
  // Its second attempt is its last one.
  ['its failed attempt', hasOneTry, true, 'a! 1'],
  ['`done`, which was made', (entries) => 'meanings/a' in entries, true, 'a! 1'],
  ['`done`, which was not made', (entries) => 'meanings/a' in entries, false, 'a! 2'],
])('a task is settled once if the write of %s is in doubt', async (_of, isMeant, isMade, text) => {
  const { patchStore, recover } = doubt({ isMade, isMeant });
  let done = 0;
  const { add, attempts, textOf, keys, startQuietly } = createTaskWorld(echoAfter(fail), {
    attempts: 2,
    done: ({ result, ...context }) => storeResult({ ...context, result: `${result} ${(done += 1)}` }),
    patchStore,
  });
  await startQuietly();

  add('a').catch(() => {});
  await advance(2 * SECOND);
  recover();
  await advance(6 * SECOND);

  expect([attempts.length, textOf('a'), keys()]).toEqual([2, text, []]);
});

it('a write in doubt that enqueues many tasks lists them about once', async () => {
  const { patchStore, recover } = doubt({ isMeant: (entries) => 'queue/tasks' in entries });
  const record = recordStore();
  const { change, lookUp, startQuietly } = createTaskWorld(echo, {
    patchStore: (store) => record.patchStore(patchStore(store)),
  });
  await startQuietly();

  const outcome = outcomeOf(
    change((state) => {
      for (let word = 0; word < 50; word += 1)
        state.enqueue(lookUp, { word: String(word) }, { delay: 1_000 * SECOND });
    }),
  );
  await advance(500);
  recover();
  await advance(5 * SECOND);

  expect(await outcome).toBe('IN_DOUBT unknown');
  expect(record.lists.filter((prefix) => prefix === 'queue/').length).toBeLessThan(10);
});
