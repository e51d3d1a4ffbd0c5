import * as v from 'valibot';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';

import type { Client } from '../../src/messaging/client/client.ts';
import { createCounterWorld } from '../support/counter-world.ts';
import { counter, type CounterApi, counterFeature } from '../support/counter.ts';
import { createFeatureWorld } from '../support/feature-world.ts';
import { createDeferred, rejectionOf } from '../support/promises.ts';

const HOUR = 60 * 60 * 1_000;

type Call = (client: Client<CounterApi>) => Promise<unknown>;

/** Makes a call in a new world, and kills the worker after this many microtask turns. */
async function callAndKill(call: Call, step: number) {
  const world = createCounterWorld();
  let isAnswered = false;
  const answer = call(world.openPage('options').client).catch((error: unknown) => error);
  void answer.then(() => (isAnswered = true));
  for (let settled = 0; settled < step; settled += 1) await Promise.resolve();
  const isOver = isAnswered;
  world.killWorker();
  return { isOver, answer: await answer, counter: world.disk.dataOf('counter') };
}

/** Returns the outcomes of a call when the worker dies at the first step, at the second, and so on until it is answered. */
async function killAtEveryStep(call: Call) {
  const ends = [await callAndKill(call, 0)];
  while (ends.at(-1)?.isOver === false) ends.push(await callAndKill(call, ends.length));
  expect(ends.length).toBeGreaterThan(5);
  return ends;
}

describe('at whichever step the worker dies', () => {
  // The timers of the workers that die end with the fake clock. Without it, they would run in the tests of other files.
  beforeEach(() => void vi.useFakeTimers({ shouldAdvanceTime: true }));
  afterEach(() => void vi.useRealTimers());

  it.each<[string, Call, object]>([
    ['a mutation takes effect once', ({ mutate }) => mutate('counter.add', 1), { answer: 1, counter: 1 }],
    [
      'a mutation without an output takes effect once',
      ({ mutate }) => mutate('counter.tick'),
      { answer: undefined, counter: 1 },
    ],
    ['a query is answered', ({ query }) => query('counter.read'), { answer: 0, counter: undefined }],
  ])('%s', async (_what, call, expected) => {
    const ends = await killAtEveryStep(call);

    for (const [step, end] of ends.entries()) expect({ step, ...end }).toMatchObject({ step, ...expected });
  });
});

describe('a mutation', () => {
  it.each([
    ['after its deadline has passed while its page was frozen', () => vi.advanceTimersByTime(2 * HOUR)],
    [
      'after the clock was set back, because its outcome may be gone',
      () => vi.setSystemTime(Date.now() - 2 * HOUR),
    ],
  ])('is not sent again %s', async (_when, pass) => {
    vi.useFakeTimers({ toFake: ['Date', 'performance'] });
    onTestFinished(() => void vi.useRealTimers());
    const world = createCounterWorld();
    const page = world.openPage('options');
    world.killWorkerAt('after-commit');
    const ended = rejectionOf(page.client.mutate('counter.add', 1));
    await Promise.resolve();
    await Promise.resolve();
    page.enterCache();
    await vi.waitFor(() => expect(world.disk.dataOf('counter')).toBe(1));
    const entry = world.disk.keys().find((key) => key.startsWith('journal/')) ?? '';
    const recorded = world.disk.read(entry);

    pass();
    await world.openPage('options').client.mutate('counter.add', 100);
    await vi.waitFor(() => expect(world.disk.read(entry)).not.toHaveProperty('outcome'));
    page.client.reconnect();

    expect(recorded).toHaveProperty('outcome', 1);
    expect(await ended).toMatchObject({ code: 'TIMEOUT', delivery: 'unknown' });
    expect(world.disk.dataOf('counter')).toBe(101);
  });
});

it('a mutation takes effect once if its next attempt overtakes the validation of its first', async () => {
  const slow = createDeferred();
  const validations = [Promise.resolve(), slow.promise, Promise.resolve()];
  const input = v.pipeAsync(
    v.number(),
    v.checkAsync(async () => validations.shift()?.then(() => true) ?? true),
  );
  const add = { ...counterFeature.procedures['counter.add'], input };
  const world = createFeatureWorld({ 'counter.add': add }, [counter]);
  const page = world.openPage('options');
  await page.client.mutate('counter.add', 1);

  const added = page.client.mutate('counter.add', 1);
  await vi.waitFor(() => expect(validations).toHaveLength(1), { interval: 1 });
  page.enterCache();
  page.client.reconnect();
  await added;
  slow.resolve();
  await page.client.mutate('counter.add', 1);

  expect([await added, world.disk.dataOf('counter')]).toEqual([2, 3]);
});
