import { expect, it, vi } from 'vitest';

import { defineService } from '../../../src/messaging/define/services.ts';
import { pauseService, runLater } from '../../../src/messaging/define/task-errors.ts';
import { never, sleep } from '../../support/promises.ts';
import { createTaskWorld, echo, echoAfter, fail, recordOf, ring } from '../../support/task-world.ts';
import { advance, HOUR, SECOND, withFakeTimers } from '../../support/time.ts';

withFakeTimers();

const later = (seconds: number) => () => Promise.reject(runLater(seconds * SECOND));
const pause = (seconds: number) => () => Promise.reject(pauseService(String(seconds)));
const slowly = (answer: () => Promise<unknown>) => () => sleep(100).then(answer);
const words = (attempts: readonly { readonly word: string }[]): readonly string[] =>
  attempts.map(({ word }) => word);

it('all tasks that use a service wait when one of them pauses it, and then start before that one', async () => {
  const service = defineService({ concurrency: 1 });
  const { add, translate, attempts, wakeTime } = createTaskWorld(echoAfter(pause(30)), { service });
  await add('a');
  await add('b', translate);
  await add('c');
  const end = Date.now() + 30 * SECOND;

  await advance(29 * SECOND);
  const [before, time] = [words(attempts), wakeTime()];
  await advance(2 * SECOND);

  expect([before, time]).toEqual([['a'], end]);
  expect(words(attempts)).toEqual(['a', 'b', 'c', 'a']);
});

it('a task that only runs later itself holds up no other task', async () => {
  const service = defineService({});
  const { add, attempts } = createTaskWorld(echoAfter(later(30)), { service });
  await add('a');
  await add('b');

  await advance(29 * SECOND);

  expect(words(attempts)).toEqual(['a', 'b']);
});

it('tasks that use another service do not wait', async () => {
  const { add, translate, attempts } = createTaskWorld(echoAfter(pause(30)));
  await add('a');
  await add('b', translate);

  await advance(29 * SECOND);

  expect(words(attempts)).toEqual(['a', 'b']);
});

it('a task that pauses its service again and again holds up no other task', async () => {
  const paused = new Set<string>();
  const service = defineService({ concurrency: 1 });
  const { add, attempts, keys } = createTaskWorld(
    async ({ word }) => {
      if (word !== 'bad' && paused.has(word)) return word;
      paused.add(word);
      throw pauseService('1');
    },
    { service },
  );
  for (const word of ['bad', 'b', 'c']) await add(word);

  await advance(4.5 * SECOND);

  expect(words(attempts)).toEqual(['bad', 'b', 'c', 'bad', 'b', 'c', 'bad']);
  expect(keys()).toHaveLength(1);
});

it('a service is paused at once, while the record of the task waits to be written', async () => {
  const service = defineService({ perSecond: 1 });
  const { add, change, attempts } = createTaskWorld(async () => sleep(500).then(pause(30)), { service });
  await add('a');
  await add('b');

  void change(() => sleep(4 * SECOND));
  await advance(3 * SECOND);

  expect(words(attempts)).toEqual(['a']);
});

it('a task that is given up still pauses its service, for as long as its age', async () => {
  const service = defineService({ concurrency: 1 });
  const { add, attempts, textOf } = createTaskWorld(async () => sleep(20 * SECOND).then(pause(3_600)), {
    service,
    age: 10 * SECOND,
  });
  await add('a');
  await add('b');
  await advance(29 * SECOND);
  const before = words(attempts);

  await advance(2 * SECOND);

  expect([before, words(attempts)]).toEqual([['a'], ['a', 'b']]);
  expect(textOf('a')).toContain('pause');
});

it('the longest pause counts, whichever came last', async () => {
  const service = defineService({ concurrency: 2 });
  const { add, attempts } = createTaskWorld(echoAfter(slowly(pause(60)), slowly(pause(10))), { service });
  for (const word of ['a', 'b', 'c']) await add(word);

  await advance(59 * SECOND);
  const before = words(attempts);
  await advance(2 * SECOND);

  expect(before).toEqual(['a', 'b']);
  expect(words(attempts)).toEqual(['a', 'b', 'c', 'b', 'a']);
});

it('a service stays paused when the background dies', async () => {
  const service = defineService({ concurrency: 1 });
  const { add, translate, attempts, restart } = createTaskWorld(echoAfter(pause(30)), { service });
  await add('a');
  await add('b', translate);
  await advance(SECOND);

  await restart();
  await add('c');
  await advance(27 * SECOND);
  const before = words(attempts);
  await advance(3 * SECOND);

  expect(before).toEqual(['a']);
  expect(words(attempts).toSorted()).toEqual(['a', 'a', 'b', 'c']);
});

it('a task that may have ended backgrounds, and whose service is paused, holds up no other task', async () => {
  const { leave, attempts, restart } = createTaskWorld(echo);
  const pausing = { pausesService: true, due: Date.now() + HOUR, wait: HOUR };
  leave(
    recordOf({ data: { word: 'a' }, ...pausing }),
    recordOf({ data: { word: 'b' }, deaths: 2 }),
    recordOf({ data: { word: 'c' }, name: 'translate' }),
  );

  await restart();

  expect(words(attempts)).toEqual(['c']);
});

it('a service stays paused when the task that has paused it is cancelled', async () => {
  const service = defineService({ concurrency: 1 });
  const { add, cancel, open, attempts } = createTaskWorld(echoAfter(pause(30)), { service });
  await add('a');
  await add('b');
  await advance(SECOND);

  const [first] = await open();
  await cancel(first?.id ?? '');
  await advance(28 * SECOND);
  const before = words(attempts);
  await advance(2 * SECOND);

  expect(before).toEqual(['a']);
  expect(words(attempts)).toEqual(['a', 'b']);
});

it('an event with the name of a task does not wait for its service', async () => {
  const { leave, keys, restart } = createTaskWorld(echo);
  leave(
    recordOf({ pausesService: true, due: Date.now() + HOUR, wait: HOUR }),
    // It has an unknown name for an event, so it moves to the quarantine.
    recordOf({ kind: 'event' }),
  );

  await restart();

  expect(keys()).toHaveLength(1);
});

it('a service that was paused once is not paused by a failure', async () => {
  const service = defineService({ concurrency: 1 });
  const options = { service, pause: 30 * SECOND };
  const { add, attempts } = createTaskWorld(echoAfter(pause(1), fail), options);
  await add('a');
  await advance(5 * SECOND);
  await add('b');

  await advance(SECOND);

  expect(words(attempts)).toEqual(['a', 'a', 'b']);
});

it('a service does not stay paused when the clock is set back', async () => {
  const service = defineService({});
  const { add, attempts } = createTaskWorld(echoAfter(pause(10)), { service });
  await add('a');
  await advance(SECOND);

  vi.setSystemTime(Date.now() - HOUR);
  await add('b');
  await advance(SECOND);

  expect(words(attempts)).toEqual(['a', 'b', 'a']);
});

it('tasks that use one service are limited to some at once, also after the clock was set back', async () => {
  let [active, most] = [0, 0];
  const { add, translate, attempts } = createTaskWorld(
    async ({ word }) => {
      active += 1;
      most = Math.max(most, active);
      await sleep(900);
      active -= 1;
      return word;
    },
    { service: defineService({ concurrency: 2, perSecond: 4 }) },
  );
  for (let n = 0; n < 5; n += 1) {
    await add(`w${n}`);
    await add(`w${n}`, translate);
  }
  await advance(SECOND);

  vi.setSystemTime(Date.now() - 2 * HOUR);
  await advance(6 * SECOND);

  expect([attempts.length, most]).toEqual([10, 2]);
});

it('without a service, a task is limited to four at once and shares no limit', async () => {
  const { change, lookUp, attempts, isAwake } = createTaskWorld(never);
  await change((state) => {
    for (let n = 0; n < 10; n += 1) state.enqueue(ring, 'x');
    for (let n = 0; n < 10; n += 1) state.enqueue(lookUp, { word: `w${n}` });
  });

  await advance(SECOND);

  expect([attempts.length, isAwake()]).toEqual([4, true]);
});

it('a task that waits for another one to end does not wake the background before that', async () => {
  const options = { service: defineService({ concurrency: 1 }), timeout: 90 * SECOND };
  const { add, wakeTime } = createTaskWorld(never, options);
  await add('a');
  await add('b');

  await advance(SECOND);

  expect((wakeTime() ?? 0) - Date.now()).toBeGreaterThan(80 * SECOND);
});

it.each([6, 7])(
  '%d tasks that use one service start in a second, if that is its limit',
  async (perSecond) => {
    const service = defineService({ concurrency: 100, perSecond });
    const { add, translate, attempts } = createTaskWorld(echo, { service });

    for (let n = 0; n < 50; n += 1) {
      await add(`w${n}`);
      await add(`w${n}`, translate);
    }
    await advance(SECOND - 1);

    expect(attempts.length).toBe(perSecond);
  },
);
