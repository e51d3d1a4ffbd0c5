import { afterEach, describe, expect, it, vi } from 'vitest';

import type { ObservedCall } from '../../src/messaging/server/server.ts';
import type { IncomingPort } from '../../src/messaging/wire.ts';
import type { counterContract, counterHandlers } from '../support/counter.ts';
import { createCounterWorld } from '../support/counter-world.ts';
import { createDeferred } from '../support/create-deferred.ts';
import type { MemoryPage } from '../support/memory-world.ts';
import { rejectionOf } from '../support/rejection-of.ts';

afterEach(() => void vi.useRealTimers());

type Page = MemoryPage<typeof counterContract>;

const never = (): Promise<never> => new Promise(() => {});

/** A world whose observer keeps what it is called with, and what each call ended in. */
function createObservedWorld(handlers: Partial<typeof counterHandlers> = {}) {
  const seen: [...call: unknown[], outcome: unknown][] = [];
  const world = createCounterWorld(handlers, {
    observe:
      ({ caller, kind, name, attempts }: ObservedCall) =>
      (outcome) => {
        seen.push([caller, kind, name, attempts, outcome]);
      },
  });
  return { world, seen };
}

describe('an observer of calls (M10)', () => {
  it.each<[string, unknown[], Partial<typeof counterHandlers>, (page: Page) => Promise<unknown>]>([
    [
      'answered',
      ['popup', 'query', 'counter.read', 1, 'value'],
      {},
      ({ client }) => client.query('counter.read'),
    ],
    [
      'left by its caller',
      ['popup', 'subscription', 'counter.watch', 1, 'ABORTED'],
      {},
      async ({ client }) => {
        const counts = client.subscribe('counter.watch');
        await counts.next();
        await counts.return();
      },
    ],
    [
      'ended by its handler',
      ['popup', 'subscription', 'counter.watch', 1, 'end'],
      {
        'counter.watch': async function* () {
          yield 1;
        },
      },
      async ({ client }) => {
        const counts = client.subscribe('counter.watch');
        expect(await counts.next()).toMatchObject({ value: 1 });
        expect(await counts.next()).toMatchObject({ done: true });
      },
    ],
    [
      'failed',
      ['popup', 'query', 'counter.read', 1, 'INTERNAL'],
      {
        'counter.read': () => {
          throw new Error('broken');
        },
      },
      ({ client }) => rejectionOf(client.query('counter.read')),
    ],
    [
      'out of time',
      ['popup', 'query', 'counter.read', 1, 'TIMEOUT'],
      { 'counter.read': never },
      ({ client }) => rejectionOf(client.query('counter.read', undefined, { timeout: 1_000 })),
    ],
    [
      'aborted',
      ['popup', 'query', 'counter.read', 1, 'ABORTED'],
      { 'counter.read': never },
      async ({ client }) => {
        const controller = new AbortController();
        const ended = rejectionOf(client.query('counter.read', undefined, { signal: controller.signal }));
        setTimeout(() => controller.abort());
        await ended;
      },
    ],
  ])('sees a call that is %s', async (_what, expected, handlers, call) => {
    const { world, seen } = createObservedWorld(handlers);

    await call(world.openPage('popup'));

    await vi.waitFor(() => expect(seen).toEqual([expected]));
  });

  it('sees a query whose page was closed', async () => {
    const started = createDeferred();
    const { world, seen } = createObservedWorld({
      'counter.read': () => {
        started.resolve();
        return never();
      },
    });
    const page = world.openPage('options');
    page.client.query('counter.read', undefined, { timeout: 5_000 }).catch(() => {});
    await started.promise;

    page.close();

    await vi.waitFor(() => expect(seen).toEqual([['options', 'query', 'counter.read', 1, 'DISCONNECTED']]));
  });

  it('sees how often a mutation was sent', async () => {
    const { world, seen } = createObservedWorld();
    world.killWorkerAt('after-commit');

    await world.openPage('options').client.mutate('counter.add', 1);

    expect(seen).toContainEqual(['options', 'mutation', 'counter.add', 2, 'value']);
  });
});

describe('the deadline of a mutation', () => {
  const MUTATION = { kind: 'mutation', id: 1, name: 'counter.add', input: 1, page: 'p', attempt: 1 };

  it('is over when its page sent it too long ago, by the wall clock', async () => {
    const { world, seen } = createObservedWorld();

    world
      .openPage('options')
      .openRawPort()
      .post({ ...MUTATION, timeout: 60_000, sentAt: Date.now() - 61_000 });

    await vi.waitFor(() => expect(seen).toEqual([['options', 'mutation', 'counter.add', 1, 'TIMEOUT']]));
    expect(world.disk.keys()).toEqual([]);
  });

  it('is looked at again when the lock is had, which may come after the computer has slept', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const held = createDeferred();
    const isHeld = createDeferred();
    const { world, seen } = createObservedWorld({
      'counter.add': async ({ input, state }) => {
        isHeld.resolve();
        if (input === 1) await held.promise;
        state.set('counter', input);
        return input;
      },
    });
    const send = (id: number, page: string): void =>
      world
        .openPage('options')
        .openRawPort()
        .post({ ...MUTATION, input: id, id, page, timeout: 60_000, sentAt: Date.now() });
    send(1, 'first');
    await isHeld.promise;
    send(2, 'second');
    await vi.waitFor(() => expect(world.isAwake()).toBe(true));

    vi.setSystemTime(Date.now() + 61_000);
    held.resolve();

    await vi.waitFor(() =>
      expect(new Set(seen.map(([, , , , outcome]) => outcome))).toEqual(new Set(['value', 'TIMEOUT'])),
    );
    expect(world.disk.read('counter')).toBe(1);
  });
});

describe('a port that takes no message', () => {
  /** A world whose ports refuse all that the background posts, and keep what it was and how its calls ended. */
  function createDeafWorld(handlers: Partial<typeof counterHandlers>) {
    const posted: string[] = [];
    const outcomes: string[] = [];
    const observe = () => (outcome: string) => void outcomes.push(outcome);
    const patchPort = (port: IncomingPort): IncomingPort => ({
      ...port,
      post: (message) => {
        posted.push(...(message as readonly { kind: string }[]).map(({ kind }) => kind));
        return false;
      },
    });
    return { world: createCounterWorld(handlers, { patchPort, observe }), posted, outcomes };
  }

  it('is not reported when it refuses READY', async () => {
    const { world, posted } = createDeafWorld({ 'counter.read': never });
    world
      .openPage('options')
      .client.query('counter.read', undefined, { timeout: 60_000 })
      .catch(() => {});

    await vi.waitFor(() => expect(posted).toEqual(['ready']));

    expect([...world.logged.values()]).toEqual([]);
  });

  it('gets an answer and one error instead of it, and each is reported once', async () => {
    const { world, posted, outcomes } = createDeafWorld({});
    world
      .openPage('options')
      .client.query('counter.read')
      .catch(() => {});

    await vi.waitFor(() => expect(posted).toEqual(['value', 'error']));

    expect([...world.logged.values()].map(String)).toEqual([expect.stringContaining('refused an answer')]);
    expect(outcomes).toEqual(['INTERNAL']);
  });
});
