import * as v from 'valibot';
import { describe, expect, it, vi } from 'vitest';

import { proceduresFor } from '../../src/messaging/define/declare.ts';
import type { Observe } from '../../src/messaging/define/observe.ts';
import type { Store } from '../../src/messaging/state/store.ts';
import { type CounterHandlers, createCounterWorld } from '../support/counter-world.ts';
import { counter, testCallers } from '../support/counter.ts';
import { createFeatureWorld } from '../support/feature-world.ts';
import { createDeferred, rejectionOf, sleep } from '../support/promises.ts';
import { callOf } from '../support/raw-calls.ts';
import { advance, withFakeTimers } from '../support/time.ts';

// With fake timers, a deadline cannot pass before the handler has started.
withFakeTimers();

/** Creates a handler that writes its input. With the input 1 it then waits until `goOn` is called. */
function createWaitingHandler() {
  const [started, goOn] = [createDeferred(), createDeferred()];
  const handler: CounterHandlers['counter.add'] = async ({ input, state }) => {
    state.write(counter, input);
    started.resolve();
    if (input === 1) await goOn.promise;
    return input;
  };
  return { handler, started: started.promise, goOn: goOn.resolve };
}

describe('a call that is not answered', () => {
  it.each([
    [undefined, 10_000],
    [500, 500],
    [Infinity, 600_000],
    [0, 1],
    [Number.NaN, 1],
  ])('with a timeout of %s ends after %d ms', async (timeout, expected) => {
    const world = createCounterWorld();
    world.mute(true);
    const ended = vi.fn<(error: unknown) => void>();
    const options = timeout === undefined ? {} : { timeout };
    void rejectionOf(world.openPage('options').client.mutate('counter.add', 1, options)).then(ended);

    await advance(expected - 1);
    const before = ended.mock.calls.length;
    await advance(1);

    expect([before, ended.mock.calls]).toMatchObject([0, [[{ code: 'TIMEOUT', delivery: 'unknown' }]]]);
  });

  it('ends in UNREACHABLE when its page can no longer reach a background, and so does every later call', async () => {
    const world = createCounterWorld();
    world.mute(true);
    const { client, orphan } = world.openPage('options');
    const waiting = [
      rejectionOf(client.query('counter.read')),
      rejectionOf(client.mutate('counter.add', 1)),
      rejectionOf(client.mutate('counter.add', 1)),
      rejectionOf(client.subscribe('counter.watch').next()),
    ];

    orphan();
    const ended = [...(await Promise.all(waiting)), await rejectionOf(client.query('counter.read'))];

    expect(ended.map(({ code }) => code)).toEqual(Array(5).fill('UNREACHABLE'));
    const deliveries = ['unknown', 'unknown', 'not-sent', 'unknown', 'not-sent'];
    expect(ended.map(({ delivery }) => delivery)).toEqual(deliveries);
    expect(client.connection.state()).toEqual({ status: 'failed', reason: 'unreachable' });
  });
});

// A background of an earlier test may set a timer in between, but not in each attempt.
it('answered calls leave no timer behind', { retry: 3 }, async () => {
  const { client } = createCounterWorld().openPage('options');

  await client.query('counter.read');
  await client.mutate('counter.add', 1);
  await advance(100);

  expect(vi.getTimerCount()).toBe(0);
});

it.each([
  ['its caller aborts the call', 'ABORTED'],
  ['its deadline passes', 'TIMEOUT'],
])('the `signal` of a handler is aborted when %s', async (_when, code) => {
  const started = createDeferred<AbortSignal>();
  const world = createCounterWorld({
    'counter.read': ({ signal }) => new Promise(() => started.resolve(signal)),
  });
  const controller = new AbortController();
  const options = { signal: controller.signal, timeout: 500 };
  const ended = rejectionOf(world.openPage('popup').client.query('counter.read', undefined, options));
  const signal = await started.promise;

  if (code === 'ABORTED') controller.abort();
  await advance(500);

  expect(signal.reason).toMatchObject({ report: { code } });
  expect((await ended).code).toBe(code);
});

it.each<[string, (counts: AsyncGenerator, close: () => void) => unknown]>([
  ['its consumer leaves the loop', (counts) => counts.return(undefined)],
  ['its page is closed while it waits for a change', (counts, close) => [counts.next(), close()]],
])('the `finally` of a generator, and of what it watches, runs when %s', async (_when, end) => {
  const cleanedUp = createDeferred<string>();
  const world = createCounterWorld({
    'counter.watch': async function* ({ state }) {
      try {
        for await (const _ of state.watch(counter)) yield 1;
      } finally {
        cleanedUp.resolve('cleaned up');
      }
    },
  });
  const { client, close } = world.openPage('popup');
  const counts = client.subscribe('counter.watch');
  await counts.next();

  void end(counts, close);

  expect(await cleanedUp.promise).toBe('cleaned up');
});

it('a subscription ends when its page aborts it while a value is validated', async () => {
  const [validating, ended] = [createDeferred(), createDeferred<string>()];
  const check = (): Promise<boolean> => (validating.resolve(), new Promise(() => {}));
  const watch = proceduresFor(testCallers).subscription({
    callers: ['popup'],
    output: v.pipeAsync(v.number(), v.checkAsync(check)),
    handle: async function* () {
      yield 1;
    },
  });
  const observe: Observe = () => ended.resolve;
  const { client } = createFeatureWorld({ 'hanging.watch': watch }, [], { observe }).openPage('popup');
  const controller = new AbortController();
  void client.subscribe('hanging.watch', undefined, controller).next();
  await validating.promise;

  controller.abort();

  expect(await ended.promise).toBe('ABORTED');
});

describe('a mutation', () => {
  it.each<[string, (caller: { close: () => void; abort: () => void }) => void, unknown]>([
    ['is carried out when its page is closed', ({ close }) => close(), [1, true]],
    ['writes nothing when its caller aborts it', ({ abort }) => abort(), [undefined, false]],
  ])('%s', async (_what, end, expected) => {
    const { handler, started, goOn } = createWaitingHandler();
    const world = createCounterWorld({ 'counter.add': handler });
    const { client, close } = world.openPage('options');
    const controller = new AbortController();
    client.mutate('counter.add', 1, { signal: controller.signal }).catch(() => {});
    await started;

    end({ close, abort: () => controller.abort() });
    await advance(0);
    goOn();
    await advance(0);

    expect([world.disk.dataOf('counter'), world.disk.keys().length > 0]).toEqual(expected);
  });

  it('frees the lock at its deadline if it returns a thenable that never settles and its page is closed', async () => {
    const started = createDeferred();
    const world = createCounterWorld({
      'counter.add': ({ input }) => {
        started.resolve();
        return input === 1 ? { then: () => {} } : input;
      },
    });
    const { client, close } = world.openPage('options');
    const first = rejectionOf(client.mutate('counter.add', 1, { timeout: 50 }));
    await started.promise;
    close();

    const second = world.openPage('options').client.mutate('counter.add', 2);
    await advance(50);

    expect(await first).toMatchObject({ code: 'TIMEOUT', delivery: 'unknown' });
    expect(await second).toBe(2);
  });

  it('is written and not answered when its caller aborts it during the write', async () => {
    const patchStore = (store: Store): Store => ({
      ...store,
      write: (entries) => sleep(10).then(() => store.write(entries)),
    });
    const world = createCounterWorld({}, { patchStore });
    const port = world.openPage('options').openRawPort();
    port.post(callOf('counter.add'));
    await advance(5);

    port.post({ kind: 'abort', id: 1, reason: 'ABORTED' });
    await advance(10);

    expect(world.disk.dataOf('counter')).toBe(1);
    expect(port.received).toEqual([]);
  });

  it.each([
    ['arrives', -61_000, 0],
    ['gets the lock, as after the computer has slept', 0, 61_000],
  ])(
    'is not carried out if, by the wall clock, its deadline has passed when it %s',
    async (_when, sentIn, pass) => {
      const { handler, started, goOn } = createWaitingHandler();
      const outcomes: unknown[] = [];
      const observe = () => (outcome: string) => void outcomes.push(outcome);
      const world = createCounterWorld({ 'counter.add': handler }, { observe });
      const send = (page: string, input: number, sentAt: number): void => {
        const frame = callOf('counter.add', { page, input, sentAt, timeout: 60_000 });
        world.openPage('options').openRawPort().post(frame);
      };
      send('first', 1, Date.now());
      await started;
      send('second', 2, Date.now() + sentIn);
      await advance(10);

      vi.setSystemTime(Date.now() + pass);
      goOn();

      await vi.waitFor(() => expect(new Set(outcomes)).toEqual(new Set(['TIMEOUT', 'value'])));
      expect(world.disk.dataOf('counter')).toBe(1);
    },
  );
});

// https://github.com/w3c/webextensions/issues/1016
it('the background stays awake for a query with a long timeout until it ends, and for no other one', async () => {
  const { promise: never } = createDeferred<string>();
  let awake = 0;
  const { query } = proceduresFor(testCallers);
  const slow = query({ callers: ['options'], output: v.string(), handle: () => never });
  const stayAwake = () => {
    awake += 1;
    return () => void (awake -= 1);
  };
  const { client, close } = createFeatureWorld({ 'slow.read': slow }, [], { stayAwake }).openPage('options');
  const seen: number[] = [];
  const ask = async (timeout: number): Promise<void> => {
    void rejectionOf(client.query('slow.read', undefined, { timeout }));
    await advance(1);
    seen.push(awake);
  };

  await ask(10_000);
  await ask(60_000);
  await advance(60_000);
  seen.push(awake);
  await ask(60_000);
  close();
  await advance(1);
  seen.push(awake);

  expect(seen).toEqual([0, 1, 0, 1, 0]);
});
