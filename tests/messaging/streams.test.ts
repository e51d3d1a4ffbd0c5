import { getEventListeners } from 'node:events';

import { describe, expect, it, onTestFinished, vi } from 'vitest';

import type { Client } from '../../src/messaging/client/client.ts';
import type { AnswerFrame } from '../../src/messaging/wire/frames.ts';
import { type CounterHandlers, createCounterWorld } from '../support/counter-world.ts';
import { counter, type CounterApi } from '../support/counter.ts';
import { createDeferred, rejectionOf } from '../support/promises.ts';
import { openScriptedClient } from '../support/scripted-client.ts';

/** Subscribes a popup to this handler. */
function watchOver(handler: CounterHandlers['counter.watch']) {
  const world = createCounterWorld({ 'counter.watch': handler });
  return { world, counts: world.openPage('popup').client.subscribe('counter.watch') };
}

describe('a subscription', () => {
  it('yields the value now and after every change, however late, in every open page', async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const world = createCounterWorld();
    const pages = [world.openPage('popup'), world.openPage('options')];
    const streams = pages.map(({ client }) => client.subscribe('counter.watch'));
    const first = await Promise.all(streams.map((stream) => stream.next()));

    const next = streams.map((stream) => stream.next());
    await vi.advanceTimersByTimeAsync(60 * 60_000);
    await world.openPage('options').client.mutate('counter.add', 5);

    expect(first.map(({ value }) => value)).toEqual([0, 0]);
    expect((await Promise.all(next)).map(({ value }) => value)).toEqual([5, 5]);
  });

  // https://github.com/tshaddix/webext-redux/issues/218
  it('that is opened after a change was answered first yields the changed value', async () => {
    const world = createCounterWorld();
    const { client } = world.openPage('options');
    const earlier = client.subscribe('counter.watch');
    await earlier.next();
    const seen: unknown[] = [];

    for (const count of [1, 2, 3]) {
      await client.mutate('counter.add', 1);
      if (count === 3) world.killWorker();
      seen.push((await client.subscribe('counter.watch').next()).value);
    }

    expect(seen).toEqual([1, 2, 3]);
  });

  it.each([undefined, () => undefined, () => ({ done: true }), () => Promise.reject(new Error('late'))])(
    'ends when its handler does, even if the `return` of the iterator is %s',
    async (end) => {
      const values = [1, 2];
      const next = async () => ({ done: values.length === 0, value: values.shift() });
      const { counts } = watchOver(() => ({ [Symbol.asyncIterator]: () => ({ next, return: end }) }));
      const seen: number[] = [];

      for await (const count of counts) seen.push(count);

      expect(seen).toEqual([1, 2]);
    },
  );

  it('runs its handler only when a value is requested, and adds no listener for each value', async () => {
    const listeners: number[] = [];
    const taken: unknown[] = [];
    const { counts } = watchOver(async function* ({ signal }) {
      while (listeners.length < 20) yield listeners.push(getEventListeners(signal, 'abort').length);
    });

    while (taken.length < 5) taken.push((await counts.next()).value);
    await new Promise((resolve) => setImmediate(resolve));
    await counts.return();

    expect(taken).toEqual([1, 2, 3, 4, 5]);
    expect(listeners).toHaveLength(5);
    expect(Math.max(...listeners)).toBeLessThanOrEqual(2);
  });

  it.each<[what: string, end: () => unknown, logged: string]>([
    ['fails', () => Promise.reject(new Error('broken')), 'Error: broken'],
    ['yields a value that breaks the contract', () => 'one', 'Expected number but received'],
  ])(
    'ends in a typed error when its handler %s, and ends what that handler watches',
    async (_what, end, logged) => {
      const watched = createDeferred<unknown>();
      const { world, counts } = watchOver(async function* ({ state }) {
        const watching = state.watch(counter);
        await watching.next();
        void watching.next().then(watched.resolve);
        yield 1;
        yield await end();
      });
      await counts.next();

      const error = await rejectionOf(counts.next());

      expect(error).toMatchObject({ code: 'INTERNAL', delivery: 'handled' });
      expect(String(world.logged.get(error.incident ?? ''))).toContain(logged);
      expect(await watched.promise).toEqual({ done: true, value: undefined });
    },
  );
});

describe('a stream of a page', () => {
  const next: AnswerFrame = { kind: 'next', id: 1, value: 7 };

  /** Opens a stream that waits for its first value. */
  async function openStream() {
    const scripted = openScriptedClient();
    const controller = new AbortController();
    const stream = scripted.client.subscribe('counter.watch', undefined, { signal: controller.signal });
    const first = stream.next();
    await scripted.settle();
    return { ...scripted, stream, first, signal: controller.signal, abort: () => controller.abort() };
  }

  it.each<[string, (client: Client<CounterApi>) => unknown]>([
    ['when the background is awake', ({ resume }) => resume()],
    ['when its page is back from the back/forward cache', ({ reconnect }) => reconnect()],
    ["on the page's own next call", ({ query }) => query('counter.read')],
  ])('does not wake the background while its consumer waits, and resumes %s', async (_when, wake) => {
    const { client, stream, answer, losePort, settle, posted, opened } = await openStream();
    await answer(next);
    await losePort();
    const second = stream.next();
    await settle();
    const whileAsleep = [posted().length, opened()];
    void wake(client);
    await settle();
    await answer(next);

    expect(whileAsleep).toEqual([1, 1]);
    expect(await second).toEqual({ done: false, value: 7 });
    expect(posted().slice(0, 2)).toEqual([
      ['subscription', 1, 1],
      ['subscription', 1, 2],
    ]);
  });

  it('continues over the next port when the background does not answer after it has slept', async () => {
    const { client, stream, answer, losePort, opened } = await openStream();
    await answer(next);
    await losePort();
    const second = stream.next();
    client.resume();

    await vi.advanceTimersByTimeAsync(5_000);
    const whileSilent = [opened(), client.connection.state().status];
    await answer(next);

    expect([whileSilent, await second]).toEqual([[3, 'failed'], { done: false, value: 7 }]);
  });

  it.each(['before', 'after'])(
    'ends and sends one abort when its signal is aborted %s the first value',
    async (when) => {
      const { stream, first, settle, answer, posted, signal, abort } = await openStream();
      // The second value was not requested, so it is ignored.
      if (when === 'after') for (const frame of [next, next]) await answer(frame);

      abort();
      await settle();

      expect(await first).toMatchObject({ done: when !== 'after' });
      expect(await stream.next()).toEqual({ done: true, value: undefined });
      expect(posted()).toEqual([
        ['subscription', 1, 1],
        ['abort', 1],
      ]);
      expect(getEventListeners(signal, 'abort')).toEqual([]);
    },
  );

  // https://github.com/enisdenjo/graphql-ws/issues/653
  it('ends and sends one abort when it is returned while its consumer waits', async () => {
    const { stream, first, answer, settle, posted } = await openStream();
    await answer(next);
    await first;
    const second = stream.next();
    await settle();

    const returned = stream.return();
    await settle();

    const isOver = { done: true, value: undefined };
    expect(await Promise.all([second, returned, stream.next()])).toEqual([isOver, isOver, isOver]);
    expect(posted()).toEqual([
      ['subscription', 1, 1],
      ['pull', 1],
      ['abort', 1],
    ]);
  });

  it('is not opened if its signal is already aborted', async () => {
    const { client, opened } = openScriptedClient();

    const first = await client.subscribe('counter.watch', undefined, { signal: AbortSignal.abort() }).next();

    expect([first.done, opened()]).toEqual([true, 0]);
  });

  it.each([
    ['has ended', { kind: 'end', id: 1 }, { done: true }],
    ['has failed', { kind: 'error', id: 1, error: { code: 'INTERNAL' } }, { code: 'INTERNAL' }],
  ] as const)('sends no abort when its handler %s', async (_what, frame, expected) => {
    const { first, answer, posted, signal } = await openStream();
    const ended = first.catch((error: unknown) => error);

    await answer(frame);

    expect(await ended).toMatchObject(expected);
    expect(posted()).toEqual([['subscription', 1, 1]]);
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  it('fails when its page can no longer reach a background, and so does a new stream', async () => {
    const { client, stream, answer, orphan } = await openStream();
    await answer(next);
    orphan();
    client.reconnect();

    const opening = await rejectionOf(client.subscribe('counter.watch').next());

    expect(await rejectionOf(stream.next())).toMatchObject({ code: 'UNREACHABLE', delivery: 'unknown' });
    expect(opening).toMatchObject({ code: 'UNREACHABLE', delivery: 'not-sent' });
  });

  it.each([
    ['at once', 0],
    // On a busy machine.
    ['some seconds later', 4_000],
  ])(
    'fails without a call when its port is lost and the extension takes its id away %s',
    async (_when, ms) => {
      const { stream, answer, losePort, orphan } = await openStream();
      await answer(next);
      const failure = rejectionOf(stream.next().then(() => stream.next()));
      await losePort();
      await vi.advanceTimersByTimeAsync(ms);
      orphan();

      await vi.advanceTimersByTimeAsync(20_000);

      expect(await failure).toMatchObject({ code: 'UNREACHABLE' });
    },
  );
});
