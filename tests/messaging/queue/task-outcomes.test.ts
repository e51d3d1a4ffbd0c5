import { describe, expect, it } from 'vitest';

import type { Json } from '../../../src/messaging/wire/json.ts';
import { runLater } from '../../../src/messaging/define/task-errors.ts';
import { QUEUE, jobKey } from '../../../src/messaging/state/job.ts';
import { logOf, quarantineIn } from '../../support/counter-world.ts';
import { createDeferred } from '../../support/promises.ts';
import { refusing } from '../../support/store-faults.ts';
import {
  type Answer,
  type Settle,
  type TaskOptions,
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
const later = (): Promise<never> => Promise.reject(runLater(SECOND));

/** Ways in which a disk fails after the attempt at a task. A turn writes a second time if its first write is refused. */
type Outage = (ms: number, refused: number) => boolean;
const forFiveSeconds: Outage = (ms) => ms < 5 * SECOND;
const forOneTurn: Outage = (_ms, refused) => refused < 2;

it('an observer sees each attempt at a task', async () => {
  const { add, observed } = createTaskWorld(echoAfter(fail, later, fail));

  await add('a');
  await advance(10 * SECOND);

  const call = { caller: { name: 'background' }, kind: 'task', name: 'look-up' };
  expect(observed).toEqual([
    [{ ...call, attempts: 1 }, 'INTERNAL', 'string'],
    [{ ...call, attempts: 2 }, 'later', 'undefined'],
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

    expect([attempts.length, observed.length, keys()]).toEqual([2, 2, []]);
    expect(textOf('no a')).toBe('ProcedureError: NOT_STORED');
  });

  it.each<[what: string, answer: () => Promise<never>, outcome: string]>([
    ['a failure', fail, 'INTERNAL'],
    ['a pause that it has asked for', later, 'later'],
  ])('tries after growing pauses to store %s, until the disk works', async (_what, answer, outcome) => {
    const { add, attempts, observed, textOf, world } = createTaskWorld(
      echoAfter(() => {
        world.disk.failWrites(new Error('QUOTA_BYTES'));
        return answer();
      }),
    );
    await add('a');
    await advance(100 * SECOND);
    const lines = logOf(world).length;

    world.disk.failWrites(undefined);
    await advance(100 * SECOND);

    expect([attempts.length, textOf('a'), observed[0]?.[1]]).toEqual([2, 'a!', outcome]);
    expect(lines).toBeLessThan(10);
  });

  it.each<[what: string, answer: Answer, options: TaskOptions, isOut: Outage, text: string]>([
    [
      'succeeds at its last attempt, while the disk fails for 5 s',
      echo,
      { attempts: 1 },
      forFiveSeconds,
      'a!',
    ],
    ['succeeds, while the disk fails for 5 s', echo, {}, forFiveSeconds, 'a!'],
    [
      'succeeds at its last attempt, while the disk refuses one turn',
      echo,
      { attempts: 1 },
      forOneTurn,
      'a!',
    ],
    ['succeeds, while the disk refuses one turn', echo, {}, forOneTurn, 'a!'],
    ['is given up, while the disk fails for 5 s', fail, { attempts: 1 }, forFiveSeconds, String(broken)],
    ['is given up, while the disk refuses one turn', fail, { attempts: 1 }, forOneTurn, String(broken)],
  ])('that %s ends as if the disk had worked', async (_what, answer, options, isOut, text) => {
    let [since, refused] = [Infinity, 0];
    const { add, attempts, textOf, keys, world } = createTaskWorld(
      (attempt) => {
        since = Date.now();
        return answer(attempt);
      },
      {
        ...options,
        patchStore: refusing(
          () => since < Infinity && isOut(Date.now() - since, refused) && (refused += 1) > 0,
        ),
      },
    );

    await add('a');
    await advance(20 * SECOND);

    expect([textOf('a'), attempts.length, keys(), quarantineIn(world)]).toEqual([text, 1, [], []]);
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

describe('a task of an earlier background', () => {
  it.each<[what: string, record: Json, name: string]>([
    ['that cannot be read', '{"task":', 'queue'],
    ['that is an object', { broken: [1] }, 'queue'],
    ['with an unknown name', recordOf({ name: 'gone' }), 'gone'],
    ['with data that does not fit', recordOf({ data: 7 }), 'look-up'],
    ['whose schema throws', recordOf({ data: { word: 'broken' } }), 'look-up'],
  ])('%s moves to the quarantine, and others run', async (_what, record, name) => {
    const { add, attempts, leave, keys, mark, restart, textOf, world } = createTaskWorld(echo, {
      isRight: (word) => (word === 'broken' ? fail() : true),
    });
    leave(record);

    await restart();
    await add('other');
    await advance(SECOND);

    const kept = world.disk.keys().filter((key) => key.startsWith('quarantine/'));
    expect(kept.map((key) => key.split('.').at(-1))).toEqual([name]);
    // Its attempt was counted as the death of a background, in case it ends this one too.
    const texts = quarantineIn(world).map((text) => text.replace('"deaths":1', '"deaths":0'));
    expect(texts).toEqual([typeof record === 'string' ? record : JSON.stringify(record)]);
    expect([keys(), mark()]).toEqual([[], '2 empty']);
    expect([attempts.length, textOf('other')]).toEqual([1, 'other!']);
    expect(logOf(world)).toEqual([
      expect.stringMatching(/(fit this version|could not be read).* quarantine/u),
    ]);
  });

  it('leaves nothing behind if it is cancelled while its data is validated, and does not fit', async () => {
    const { promise, resolve } = createDeferred<boolean>();
    const checks = [() => promise];
    const { add, cancel, leave, keys, restart, textOf, world } = createTaskWorld(echo, {
      isRight: () => checks.pop()?.() ?? true,
    });
    leave(recordOf({}));
    await restart();

    await cancel(jobKey(1).slice(QUEUE.length));
    resolve(false);
    await advance(10);
    await add('a');
    await advance(10);

    expect([textOf('a'), keys(), quarantineIn(world)]).toEqual(['a!', [], []]);
  });
});
