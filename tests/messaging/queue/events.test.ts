import * as v from 'valibot';
import { describe, expect, it, vi } from 'vitest';

import { proceduresFor } from '../../../src/messaging/define/declare.ts';
import type { Background } from '../../../src/messaging/define/feature.ts';
import {
  createCounterWorld,
  eventsIn,
  fireAdd,
  logOf,
  outcomeOf,
  quarantineIn,
} from '../../support/counter-world.ts';
import { type CounterApi, MOST, testCallers } from '../../support/counter.ts';
import { createFeatureWorld } from '../../support/feature-world.ts';
import { rejectionOf, sleep } from '../../support/promises.ts';
import { advance, SECOND, withFakeTimers } from '../../support/time.ts';

withFakeTimers();

describe('a mutation that the background makes', () => {
  it('changes the state, and open pages receive the change', async () => {
    const world = createCounterWorld();
    const watched = world.openPage('popup').client.subscribe('counter.watch');
    await watched.next();

    const count = await fireAdd(world, 3);

    expect([count, (await watched.next()).value, world.disk.dataOf('counter')]).toEqual([3, 3, 3]);
    expect(eventsIn(world)).toEqual([]);
  });

  it.each<[what: string, call: (background: Background<CounterApi>) => Promise<unknown>, ended: string]>([
    ['an input that is not JSON', ({ mutate }) => mutate('counter.add', Number.NaN), 'NOT_JSON not-sent'],
    ['an input that does not fit', ({ mutate }) => mutate('counter.add', 0.5), 'INVALID_INPUT handled'],
    ['a declared error', ({ mutate }) => mutate('counter.add', MOST + 1), 'DECLARED handled'],
    [
      'a name that no procedure has',
      ({ mutate }) => mutate('counter.sub' as 'counter.add', 1),
      'UNKNOWN_PROCEDURE not-sent',
    ],
    [
      'a query instead of a mutation',
      ({ mutate }) => mutate('counter.read' as 'counter.add', 1),
      'UNKNOWN_PROCEDURE not-sent',
    ],
    [
      'a query that does not list the background',
      ({ query }) => query('text.echo' as 'counter.read'),
      'FORBIDDEN handled',
    ],
  ])('ends in a typed error for %s, and leaves no event', async (_what, call, ended) => {
    const world = createCounterWorld();

    const outcome = await outcomeOf(world.fire(call));

    expect(outcome).toBe(ended);
    expect([world.disk.dataOf('counter'), eventsIn(world), quarantineIn(world)]).toEqual([undefined, [], []]);
  });

  it('logs the error of a query too, once', async () => {
    const world = createCounterWorld({
      'counter.read': () => {
        throw new Error('The counter is broken');
      },
    });

    await outcomeOf(world.fire(({ query }) => query('text.echo' as 'counter.read')));
    await outcomeOf(world.fire(({ query }) => query('counter.read')));

    expect(logOf(world)).toEqual(['CallError: text.echo · FORBIDDEN', 'Error: The counter is broken']);
  });

  it('rejects with a declared error, and logs it', async () => {
    const world = createCounterWorld();

    const isDeclared = await world.fire(async ({ mutate, isDeclared: is }) => {
      const error: unknown = await mutate('counter.add', MOST + 1).catch((reason: unknown) => reason);
      return is('counter.add', 'tooHigh', error) && error.declared.data.most;
    });

    expect(isDeclared).toBe(MOST);
    const [error] = world.logged.values();
    expect(String(error)).toBe('CallError: counter.add · DECLARED · tooHigh');
    expect(error).toHaveProperty('delivery', 'handled');
  });

  it('takes effect although another one has the same text of name and key', async () => {
    const { mutation } = proceduresFor(testCallers);
    const declare = (output: string) =>
      mutation({ callers: ['background'], output: v.string(), handle: () => output });
    const world = createFeatureWorld({ 'a.b': declare('first'), 'a.b/c': declare('second') });

    const first = await world.fire(({ mutate }) => mutate('a.b', undefined, { key: 'c/d' }));
    const second = await world.fire(({ mutate }) => mutate('a.b/c', undefined, { key: 'd' }));

    expect([first, second]).toEqual(['first', 'second']);
  });

  it.each<[what: string, key: unknown]>([
    ['is empty', ''],
    ['is too long', 'x'.repeat(101)],
    ['is not a text', 7],
  ])('is not noted if its key %s, and the error says so', async (_what, key) => {
    const world = createCounterWorld();

    const error = await rejectionOf(
      world.fire(({ mutate }) => mutate('counter.add', 1, { key: key as string })),
    );

    expect(error).toMatchObject({ code: 'INVALID_INPUT', delivery: 'not-sent' });
    expect(error.issues).toEqual([{ path: 'key', message: 'must be a string of 1 to 100 characters' }]);
    expect([world.disk.dataOf('counter'), eventsIn(world)]).toEqual([undefined, []]);
  });

  it('is observed with its name and without its input', async () => {
    const observe = vi.fn<() => (outcome: string) => void>(() => () => {});
    const world = createCounterWorld({}, { observe });

    await fireAdd(world);
    await world.fire(({ query }) => query('counter.read'));

    const shared = { caller: { name: 'background' }, attempts: 1 };
    expect(observe.mock.calls).toEqual([
      [{ ...shared, kind: 'mutation', name: 'counter.add' }],
      [{ ...shared, kind: 'query', name: 'counter.read' }],
    ]);
  });

  it('waits while a page has its turn, and then its handler has five seconds', async () => {
    const world = createCounterWorld({
      'counter.add': async ({ input }) => {
        await sleep(4_900);
        return input;
      },
    });

    const slow = world.openPage('options').client.mutate('counter.add', 1);
    await advance(1);
    const outcomes = Promise.all([slow, fireAdd(world, 2)]);
    await advance(10 * SECOND);

    expect(await outcomes).toEqual([1, 2]);
  });
});

describe('a key', () => {
  it('makes repeated events take effect once, also in a later worker', async () => {
    const world = createCounterWorld();

    const key = 'x'.repeat(100);
    const answers = await Promise.all([fireAdd(world, 5, key), fireAdd(world, 5, key)]);
    world.killWorker();
    answers.push(await fireAdd(world, 5, key), await fireAdd(world, 5, 'other'));

    expect(answers).toEqual([5, 5, 5, 10]);
    expect(eventsIn(world)).toEqual([]);
  });

  it('identifies a mutation only together with the procedure', async () => {
    const world = createCounterWorld();
    const tick = (): Promise<void> =>
      world.fire(({ mutate }) => mutate('counter.tick', undefined, { key: 'same' }));

    await fireAdd(world, 5, 'same');
    await tick();
    await tick();

    expect(world.disk.dataOf('counter')).toBe(6);
  });
});
