import * as v from 'valibot';
import { describe, expect, it } from 'vitest';

import { giveUp, runLater } from '../../../src/messaging/define/task-errors.ts';
import { defineTask } from '../../../src/messaging/define/tasks.ts';
import { logOf, quarantineIn } from '../../support/counter-world.ts';
import { createDeferred, never, rejectionOf, sleep } from '../../support/promises.ts';
import { refusing } from '../../support/store-faults.ts';
import {
  type Answer,
  type Settle,
  type TaskOptions,
  createTaskWorld,
  echo,
  fail,
  knock,
  meanings,
  ring,
  storeResult,
} from '../../support/task-world.ts';
import { advance, HOUR, SECOND, withFakeTimers } from '../../support/time.ts';

withFakeTimers();

const later = (seconds: number) => () => Promise.reject(runLater(String(seconds)));
const laterText = (seconds: number): string =>
  `RunLater: The task asked for a pause of ${seconds * SECOND} ms.`;

const AGE = { age: HOUR };
const LAST: TaskOptions = { attempts: 1, failed: (context) => storeResult({ ...context, result: 'failed' }) };

const { proxy: revoked, revoke } = Proxy.revocable(new Error('no'), {});
revoke();

describe('a task', () => {
  it('runs after the change that has enqueued it, and its result is stored', async () => {
    const { add, textOf, attempts, keys, mark, world } = createTaskWorld(echo);

    await add('hello');
    await advance(SECOND);
    const text = textOf('hello');
    // The event makes the change once more.
    await world.fire(({ mutate }) => mutate('test.change'));
    await advance(SECOND);

    expect([text, attempts.length, keys(), mark()]).toEqual(['hello!', 2, [], '3 empty']);
  });

  it.each<[when: string, answer: Answer, options: TaskOptions, attempts: number, text: string]>([
    ['after its last attempt', fail, { attempts: 3 }, 3, 'Error: no'],
    ['when an attempt fails after its age', fail, { age: 80 * SECOND, pause: 40 * SECOND }, 4, 'Error: no'],
    ['when it asks to run later after its age', later(40), { age: 80 * SECOND }, 4, laterText(40)],
    [
      'soon after its age, although it asks to wait for centuries',
      later(1e10),
      AGE,
      3,
      laterText(24 * 3_600),
    ],
    ['at once when it gives up', () => Promise.reject(giveUp('gone')), {}, 1, 'GiveUp: gone'],
    ['although it throws a revoked proxy', () => Promise.reject(revoked), LAST, 1, 'failed'],
    [
      'because its result is too large for the store',
      () => Promise.resolve('x'.repeat(5_000)),
      { attempts: 3, patchStore: refusing((entries) => JSON.stringify(entries).length > 4_000) },
      3,
      'ProcedureError: NOT_STORED',
    ],
  ])('is tried again under the same key, and given up %s', async (_when, answer, options, count, text) => {
    const { add, textOf, attempts, keys } = createTaskWorld(answer, options);

    await add('hello');
    await advance(3 * HOUR);

    expect([attempts.length, textOf('hello'), keys()]).toEqual([count, text, []]);
    expect(new Set(attempts.map(({ key }) => key)).size).toBe(1);
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

  it('runs again under its key if `done` fails, also in the next background', async () => {
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

    expect([attempts.length, textOf('hello')]).toEqual([4, 'hello!']);
    expect(new Set(attempts.map(({ key }) => key)).size).toBe(1);
  });

  it.each<[what: string, failed: Settle, logged: string]>([
    ['throws', fail, '`failed` of the task'],
    ['does not end', never, '`failed` of the task'],
    ['stores what does not fit', ({ state }) => state.set(meanings, 'a', 7 as never), '`failed` of the task'],
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
      { kind: 'task', name: 'look-up', data: { word: 'hello' } },
    ]);
    expect([keys(), logOf(world)]).toEqual([[], expect.arrayContaining([expect.stringContaining(logged)])]);
  });

  it('ends its turn if `done` takes too long, and its late changes are refused', async () => {
    let late: unknown;
    const { add, change, textOf } = createTaskWorld(echo, {
      attempts: 1,
      done: async ({ state }) => {
        await sleep(6 * SECOND);
        late = await Promise.resolve()
          .then(() => state.set(meanings, 'late', { word: 'late', text: '' }))
          .catch((error: unknown) => error);
      },
    });
    await add('hello');
    await advance(10);

    const changed = change(() => null);
    await advance(7 * SECOND);

    expect([await changed, late]).toEqual([null, expect.any(Error)]);
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

  it.each(['newest', '', '/', '../total', 'x', '1', '000000000001 ', '１'])(
    'is not lost when the id %j is cancelled, which is not the id of a task',
    async (id) => {
      const { add, cancel, change, mark, attempts, lookUp, restart } = createTaskWorld(echo);
      await change((state) => state.enqueue(lookUp, { word: 'kept' }, { delay: HOUR }));

      await cancel(id);
      const marked = mark();
      await restart();
      await add('next');
      await advance(HOUR);

      expect([marked, attempts.map(({ word }) => word)]).toEqual(['1', ['next', 'kept']]);
    },
  );

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

it('tasks are listed in the order in which they were enqueued, with data that is frozen', async () => {
  const { change, open, lookUp, read, restart } = createTaskWorld(never);
  const words = Array.from({ length: 1_000 }, (_, index) => `w${index}`);
  const spoil = () =>
    read(async (state) => {
      for (const { data } of await state.list(lookUp)) Object.assign(data, { word: 'spoiled' });
    });

  await change((state) => words.forEach((word) => void state.enqueue(lookUp, { word }, { delay: HOUR })));
  await rejectionOf(spoil());
  await restart();
  await rejectionOf(spoil());

  expect((await open()).map(({ data: { word } }) => word)).toEqual(words);
});

it('a task that was cancelled in the same turn is not listed', async () => {
  const { change, lookUp } = createTaskWorld(never);

  const listed = await change(async (state) => {
    const [first] = ['a', 'b'].map((word) => state.enqueue(lookUp, { word }, { delay: HOUR }));
    state.cancel(lookUp, first ?? '');
    return (await state.list(lookUp)).map(({ data }) => data.word);
  });

  expect(listed).toEqual(['b']);
});
