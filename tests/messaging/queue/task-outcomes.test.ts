import { describe, expect, it } from 'vitest';

import type { Json } from '../../../src/messaging/json.ts';
import type { Store } from '../../../src/messaging/state/store.ts';
import { logOf, quarantineIn } from '../../support/counter-world.ts';
import { createDeferred } from '../../support/promises.ts';
import { refusing } from '../../support/store-faults.ts';
import {
  type Settle,
  createTaskWorld,
  echo,
  echoAfter,
  recordOf,
  storeResult,
} from '../../support/task-world.ts';
import { advance, SECOND, withFakeTimers } from '../../support/time.ts';

withFakeTimers();

const [broken, worse] = [new Error('broken'), new Error('worse')];
const fail = (): Promise<never> => Promise.reject(broken);

it('an observer sees each attempt at a task', async () => {
  const { add, observed } = createTaskWorld(echoAfter(fail, fail));

  await add('a');
  await advance(10 * SECOND);

  const call = { caller: { name: 'background' }, kind: 'task', name: 'look-up' };
  expect(observed).toEqual([
    [{ ...call, attempts: 1 }, 'INTERNAL', 'string'],
    [{ ...call, attempts: 2 }, 'INTERNAL', 'string'],
    [{ ...call, attempts: 3 }, 'value', 'undefined'],
  ]);
});

describe('a task', () => {
  it('without a result gives `done` the result `null`', async () => {
    const { add, textOf } = createTaskWorld(async () => {}, {
      done: ({ result, ...context }) => storeResult({ ...context, result: String(result) }),
    });

    await add('a');
    await advance(SECOND);

    expect(textOf('a')).toBe('null');
  });

  it.each<[what: string, failed: Settle, more: readonly Error[]]>([
    ['its error, and the end with that cause', () => {}, []],
    ['its error, the end with that cause, and the error of `failed`', () => Promise.reject(worse), [worse]],
  ])('that is given up logs %s', async (_what, failed, more) => {
    const { add, world } = createTaskWorld(fail, { attempts: 1, failed });

    await add('a');
    await advance(SECOND);

    const errors = [...world.logged.values()] as Error[];
    expect(errors.map(({ cause }) => cause)).toEqual([broken, broken, ...more]);
    expect(errors.map(({ message }) => message).join()).toMatch(
      /^The task "look-up" has failed\.,The task "look-up" was given up after 1 attempts\./u,
    );
  });

  it('whose `done` makes a change that the disk refuses is tried again, and then given up', async () => {
    const { add, attempts, textOf, observed, keys } = createTaskWorld(echo, {
      attempts: 2,
      failed: ({ data, ...context }) => storeResult({ ...context, data: { word: `no ${data.word}` } }),
      patchStore: refusing((entries) => 'meanings/a' in entries),
    });

    await add('a');
    await advance(20 * SECOND);

    expect([attempts.length, observed.length, keys()]).toEqual([1, 2, []]);
    expect(textOf('no a')).toBe('ProcedureError: NOT_STORED');
  });

  it('is settled after growing pauses if the store fails as a whole, and no attempt is counted', async () => {
    const { promise, resolve } = createDeferred<string>();
    const { add, observed, textOf, startQuietly, world } = createTaskWorld(() => promise);
    await startQuietly();
    await add('a');
    await advance(10);
    world.disk.failReads(new Error('The disk is gone'));
    resolve('result');
    await advance(100 * SECOND);
    const lines = logOf(world);

    world.disk.failReads(undefined);
    await advance(60 * SECOND);

    expect([new Set(lines), textOf('a')]).toEqual([new Set(['ProcedureError: NOT_READ']), 'result']);
    expect(observed).toMatchObject([[{ attempts: 1 }, 'value', 'undefined']]);
    expect(lines.length).toBeLessThan(10);
  });

  it('that `done` has enqueued is found by the next start', async () => {
    const { promise, resolve } = createDeferred<string>();
    const created = createTaskWorld(() => promise, {
      done: (context) => {
        storeResult(context);
        if (context.data.word === 'a') context.state.enqueue(created.lookUp, { word: 'b' });
      },
    });
    const { add, textOf, keys, restart, world } = created;
    await add('a');
    await advance(10);
    world.killWorkerAt('after-commit');
    resolve('done');
    await advance(10);

    await restart();

    expect([textOf('a'), textOf('b'), keys()]).toEqual(['done', 'done', []]);
  });
});

describe('a task of another background', () => {
  it('that is gone when it is due does not run', async () => {
    const { attempts, leave, restart, world } = createTaskWorld(echo);
    leave(recordOf({ due: Date.now() + 9 * SECOND, wait: 10 * SECOND }));
    await restart();

    world.disk.write('queue/task/1', null);
    await advance(10 * SECOND);

    expect([attempts, logOf(world)]).toEqual([[], []]);
  });

  it('that is gone when the list is read leaves nothing in the quarantine', async () => {
    const patchStore = (store: Store): Store => ({ ...store, list: async () => ['queue/task/1'] });
    const { restart, world } = createTaskWorld(echo, { patchStore });
    world.disk.write('queue/tasks', '1');

    await restart();

    expect([quarantineIn(world), logOf(world)]).toEqual([[], []]);
  });

  it.each<[what: string, record: Json, version: string, names: readonly string[]]>([
    ['that cannot be read moves to the quarantine', '{"task":', '1', ['queue']],
    ['whose result is damaged moves to the quarantine', recordOf({ result: 7 }), '1', ['queue']],
    ['that is an object moves to the quarantine', { broken: [1] }, '1', ['queue']],
    ['with an unknown name moves to the quarantine', recordOf({ task: 'gone' }), '1', ['gone']],
    [
      'of an older version moves to the quarantine',
      recordOf({ version: '1.9', data: 7 }),
      '1.10',
      ['look-up'],
    ],
    ['of this version moves there if its data does not fit', recordOf({ data: 7 }), '1', ['look-up']],
    ['moves there if the schema throws', recordOf({ data: { word: 'broken' } }), '1', ['look-up']],
    ['of a newer version stays', recordOf({ version: '1.11', data: 7 }), '1.10', []],
    ['of a newer version with an unknown name stays', recordOf({ version: '2', task: 'gone' }), '1', []],
  ])('%s, and others run', async (_what, record, version, names) => {
    const { add, attempts, leave, keys, restart, textOf, world } = createTaskWorld(echo, {
      version: () => version,
      isRight: (word) => (word === 'broken' ? fail() : true),
    });
    leave(record);

    await restart();
    await add('other');
    await advance(SECOND);

    const kept = world.disk.keys().filter((key) => key.startsWith('quarantine/'));
    expect(kept.map((key) => key.split('.').at(-1))).toEqual(names);
    expect(quarantineIn(world)).toEqual(
      names.map(() => (typeof record === 'string' ? record : JSON.stringify(record))),
    );
    expect(keys().toSorted()).toEqual(names.length === 0 ? ['queue/task/1', 'queue/tasks'] : []);
    // A start of another version is no attempt.
    expect(world.disk.read('queue/task/1')).toEqual(names.length === 0 ? record : undefined);
    expect([attempts.length, textOf('other')]).toEqual([1, 'other!']);
    expect(logOf(world)).toEqual(
      names.map(() => expect.stringMatching(/(fit this version|could not be read).* quarantine/u)),
    );
  });

  it('leaves nothing behind if it is newer and is cancelled while its data is validated', async () => {
    const { promise, resolve } = createDeferred<boolean>();
    const checks = [() => promise];
    const { add, cancel, leave, keys, startQuietly, textOf } = createTaskWorld(echo, {
      isRight: () => checks.pop()?.() ?? true,
    });
    leave(recordOf({ version: '2' }));
    await startQuietly();

    await cancel('1');
    resolve(false);
    await advance(10);
    await add('a');
    await advance(10);

    expect([textOf('a'), keys()]).toEqual(['a!', []]);
  });
});
