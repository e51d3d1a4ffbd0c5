import { describe, expect, it, vi } from 'vitest';

import { runLater } from '../../../src/messaging/state/tasks.ts';
import { sleep } from '../../support/promises.ts';
import { createTaskWorld, echo, echoAfter, fail } from '../../support/task-world.ts';
import { advance, HOUR, SECOND, withFakeTimers } from '../../support/time.ts';

withFakeTimers();

describe('a task', () => {
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
});

it('tasks are limited to some at once, also after the clock was set back', async () => {
  let [active, most] = [0, 0];
  const { add, attempts } = createTaskWorld(
    async ({ word }) => {
      active += 1;
      most = Math.max(most, active);
      await sleep(900);
      active -= 1;
      return word;
    },
    { concurrency: 2, perSecond: 4 },
  );
  for (let n = 0; n < 10; n += 1) await add(`w${n}`);
  await advance(SECOND);

  vi.setSystemTime(Date.now() - 2 * HOUR);
  await advance(6 * SECOND);

  expect([attempts.length, most]).toEqual([10, 2]);
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

it('a task whose delay is longer than its age is tried again when an attempt fails', async () => {
  const { change, lookUp, attempts } = createTaskWorld(fail, { age: HOUR });

  await change((state) => void state.enqueue(lookUp, { word: 'late' }, { delay: 2 * HOUR }));
  await advance(2 * HOUR + 30 * SECOND);

  expect(attempts).toHaveLength(4);
});
