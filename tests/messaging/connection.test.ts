import { describe, expect, it, onTestFinished, vi } from 'vitest';

import type { Client } from '../../src/messaging/client/client.ts';
import type { ConnectionState } from '../../src/messaging/client/connection.ts';
import type { ServerFrame } from '../../src/messaging/wire/frames.ts';
import { createCounterWorld } from '../support/counter-world.ts';
import type { CounterApi } from '../support/counter.ts';
import { rejectionOf } from '../support/promises.ts';
import { openAsking, openScriptedClient, value } from '../support/scripted-client.ts';

const ASLEEP: ConnectionState = { status: 'asleep' };
const AWAKE: ConnectionState = { status: 'awake' };
const CONNECTING: ConnectionState = { status: 'connecting' };
const CRASHING: ConnectionState = { status: 'failed', reason: 'crashing' };
const SILENT: ConnectionState = { status: 'failed', reason: 'silent' };

const next: ServerFrame[] = [{ kind: 'next', id: 1, value: 1 }];

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

    const statuses = 'asleep connecting awake asleep connecting awake connecting awake';
    expect(seen).toEqual(statuses.split(' '));
    expect(removed).not.toHaveBeenCalled();
  });

  it('stays as it is when the background is woken, which opens one port and sends nothing, until a call is made', async () => {
    const { client, settle, answer, losePort, opened, posted } = openScriptedClient();
    const { state } = client.connection;
    const seen: ConnectionState[] = [];
    const call = async (): Promise<void> => {
      void client.query('counter.read');
      seen.push(state());
      await settle();
    };
    const wakeAndCall = async (): Promise<void> => {
      client.wake();
      client.wake();
      await settle();
      seen.push(state());
      await call();
    };

    await wakeAndCall();
    await answer(value(1));
    await call();
    await answer(value(2));
    await losePort();
    await wakeAndCall();

    expect(seen).toEqual([ASLEEP, CONNECTING, AWAKE, ASLEEP, CONNECTING]);
    expect(opened()).toBe(2);
    expect(posted()).toEqual([1, 2, 3].map((id) => ['query', id, 1]));
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

  it.each<[what: string, call: (client: Client<CounterApi>) => Promise<unknown>]>([
    ['query', ({ query }) => query('counter.read')],
    ['mutation', ({ mutate }) => mutate('counter.add', 1)],
    ['subscription', ({ subscribe }) => subscribe('counter.watch').next()],
  ])('is silent after a %s has waited 5 s without any frame, until a frame arrives', async (_what, call) => {
    const { client, settle, answer, losePort, opened } = openScriptedClient();
    const { state } = client.connection;
    call(client).catch(() => {});
    await settle();

    await vi.advanceTimersByTimeAsync(4_999);
    const before = [opened(), state()];
    await vi.advanceTimersByTimeAsync(1);
    const after = [opened(), state()];
    await losePort();
    const whenLost = state();
    await answer({ kind: 'ready', id: 1 });

    expect([before, after, whenLost]).toEqual([[1, CONNECTING], [2, SILENT], SILENT]);
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
    const onUncaught = vi.fn<(error: Error) => void>();
    process.setUncaughtExceptionCaptureCallback(onUncaught);
    onTestFinished(() => process.setUncaughtExceptionCaptureCallback(null));
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
