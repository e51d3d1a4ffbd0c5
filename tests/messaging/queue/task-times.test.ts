import { describe, expect, it, vi } from 'vitest';

import { runLater } from '../../../src/messaging/define/task-errors.ts';
import { logOf } from '../../support/counter-world.ts';
import {
  type Answer,
  type TaskOptions,
  createTaskWorld,
  echo,
  echoAfter,
  fail,
} from '../../support/task-world.ts';
import { advance, HOUR, SECOND, withFakeTimers } from '../../support/time.ts';

withFakeTimers();

const DAY = 24 * HOUR;

const later = (): Promise<never> => Promise.reject(runLater('30'));

describe('a task', () => {
  it('runs later without an error and without counting the attempt, if it asks for that', async () => {
    const { add, attempts, textOf, open, wakeTime, world } = createTaskWorld(echoAfter(later, later, later), {
      attempts: 1,
    });
    await add('hello');
    const due = Date.now() + 30 * SECOND;
    await advance(29 * SECOND);
    const [before, [item], time] = [attempts.length, await open(), wakeTime()];
    await advance(70 * SECOND);

    expect([before, item?.tries, item?.due, time]).toEqual([1, 0, due, due]);
    expect([textOf('hello'), wakeTime(), logOf(world)]).toEqual(['hello!', Infinity, []]);
  });

  it.each<[after: number | string | null | undefined, wait: number]>([
    [1_500, 1_500],
    [' 30 ', 30 * SECOND],
    ['0', SECOND],
    ['Thu, 01 Jan 2026 00:02:00 GMT', 120 * SECOND],
    // The clock of the service may be behind.
    ['Wed, 31 Dec 2025 00:00:00 GMT', SECOND],
    [-5, SECOND],
    // No service can make the task wait longer than a day.
    ['Fri, 02 Jan 2026 00:00:01 GMT', DAY],
    ['86401', DAY],
    ['9'.repeat(400), DAY],
    // `Date.parse` reads some of these as dates, and each browser others.
    ...['soon', '', '45.5', '-45', '45;', '-5', '1.5', '10, 20', '+5', '0x10', '1e3', '٣٠'].map(
      (invalid): [string, number] => [invalid, 60 * SECOND],
    ),
    ...[
      '2026-01-01T00:00:05Z',
      'Wed, 01 Jan 2026 00:02:00 GMT',
      'Thu, 01 Jan 2026 00:02:00',
      'Thu, 01 Jan 2026 00:02:00 +0100',
      'Fri, 32 Jan 2026 00:02:00 GMT',
      'Thu, 1 Jan 2026 00:02:00 GMT',
      'Invalid Date',
    ].map((invalid): [string, number] => [invalid, 60 * SECOND]),
    [null, 60 * SECOND],
    [undefined, 60 * SECOND],
    [Infinity, 60 * SECOND],
  ])('that throws runLater(%j) waits %d ms', (after, wait) => {
    expect(runLater(after).wait).toBe(wait);
  });

  it.each<[pause: string, options: TaskOptions, seconds: readonly number[]]>([
    ['1 s, 4 s, 16 s and so on, up to an hour', {}, [1, 4, 16, 64, 256, 1_024, 3_600, 3_600]],
    ['the time that it states', { pause: 7 * SECOND }, [7, 7, 7]],
    ['the time that its function returns', { pause: (failed) => failed * SECOND }, [1, 2, 3]],
    ['no longer than its age', { pause: Infinity, age: HOUR }, [3_600]],
    [
      'the default time if its function throws',
      {
        pause: () => {
          throw new Error('broken');
        },
      },
      [1, 4, 16],
    ],
    ...[undefined, Number.NaN, -1, 0, '5', Promise.resolve(5)].map(
      (invalid): [string, TaskOptions, readonly number[]] => [
        `the default time if its function returns ${String(invalid)}`,
        { pause: () => invalid as number },
        [1, 4, 16],
      ],
    ),
  ])('that has failed waits %s', async (_pause, options, seconds) => {
    const times: number[] = [];
    const { add } = createTaskWorld(() => {
      times.push(Date.now());
      return fail();
    }, options);

    await add('hello');
    for (const wait of seconds) await advance(wait * SECOND);

    expect(times.slice(1).map((time, index) => (time - (times[index] ?? 0)) / SECOND)).toEqual(seconds);
  });

  it('succeeds after 100 hours without a network and a restart in each pause, because only its age ends it', async () => {
    const { add, attempts, textOf, restart } = createTaskWorld((attempt) =>
      Date.now() > start + 100 * HOUR ? echo(attempt) : fail(),
    );
    const start = Date.now();
    await add('hello');

    for (let hour = 0; hour < 102; hour += 1) {
      await advance(HOUR);
      await restart();
    }

    expect([attempts.length > 100, textOf('hello')]).toEqual([true, 'hello!']);
  });

  it.each<[what: string, answer: Answer, delay: number, isRestarted: boolean, runs: number]>([
    ['that has failed runs', fail, 0, false, 3],
    ['that has failed under an earlier background runs', fail, 0, true, 3],
    ['that has asked to run later after a failure waits', echoAfter(fail, later), 0, false, 2],
    ['with a delay waits', echo, HOUR, false, 0],
  ])('%s when the network is back', async (_what, answer, delay, isRestarted, runs) => {
    const { change, lookUp, attempts, goOnline, restart } = createTaskWorld(answer);
    await change((state) => void state.enqueue(lookUp, { word: 'hello' }, { delay }));
    await advance(2 * SECOND);
    if (isRestarted) await restart();

    goOnline();
    await advance(SECOND);

    expect(attempts).toHaveLength(runs);
  });

  it('that fails without network counts no attempt, and its pauses grow to an hour', async () => {
    let isOffline = true;
    const { world, add, attempts, observed, goOffline, goOnline, textOf, restart } = createTaskWorld(
      async (attempt) => (isOffline ? fail() : echo(attempt)),
      { attempts: 1 },
    );
    goOffline();
    await add('hello');
    for (let day = 0; day < 2; day += 1) {
      await advance(12 * HOUR);
      await restart();
    }
    const offline = attempts.length;

    isOffline = false;
    goOnline();
    await advance(SECOND);

    expect(offline).toBeGreaterThan(24);
    expect(offline).toBeLessThan(35);
    expect([textOf('hello'), world.logged.size]).toEqual(['hello!', 0]);
    expect(new Set(observed.map(([, outcome]) => outcome))).toEqual(new Set(['later', 'value']));
  });

  it.each([5_000.1, Number.MAX_SAFE_INTEGER])('with a delay of %d ms does not run at once', async (delay) => {
    const { change, lookUp, attempts, keys } = createTaskWorld(echo);

    await change((state) => void state.enqueue(lookUp, { word: 'late' }, { delay }));
    await advance(10);

    expect([attempts, keys().length]).toEqual([[], 1]);
  });

  it.each<[by: string, step: number, wait: number]>([
    ['waits, although the clock is set back a little', 5 * SECOND, HOUR],
    ['runs at once if the clock is set back by a year', 365 * DAY, 0],
  ])('with a delay %s', async (_what, step, wait) => {
    const { change, lookUp, attempts, restart } = createTaskWorld(echo);
    await change((state) => void state.enqueue(lookUp, { word: 'late' }, { delay: HOUR }));
    await advance(2 * SECOND);

    vi.setSystemTime(Date.now() - step);
    await restart();
    await advance(Math.max(wait - 10 * SECOND, 0));
    const before = attempts.length;
    await advance(20 * SECOND);

    expect([before, attempts.length]).toEqual([wait === 0 ? 1 : 0, 1]);
  });

  it('whose delay is longer than its age is tried again when an attempt fails', async () => {
    const { change, lookUp, attempts } = createTaskWorld(fail, { age: HOUR });

    await change((state) => void state.enqueue(lookUp, { word: 'late' }, { delay: 2 * HOUR }));
    await advance(2 * HOUR + 30 * SECOND);

    expect(attempts).toHaveLength(4);
  });
});
