import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { createClient } from '../../src/messaging/client/client.ts';
import { createCounterWorld } from '../support/counter-world.ts';
import type { counterContract } from '../support/counter.ts';
import { rejectionOf } from '../support/rejection-of.ts';

describe('every call settles', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });

  afterEach(() => {
    vi.useRealTimers();
  });

  it('answers a call with the value of its handler', async () => {
    const { client } = createCounterWorld().openPage('options');

    const count = await client.mutate('counter.add', 2);

    expect(count).toBe(2);
    expect(await client.query('counter.read')).toBe(2);
    expect(client.connection.state()).toMatchObject({ status: 'awake' });
  });

  it('opens the port on the first call and not before', async () => {
    const world = createCounterWorld();
    const { client } = world.openPage('popup');
    const before = [world.starts(), client.connection.state().status];

    await client.query('counter.read');

    expect(before).toEqual([0, 'idle']);
    expect(world.starts()).toBe(1);
  });

  it('ends a call to a silent worker at its deadline, with an unknown delivery', async () => {
    const world = createCounterWorld();
    world.mute(true);
    const { client } = world.openPage('popup');
    const ended = rejectionOf(client.query('counter.read', undefined, { timeout: 500 }));

    await vi.advanceTimersByTimeAsync(500);

    expect(await ended).toMatchObject({ code: 'TIMEOUT', delivery: 'unknown' });
  });

  it.each(['call', 'stream'])(
    'says that the worker is silent when a %s has waited 5 s and nothing was heard',
    async (kind) => {
      const world = createCounterWorld();
      world.mute(true);
      const { client } = world.openPage('popup');
      const waiting =
        kind === 'call'
          ? client.query('counter.read')
          : client.subscribe('counter.watch', undefined, { signal: AbortSignal.timeout(10_000) }).next();

      await vi.advanceTimersByTimeAsync(4_999);
      const before = client.connection.state();
      await vi.advanceTimersByTimeAsync(1);

      expect(before).toEqual({ status: 'connecting' });
      expect(client.connection.state()).toEqual({ status: 'failed', reason: 'silent' });
      world.mute(false);
      client.reconnect();
      await vi.advanceTimersByTimeAsync(0);
      await waiting;
    },
  );

  it.each([0, -1, Number.NaN])('ends a call that is given %d ms like any other', async (timeout) => {
    const world = createCounterWorld();
    world.mute(true);
    const ended = rejectionOf(world.openPage('options').client.mutate('counter.add', 1, { timeout }));

    await vi.advanceTimersByTimeAsync(1);

    expect(await ended).toMatchObject({ code: 'TIMEOUT', delivery: 'unknown' });
  });

  it('takes a new port at once on a request to try again', async () => {
    const world = createCounterWorld();
    world.mute(true);
    const { client } = world.openPage('popup');
    const first = client.query('counter.read', undefined, { timeout: 60_000 });
    await vi.advanceTimersByTimeAsync(30_000);
    world.mute(false);

    client.reconnect();
    await vi.advanceTimersByTimeAsync(0);

    expect(await first).toBe(0);
    expect(client.connection.state().status).toBe('awake');
  });

  it('gives a silent worker more time with each try, as it may be busy', async () => {
    const openedAt: number[] = [];
    const start = Date.now();
    const client = createClient<typeof counterContract>(() => {
      openedAt.push(Date.now() - start);
      return { post: () => true, onMessage: () => {}, onDisconnect: () => {}, disconnect: () => {} };
    });
    const ended = rejectionOf(client.query('counter.read', undefined, { timeout: 120_000 }));

    await vi.advanceTimersByTimeAsync(120_000);

    expect(await ended).toMatchObject({ code: 'TIMEOUT' });
    expect(openedAt).toEqual([0, 5_000, 15_000, 35_000, 75_000, 115_000]);
  });

  it('goes on saying that the worker is silent while a stream waits for it, until it is heard', async () => {
    const world = createCounterWorld();
    world.mute(true);
    const { client } = world.openPage('popup');
    const first = client.subscribe('counter.watch').next();

    await vi.advanceTimersByTimeAsync(6_000);
    const whileMute = client.connection.state();
    world.mute(false);
    world.killWorker();
    await vi.advanceTimersByTimeAsync(1_000);

    expect(whileMute).toEqual({ status: 'failed', reason: 'silent' });
    expect(await first).toEqual({ done: false, value: 0 });
    expect(client.connection.state().status).toBe('awake');
  });

  it('does not take a slow handler for a silent worker', async () => {
    const world = createCounterWorld({ 'counter.read': () => new Promise(() => {}) });
    const { client } = world.openPage('popup');
    const seen = new Set<string>();
    client.connection.onChange(() => seen.add(client.connection.state().status));
    const ended = rejectionOf(client.query('counter.read', undefined, { timeout: 6_000 }));

    await vi.advanceTimersByTimeAsync(6_000);

    expect(await ended).toMatchObject({ code: 'TIMEOUT' });
    expect([...seen]).toEqual(['connecting', 'awake']);
  });

  it('ends each of several calls at its own deadline', async () => {
    const { client } = createCounterWorld({ 'counter.read': () => new Promise(() => {}) }).openPage('popup');
    const ended: number[] = [];
    const ask = async (timeout: number): Promise<void> => {
      await rejectionOf(client.query('counter.read', undefined, { timeout }));
      ended.push(timeout);
    };
    const asked = Promise.all([900, 300, 600].map(ask));

    await vi.advanceTimersByTimeAsync(400);
    const atFirst = [...ended];
    await vi.advanceTimersByTimeAsync(300);
    const later = [...ended];
    await vi.advanceTimersByTimeAsync(300);
    await asked;

    expect([atFirst, later, ended]).toEqual([[300], [300, 600], [300, 600, 900]]);
  });

  it('gives a call ten seconds by default', async () => {
    const world = createCounterWorld();
    world.mute(true);
    const { client } = world.openPage('popup');
    const settled = vi.fn<() => void>();
    const ended = rejectionOf(client.query('counter.read')).finally(settled);

    await vi.advanceTimersByTimeAsync(9_999);
    const settledEarly = settled.mock.calls.length;
    await vi.advanceTimersByTimeAsync(1);

    expect(settledEarly).toBe(0);
    expect(await ended).toMatchObject({ code: 'TIMEOUT' });
  });

  it('gives no call more than ten minutes', async () => {
    const world = createCounterWorld();
    world.mute(true);
    const { client } = world.openPage('popup');
    const settled = vi.fn<() => void>();
    const ended = rejectionOf(client.query('counter.read', undefined, { timeout: Infinity })).finally(
      settled,
    );

    await vi.advanceTimersByTimeAsync(599_999);
    const settledEarly = settled.mock.calls.length;
    await vi.advanceTimersByTimeAsync(1);

    expect(settledEarly).toBe(0);
    expect(await ended).toMatchObject({ code: 'TIMEOUT' });
  });

  it('reaches the worker again once it answers', async () => {
    const world = createCounterWorld();
    world.mute(true);
    const { client } = world.openPage('popup');
    const ended = rejectionOf(client.query('counter.read', undefined, { timeout: 500 }));
    await vi.advanceTimersByTimeAsync(5_000);
    await ended;

    world.mute(false);

    expect(await client.query('counter.read')).toBe(0);
    expect(client.connection.state()).toMatchObject({ status: 'awake' });
  });

  it('ends a call to a worker that dies at start at its deadline, and says that it crashes', async () => {
    const world = createCounterWorld();
    world.crash(true);
    const { client } = world.openPage('popup');
    const ended = rejectionOf(client.query('counter.read', undefined, { timeout: 2_000 }));

    await vi.advanceTimersByTimeAsync(1_900);
    const state = client.connection.state();
    await vi.advanceTimersByTimeAsync(100);

    expect(await ended).toMatchObject({ code: 'TIMEOUT', delivery: 'unknown' });
    expect(state).toEqual({ status: 'failed', reason: 'crashing' });
  });

  it('waits longer before each new try of a worker that dies at start', async () => {
    const world = createCounterWorld();
    world.crash(true);
    const { client } = world.openPage('popup');
    const ended = rejectionOf(client.query('counter.read', undefined, { timeout: 60_000 }));

    await vi.advanceTimersByTimeAsync(60_000);
    await ended;

    expect(world.starts()).toBeGreaterThan(10);
    expect(world.starts()).toBeLessThan(60);
  });

  it('ends a call at once when its caller aborts it, and says whether it was sent', async () => {
    const world = createCounterWorld();
    world.mute(true);
    const { client } = world.openPage('popup');
    const controller = new AbortController();
    const sent = rejectionOf(client.query('counter.read', undefined, { signal: controller.signal }));

    controller.abort();
    const unsent = rejectionOf(client.query('counter.read', undefined, { signal: controller.signal }));

    expect(await sent).toMatchObject({ code: 'ABORTED', delivery: 'unknown' });
    expect(await unsent).toMatchObject({ code: 'ABORTED', delivery: 'not-sent' });
  });

  it('ends every call of a page that can no longer reach a worker', async () => {
    const world = createCounterWorld();
    world.mute(true);
    const page = world.openPage('options');
    const waiting = [
      rejectionOf(page.client.query('counter.read')),
      rejectionOf(page.client.mutate('counter.add', 1)),
      rejectionOf(page.client.mutate('counter.add', 1)),
      rejectionOf(page.client.subscribe('counter.watch').next()),
    ];

    page.orphan();
    await vi.advanceTimersByTimeAsync(0);
    const ended = await Promise.all(waiting);
    const later = await rejectionOf(page.client.query('counter.read'));

    expect(ended.map(({ code }) => code)).toEqual(Array(4).fill('UNREACHABLE'));
    expect(ended.map(({ delivery }) => delivery)).toEqual(['unknown', 'unknown', 'not-sent', 'unknown']);
    expect(later).toMatchObject({ code: 'UNREACHABLE', delivery: 'not-sent' });
    expect(page.client.connection.state()).toEqual({ status: 'failed', reason: 'unreachable' });
  });

  it('opens no port for a call that has ended, and does not call a crashing worker asleep', async () => {
    const world = createCounterWorld();
    world.crash(true);
    const { client } = world.openPage('popup');
    const ended = rejectionOf(client.query('counter.read', undefined, { timeout: 1_000 }));
    await vi.advanceTimersByTimeAsync(1_000);
    await ended;
    const starts = world.starts();

    await vi.advanceTimersByTimeAsync(60_000);

    expect(world.starts()).toBe(starts);
    expect(client.connection.state()).toEqual({ status: 'failed', reason: 'crashing' });
  });

  it('slows down for a worker that greets and dies over a stream, and says that it crashes', async () => {
    const world = createCounterWorld({
      'counter.watch': async function* () {
        await new Promise((resolve) => setTimeout(resolve, 100));
        world.killWorker();
        yield 1;
      },
    });
    const { client } = world.openPage('popup');
    const controller = new AbortController();
    const first = client.subscribe('counter.watch', undefined, { signal: controller.signal }).next();

    await vi.advanceTimersByTimeAsync(10_000);
    const state = client.connection.state();
    controller.abort();
    await first;

    expect(state).toEqual({ status: 'failed', reason: 'crashing' });
    expect(world.starts()).toBeLessThan(20);
  });

  it('slows down for a call that kills its worker while a stream goes on, and says that it crashes', async () => {
    const world = createCounterWorld({
      'counter.read': async () => {
        await new Promise((resolve) => setTimeout(resolve, 20));
        world.killWorker();
        return 1;
      },
    });
    const { client } = world.openPage('popup');
    const counts = client.subscribe('counter.watch');
    await counts.next();
    const ended = rejectionOf(client.query('counter.read'));

    await vi.advanceTimersByTimeAsync(9_000);
    const state = client.connection.state();
    await vi.advanceTimersByTimeAsync(1_000);
    await ended;
    await counts.return();

    expect(state).toEqual({ status: 'failed', reason: 'crashing' });
    expect(world.starts()).toBeLessThan(20);
  });

  it('does not take a slow worker for a silent one when its page listened some time after opening its port', async () => {
    const world = createCounterWorld({
      'bell.ring': () => new Promise((resolve) => setTimeout(() => resolve(1), 6_000)),
    });
    const { openRawPort } = world.openPage('options');
    const { postMessage, ...opened } = openRawPort();
    const post = (message: unknown): boolean => (postMessage(message), true);
    await vi.advanceTimersByTimeAsync(200);
    const { mutate } = createClient<typeof counterContract>(() => ({ ...opened, post }));

    const answer = mutate('bell.ring');
    await vi.advanceTimersByTimeAsync(6_000);

    expect(await answer).toBe(1);
  });

  it('leaves no timer behind when the deadlines are over', async () => {
    const { client } = createCounterWorld().openPage('options');

    await client.query('counter.read');
    await client.mutate('counter.add', 1);
    await vi.advanceTimersByTimeAsync(10_000);

    expect(vi.getTimerCount()).toBe(0);
  });
});
