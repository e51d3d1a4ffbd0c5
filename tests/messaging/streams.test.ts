import { getEventListeners } from 'node:events';

import * as v from 'valibot';
import { describe, expect, it, onTestFinished, vi } from 'vitest';

import type { Client } from '../../src/messaging/client/client.ts';
import { defineDocument } from '../../src/messaging/state/documents.ts';
import { watchChanges } from '../../src/messaging/state/watch.ts';
import type { AnswerFrame } from '../../src/messaging/wire.ts';
import { type CounterHandlers, createCounterWorld } from '../support/counter-world.ts';
import { counter, type CounterApi } from '../support/counter.ts';
import { createNotesWorld } from '../support/notes-world.ts';
import { createDeferred, rejectionOf } from '../support/promises.ts';
import { openScriptedClient } from '../support/scripted-client.ts';

type Watch = CounterHandlers['counter.watch'];

/** Subscribes a popup to this handler. */
function watchOver(handler: Watch) {
  const world = createCounterWorld({ 'counter.watch': handler });
  return { world, counts: world.openPage('popup').client.subscribe('counter.watch') };
}

describe('a subscription', () => {
  it('yields the value now and after every change, in every open page', async () => {
    const world = createCounterWorld();
    const pages = [world.openPage('popup'), world.openPage('options')];
    const streams = pages.map(({ client }) => client.subscribe('counter.watch'));
    const first = await Promise.all(streams.map((stream) => stream.next()));

    const next = streams.map((stream) => stream.next());
    await world.openPage('options').client.mutate('counter.add', 5);

    expect(first.map(({ value }) => value)).toEqual([0, 0]);
    expect((await Promise.all(next)).map(({ value }) => value)).toEqual([5, 5]);
  });

  it('yields only the latest value to a slow consumer', async () => {
    const { client } = createCounterWorld().openPage('options');
    const counts = client.subscribe('counter.watch');
    await counts.next();

    for (let count = 0; count < 20; count += 1) await client.mutate('counter.add', 1);

    expect((await counts.next()).value).toBe(20);
  });

  it('has no deadline', async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const { client } = createCounterWorld().openPage('options');
    const counts = client.subscribe('counter.watch');
    await counts.next();
    const next = counts.next();

    await vi.advanceTimersByTimeAsync(60 * 60_000);
    await client.mutate('counter.add', 3);

    expect(await next).toEqual({ done: false, value: 3 });
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

  it('ends in a typed error when its handler fails, and ends the watch of that handler', async () => {
    const watched = createDeferred<unknown>();
    const { world, counts } = watchOver(async function* ({ state }) {
      const watching = state.watch(counter);
      await watching.next();
      void watching.next().then(watched.resolve);
      yield 1;
      throw new Error('broken');
    });
    await counts.next();

    const error = await rejectionOf(counts.next());

    expect(error).toMatchObject({ code: 'INTERNAL', delivery: 'handled' });
    expect(world.logged.get(error.incident ?? '')).toMatchObject({ message: 'broken' });
    expect(await watched.promise).toEqual({ done: true, value: undefined });
  });

  it('ends together with its handler when the handler yields a value that breaks the contract', async () => {
    const cleanedUp = vi.fn<() => void>();
    const { counts } = watchOver(async function* () {
      try {
        yield 'one' as unknown as number;
      } finally {
        cleanedUp();
      }
    });

    const error = await rejectionOf(counts.next());

    expect(error.code).toBe('INTERNAL');
    await vi.waitFor(() => expect(cleanedUp).toHaveBeenCalledOnce());
  });

  it('opens a new port if the background dies before the first value', async () => {
    let runs = 0;
    const { world, counts } = watchOver(async function* () {
      runs += 1;
      if (runs === 1) world.killWorker();
      yield runs;
    });

    expect((await counts.next()).value).toBe(2);
  });
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

  it('fails without a call when the extension takes its id away soon after the loss of the port', async () => {
    const { stream, answer, losePort, orphan } = await openStream();
    await answer(next);
    const failure = rejectionOf(stream.next().then(() => stream.next()));
    await losePort();
    orphan();

    await vi.advanceTimersToNextTimerAsync();

    expect(await failure).toMatchObject({ code: 'UNREACHABLE' });
  });
});

describe('watchChanges', () => {
  /** Follows a number that starts at 0. The first value is already taken. */
  async function followNumber() {
    const changes = new EventTarget();
    const controller = new AbortController();
    let number = 0;
    const looks = watchChanges(changes, ['risen', 'fallen'], controller.signal, () => number);
    await looks.next();
    const rise = (): void => {
      number += 1;
      changes.dispatchEvent(new Event('risen'));
    };
    const pause = new Promise<undefined>((resolve) => setTimeout(resolve, 10));
    return { looks, rise, pause, changes, controller };
  }

  it('yields once for several changes between two requests', async () => {
    const { looks, rise, pause } = await followNumber();

    rise();
    rise();

    expect(await looks.next()).toMatchObject({ value: 2 });
    expect(await Promise.race([looks.next(), pause])).toBeUndefined();
  });

  it.each([0, 1, 2, 3, 4])(
    'does not yield the same value twice if a change follows another after %d turns',
    async (turns) => {
      const { looks, rise, pause } = await followNumber();
      const look = looks.next();

      rise();
      for (let turn = 0; turn < turns; turn += 1) await Promise.resolve();
      rise();
      const seen = [(await look).value];
      if (seen[0] === 1) seen.push((await looks.next()).value);

      expect(seen.at(-1)).toBe(2);
      expect(await Promise.race([looks.next(), pause])).toBeUndefined();
    },
  );

  it('ends when its signal is aborted while it waits for a change, and leaves no listener', async () => {
    const { looks, changes, controller } = await followNumber();
    const listeners = (): number[] => [
      getEventListeners(changes, 'fallen').length,
      getEventListeners(controller.signal, 'abort').length,
    ];
    const waiting = looks.next();
    await Promise.resolve();
    const during = listeners();

    controller.abort();

    expect(await waiting).toEqual({ done: true, value: undefined });
    expect([during, listeners()]).toEqual([
      [1, 1],
      [0, 0],
    ]);
  });
});

it('a handler that changes a value from `watch` does not change it for others', async () => {
  const list = defineDocument({ key: 'list', schema: v.array(v.object({ size: v.number() })), initial: [] });
  const world = createNotesWorld({ documents: [list] });
  const follow = () =>
    world.watch(async function* ({ watch }) {
      for await (const items of watch(list)) {
        for (const item of items) item.size += 1;
        yield items.splice(0).map(({ size }) => size);
      }
    });
  const streams = [follow(), follow()];
  const next = () => Promise.all(streams.map((stream) => stream.next()));
  await next();
  const changed = next();

  await world.change((state) => state.write(list, [{ size: 1 }, { size: 2 }]));

  expect((await changed).map(({ value }) => value)).toEqual([
    [2, 3],
    [2, 3],
  ]);
});
