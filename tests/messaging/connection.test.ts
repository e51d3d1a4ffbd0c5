import { describe, expect, it, onTestFinished, vi } from 'vitest';

import type { ConnectionState } from '../../src/messaging/client/connection.ts';
import type { ServerFrame } from '../../src/messaging/wire.ts';
import { createCounterWorld, outcomeOf } from '../support/counter-world.ts';
import { rejectionOf } from '../support/promises.ts';
import { openScriptedClient, value } from '../support/scripted-client.ts';

const CONNECTING: ConnectionState = { status: 'connecting' };
const CRASHING: ConnectionState = { status: 'failed', reason: 'crashing' };
const SILENT: ConnectionState = { status: 'failed', reason: 'silent' };

const next: ServerFrame[] = [{ kind: 'next', id: 1, value: 1 }];

/** Opens a scripted client that has made a query. By default, its deadline is later than any test waits. */
async function openAsking(timeout = 600_000) {
  const scripted = openScriptedClient();
  const ask = () => scripted.client.query('counter.read', undefined, { timeout });
  const asked = ask();
  asked.catch(() => {});
  await scripted.settle();
  return { ...scripted, ...scripted.client.connection, ask, asked };
}

describe('the state of the connection', () => {
  it('follows the calls of the page and the life of its background', async () => {
    const { client, settle, answer, losePort } = openScriptedClient();
    const { state, onChange } = client.connection;
    const seen = [state().status];
    const removed = vi.fn<() => void>();
    onChange(() => seen.push(state().status));
    onChange(removed)();

    void client.query('counter.read');
    await settle();
    await answer(value(1));
    await losePort();
    void client.query('counter.read');
    await settle();
    await answer({ kind: 'ready', id: 2 });
    await losePort();
    await answer([{ kind: 'ready', id: 2 }, value(2)]);

    const statuses = 'idle connecting awake asleep connecting awake connecting awake awake';
    expect(seen).toEqual(statuses.split(' '));
    expect(removed).not.toHaveBeenCalled();
  });

  it('stays as it is when the background is woken, and is connecting as soon as a call is made', async () => {
    const { client, settle, answer, losePort } = openScriptedClient();
    const { state } = client.connection;
    const seen: ConnectionState[] = [];
    const wakeAndCall = (): void => {
      client.wake();
      seen.push(state());
      void client.query('counter.read');
      seen.push(state());
    };

    wakeAndCall();
    await settle();
    await answer(value(1));
    void client.query('counter.read');
    seen.push(state());
    await settle();
    await answer(value(2));
    await losePort();
    wakeAndCall();

    const awake = { status: 'awake', roundTrip: 0 };
    expect(seen).toEqual([{ status: 'idle' }, CONNECTING, awake, { status: 'asleep' }, CONNECTING]);
  });

  const ready: ServerFrame[] = [{ kind: 'ready', id: 1 }];

  it.each([
    ['crashing', 'only READY', [ready, ready, ready], CRASHING],
    ['crashing', 'only values of a stream', [next, next, next], CRASHING],
    ['connecting', 'an answer over the last one', [[], [], [value(1)]], CONNECTING],
  ])('is %s after three losses, if the ports delivered %s', async (_status, _what, received, expected) => {
    const { ask, answer, losePort, state } = await openAsking();
    void ask();
    const seen: ConnectionState[] = [];

    for (const frames of received) {
      await answer(frames);
      await losePort();
      seen.push(state());
    }

    expect(seen).toEqual([CONNECTING, CONNECTING, expected]);
  });

  it('is asleep after losses while no call waits, and these losses do not count as crashes later', async () => {
    const { client, settle, answer, losePort } = openScriptedClient();
    const { state } = client.connection;
    void client.subscribe('counter.watch').next();
    await settle();
    await answer(next);

    for (let losses = 1; losses <= 4; losses += 1) {
      await losePort();
      expect(state()).toEqual({ status: 'asleep' });
      client.resume();
    }
    void client.query('counter.read');
    await losePort();

    expect(state()).toEqual(CONNECTING);
  });

  it.each([0, 1])(
    'is as before a call that is aborted without an answer, after %d losses',
    async (losses) => {
      const { client, settle, losePort } = openScriptedClient();
      const { state } = client.connection;
      if (losses > 0) {
        client.wake();
        await losePort();
      }
      const before = state();
      const controller = new AbortController();
      client.query('counter.read', undefined, controller).catch(() => {});
      await settle();
      const during = state();

      controller.abort();

      expect([before, during, state()]).toEqual([before, CONNECTING, before]);
    },
  );

  it('stays crashing when the call ends during the back-off, and no port is opened then', async () => {
    const { asked, losePort, opened, state } = await openAsking(1_000);
    for (let losses = 1; losses <= 9; losses += 1) await losePort();
    await vi.advanceTimersByTimeAsync(600);
    await losePort();
    const before = opened();

    await vi.advanceTimersByTimeAsync(60_000);

    expect(await rejectionOf(asked)).toMatchObject({ code: 'TIMEOUT', delivery: 'unknown' });
    expect([before, opened(), state()]).toEqual([10, 10, CRASHING]);
  });

  it('is silent after a call has waited 5 s without any frame, until a frame arrives', async () => {
    const { answer, losePort, state } = await openAsking();

    await vi.advanceTimersByTimeAsync(4_999);
    const before = state();
    await vi.advanceTimersByTimeAsync(1);
    const after = state();
    await losePort();
    const whenLost = state();
    await answer({ kind: 'ready', id: 1 });

    expect([before, after, whenLost]).toEqual([CONNECTING, SILENT, SILENT]);
    expect(state().status).toBe('awake');
  });

  it('notifies a listener only when it differs, so that a listener may make a call on every change', async () => {
    const { client, orphan } = openScriptedClient();
    const failures: Promise<unknown>[] = [];
    orphan();
    client.connection.onChange(() => failures.push(rejectionOf(client.query('counter.read'))));

    await rejectionOf(client.query('counter.read'));

    expect(await Promise.all(failures)).toHaveLength(1);
  });

  it('changes when a listener throws, and calls are still answered', async () => {
    const listeners = process.listeners('uncaughtException');
    const onUncaught = vi.fn<(error: Error) => void>();
    process.removeAllListeners('uncaughtException').on('uncaughtException', onUncaught);
    onTestFinished(() => {
      process.removeAllListeners('uncaughtException');
      for (const listener of listeners) process.on('uncaughtException', listener);
    });
    const { client } = createCounterWorld().openPage('popup');
    client.connection.onChange(() => {
      throw new Error('a mistake of the page');
    });

    const count = await client.query('counter.read');
    await new Promise((resolve) => setImmediate(resolve));

    expect(count).toBe(0);
    expect(onUncaught.mock.calls[0]?.[0]).toMatchObject({ message: 'a mistake of the page' });
  });
});

describe('the port of a page', () => {
  it('is reopened at once eight times, and then after growing pauses of at most 2 s', async () => {
    const { losePort, opened } = await openAsking();
    const waits: number[] = [];

    for (let losses = 1; losses <= 12; losses += 1) {
      const [before, lostAt] = [opened(), Date.now()];
      await losePort();
      while (opened() === before) await vi.advanceTimersToNextTimerAsync();
      waits.push(Date.now() - lostAt);
    }

    expect(waits).toEqual([0, 0, 0, 0, 0, 0, 0, 0, 512, 1_024, 2_000, 2_000]);
  });

  it('is not reopened earlier for a call that is made during the back-off', async () => {
    const { ask, settle, losePort, opened } = await openAsking();
    for (let losses = 1; losses <= 9; losses += 1) await losePort();

    void ask();
    await settle();
    const whileWaiting = opened();
    await vi.advanceTimersByTimeAsync(512);

    expect([whileWaiting, opened()]).toEqual([9, 10]);
  });

  it('is replaced while it is silent, each time after twice as long', async () => {
    const { opened } = await openAsking();
    const [start, openedAt] = [Date.now(), [0]];

    while (openedAt.length < 6) {
      await vi.advanceTimersToNextTimerAsync();
      while (openedAt.length < opened()) openedAt.push(Date.now() - start);
    }

    expect(openedAt).toEqual([0, 5_000, 15_000, 35_000, 75_000, 155_000]);
  });

  it.each([4_000, 10_000])(
    'is replaced while it is silent, although each call runs out of time after %d ms',
    async (timeout) => {
      vi.useFakeTimers();
      onTestFinished(() => void vi.useRealTimers());
      const world = createCounterWorld();
      const { client } = world.openPage('options');
      world.mute(true);
      const outcomes: unknown[] = [];

      for (let calls = 0; calls < 6; calls += 1) {
        const outcome = outcomeOf(client.query('counter.read', undefined, { timeout }));
        await vi.advanceTimersByTimeAsync(timeout);
        outcomes.push(await outcome);
        world.mute(false);
      }

      expect(outcomes).toEqual(['TIMEOUT unknown', 0, 0, 0, 0, 0]);
    },
  );

  it('is kept after the only call was aborted, because the background confirms that call too', async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const { client } = createCounterWorld().openPage('options');
    const abort = new AbortController();
    const aborted = outcomeOf(client.query('counter.read', undefined, { signal: abort.signal }));
    abort.abort();

    await vi.advanceTimersByTimeAsync(60_000);

    expect([await aborted, client.connection.state().status]).toEqual(['ABORTED unknown', 'awake']);
  });

  it('gets a call once that a listener makes when an earlier call has run out of time', async () => {
    const { client, posted, opened, ask, asked, answer, losePort } = await openAsking(1_000);
    let made: Promise<unknown> | undefined;
    client.connection.onChange(() => {
      if (client.connection.state().status === 'asleep') made ??= ask();
    });
    // The page was frozen, so its timers are late.
    vi.setSystemTime(Date.now() + 60_000);

    await losePort();
    await answer(value(2));

    expect(await Promise.all([rejectionOf(asked), made])).toMatchObject([{ code: 'TIMEOUT' }, 7]);
    expect([posted().filter(([kind]) => kind === 'query'), opened()]).toEqual([
      [
        ['query', 1, 1],
        ['query', 2, 1],
      ],
      2,
    ]);
  });

  it('is replaced on resume if a background has started since its first frame', async () => {
    const { client, answer, opened, settle } = await openAsking();
    await answer(value(1));
    const startedAt = Date.now() + 5;
    vi.advanceTimersByTime(10);

    client.resume(startedAt);
    void client.query('counter.read');
    await settle();
    await answer(value(2));
    client.resume(startedAt);
    void client.query('counter.read');
    await settle();

    expect(opened()).toBe(2);
  });

  it('is kept on resume, and while a confirmed call is slow', async () => {
    const { client, ask, settle, answer, opened, state } = await openAsking();
    await answer(value(1));
    void ask();
    await settle();
    await answer({ kind: 'ready', id: 2 });
    client.resume();

    await vi.advanceTimersByTimeAsync(30_000);

    expect([opened(), state().status]).toEqual([1, 'awake']);
  });

  it.each<[what: string, frames: ServerFrame[]]>([
    ['a later call is not confirmed', []],
    ['only another call is confirmed', [{ kind: 'ready', id: 1 }]],
    ['only another call is answered', [value(1)]],
  ])('is replaced after 5 s when it has delivered answers and %s', async (_what, frames) => {
    const { ask, settle, answer, opened, state } = await openAsking();
    void ask();
    await settle();
    await answer(value(1));
    void ask();
    await settle();
    await answer(value(2));

    await answer(frames);
    await vi.advanceTimersByTimeAsync(4_999);
    const before = [opened(), state().status];
    await vi.advanceTimersByTimeAsync(1);

    expect([before, opened(), state()]).toEqual([[1, 'awake'], 2, SILENT]);
  });

  it.each<[what: string, call: (client: ReturnType<typeof openScriptedClient>['client']) => unknown]>([
    ['a mutation', (client) => client.mutate('counter.add', 1).catch(() => {})],
    ['a subscription', (client) => client.subscribe('counter.watch').next()],
  ])('is replaced after 5 s without a confirmation of %s', async (_what, call) => {
    const { client, settle, opened } = openScriptedClient();
    void call(client);
    await settle();

    await vi.advanceTimersByTimeAsync(4_999);
    const before = opened();
    await vi.advanceTimersByTimeAsync(1);

    expect([before, opened()]).toEqual([1, 2]);
  });

  it('is kept while a stream waits for its next value', async () => {
    const { client, settle, answer, opened, posted } = openScriptedClient();
    const counts = client.subscribe('counter.watch');
    void counts.next();
    await settle();
    await answer(next);
    void counts.next();
    await settle();

    await vi.advanceTimersByTimeAsync(60_000);

    expect([posted().map(([kind]) => kind), opened()]).toEqual([['subscription', 'pull'], 1]);
  });

  it('is replaced after 5 s again when the background has answered after several losses', async () => {
    const { ask, settle, answer, losePort, opened, state } = await openAsking();
    for (let losses = 1; losses <= 3; losses += 1) await losePort();
    await answer(value(1));
    await vi.advanceTimersByTimeAsync(1_000);
    void ask();
    await settle();
    const before = opened();

    await vi.advanceTimersByTimeAsync(5_000);

    expect([opened() - before, state()]).toEqual([1, SILENT]);
  });

  it('is ignored after it was replaced', async () => {
    const { asked, client, settle, answer, losePort, opened } = await openAsking();
    client.reconnect();
    await settle();

    await answer({ kind: 'value', id: 1, value: 8 }, 0);
    await losePort(0);
    await answer(value(1));

    expect([await asked, opened()]).toEqual([7, 2]);
  });

  it('is replaced on request only if a call needs one', async () => {
    const { client, posted, opened, settle, answer, losePort } = openScriptedClient();
    client.reconnect();
    const before = client.connection.state().status;
    const asked = client.query('counter.read');
    await settle();
    client.reconnect();
    await settle();
    await answer(value(1));
    await asked;
    await losePort();
    client.reconnect();

    expect([before, opened(), client.connection.state().status]).toEqual(['idle', 2, 'asleep']);
    expect(posted().map(([, , attempt]) => attempt)).toEqual([1, 2]);
  });
});
