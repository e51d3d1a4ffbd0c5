import { getEventListeners } from 'node:events';

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { createClient } from '../../src/messaging/client/client.ts';
import { CallError } from '../../src/messaging/errors.ts';
import type { AnswerFrame, ClientFrame, ServerFrame } from '../../src/messaging/wire.ts';
import type { counterContract } from '../support/counter.ts';
import { rejectionOf } from '../support/rejection-of.ts';

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

/** A client whose background is played by the test. */
function openScriptedClient() {
  const posted: ClientFrame[] = [];
  /** Of each port, in the order in which they were opened. */
  const messageListeners: ((message: unknown) => void)[] = [];
  const lossListeners: (() => void)[] = [];
  let isRefusing = false;
  let isOrphaned = false;
  let opened = 0;
  const client = createClient<typeof counterContract>(() => {
    if (isOrphaned) throw new Error('Extension context invalidated.');
    opened += 1;
    return {
      post: (message) => {
        if (isRefusing) return false;
        posted.push(...(message as readonly ClientFrame[]));
        return true;
      },
      onMessage: (listener) => messageListeners.push(listener),
      onDisconnect: (listener) => lossListeners.push(listener),
      disconnect: () => {},
    };
  });
  const settle = (): Promise<unknown> => vi.advanceTimersByTimeAsync(0);
  return {
    client,
    /** The frames that the page has posted, in a short form: what, which and how often. */
    posted: () =>
      posted.map((frame) => [frame.kind, frame.id, ...('attempt' in frame ? [frame.attempt] : [])]),
    frames: posted,
    settle,
    answer: async (...frames: readonly ServerFrame[]) => {
      messageListeners.at(-1)?.(frames);
      await settle();
    },
    answerOverFirstPort: async (...frames: readonly ServerFrame[]) => {
      messageListeners[0]?.(frames);
      await settle();
    },
    losePort: async () => {
      lossListeners.at(-1)?.();
      await settle();
    },
    loseFirstPort: async () => {
      lossListeners[0]?.();
      await settle();
    },
    refuse: () => (isRefusing = true),
    orphan: () => (isOrphaned = true),
    opened: () => opened,
  };
}

const value = (id: number): AnswerFrame => ({ kind: 'value', id, value: 7 });

describe('what a page sends', () => {
  it('contains only what the background needs', async () => {
    const { client, frames, settle, answer } = openScriptedClient();
    const calls = [client.query('text.echo', 'a'), client.mutate('counter.add', 2, { timeout: 500 })];
    await settle();

    expect(frames).toEqual([
      { kind: 'query', id: 1, name: 'text.echo', input: 'a', attempt: 1, timeout: 10_000 },
      {
        kind: 'mutation',
        id: 2,
        name: 'counter.add',
        input: 2,
        attempt: 1,
        timeout: 500,
        page: expect.stringMatching(/^[\da-f-]{36}$/),
        sentAt: Date.now(),
      },
    ]);
    await answer(value(1), value(2));
    await Promise.all(calls);
  });

  it('is a mutation when the one before has settled, whenever it was made', async () => {
    const { client, posted, settle, answer } = openScriptedClient();
    const calls = [client.mutate('counter.add', 1), client.mutate('counter.add', 2)];
    await settle();
    await answer(value(1));
    calls.push(client.mutate('counter.add', 3));
    await settle();
    const whileSecondRuns = posted();
    await answer(value(2));
    await answer(value(3));
    await Promise.all(calls);

    expect(whileSecondRuns.filter(([kind]) => kind === 'mutation')).toEqual([
      ['mutation', 1, 1],
      ['mutation', 2, 1],
    ]);
    expect(posted()).toContainEqual(['mutation', 3, 1]);
  });

  it('acknowledges the last of several mutations that follow at once', async () => {
    const { client, posted, settle, answer } = openScriptedClient();
    const first = client.mutate('counter.add', 1).then(() => client.mutate('counter.add', 2));
    await settle();
    await answer(value(1));
    await answer(value(2));
    await first;

    expect(posted().filter(([kind]) => kind === 'ack')).toEqual([['ack', 2]]);
  });

  it('is an abort only for calls that were sent', async () => {
    const { client, posted, settle } = openScriptedClient();
    const controller = new AbortController();
    const ended = [
      rejectionOf(client.mutate('counter.add', 1, { timeout: 100 })),
      rejectionOf(client.mutate('counter.add', 2, { signal: controller.signal })),
    ];
    await settle();
    controller.abort();
    await vi.advanceTimersByTimeAsync(100);

    expect(await Promise.all(ended)).toMatchObject([
      { code: 'TIMEOUT', delivery: 'unknown' },
      { code: 'ABORTED', delivery: 'not-sent' },
    ]);
    // The second one's turn has come by now; it must not be sent any more.
    expect(posted()).toEqual([
      ['mutation', 1, 1],
      ['abort', 1],
    ]);
  });

  it('sends no abort for a message that the browser refused', async () => {
    const { client, posted, settle, refuse } = openScriptedClient();
    refuse();
    const ended = rejectionOf(client.query('text.echo', 'a'));
    await settle();

    expect(await ended).toMatchObject({ code: 'TOO_LARGE', delivery: 'not-sent' });
    expect(posted()).toEqual([]);
  });
});

describe('the delivery of a failed call', () => {
  it('is unknown when an earlier attempt of it was sent, even if the browser refuses the next', async () => {
    const { client, settle, losePort, refuse } = openScriptedClient();
    const ended = rejectionOf(client.mutate('counter.add', 1));
    await settle();
    refuse();
    await losePort();

    expect(await ended).toMatchObject({ code: 'TOO_LARGE', delivery: 'unknown' });
  });

  it.each([
    ['query', 'INTERNAL', 'handled'],
    ['mutation', 'INTERNAL', 'unknown'],
  ] as const)('of a %s whose second attempt ends in %s is %s', async (kind, code, delivery) => {
    const { client, settle, losePort, answer } = openScriptedClient();
    const ended = rejectionOf(
      kind === 'query' ? client.query('counter.read') : client.mutate('counter.add', 1),
    );
    await settle();
    await losePort();
    await answer({ kind: 'error', id: 1, error: { code } });

    expect(await ended).toMatchObject({ code, delivery });
  });

  it.each([
    ['DISCONNECTED', 'unknown'],
    ['NOT_STORED', 'handled'],
  ] as const)('of a mutation that ends in %s at once is %s', async (code, delivery) => {
    const { client, settle, answer } = openScriptedClient();
    const ended = rejectionOf(client.mutate('counter.add', 1));
    await settle();
    await answer({ kind: 'error', id: 1, error: { code } });

    expect(await ended).toMatchObject({ code, delivery });
  });
});

describe('a call', () => {
  it('is refused with the reason when its timeout is not a number', async () => {
    const { client, posted } = openScriptedClient();
    const error = await rejectionOf(client.query('counter.read', undefined, { timeout: 10n as never }));

    expect(error).toMatchObject({
      code: 'INVALID_INPUT',
      delivery: 'not-sent',
      issues: [{ path: 'timeout', message: 'must be a number of milliseconds' }],
    });
    expect(posted()).toEqual([]);
  });

  it('leaves no listener on a signal that outlives it', async () => {
    const { client, settle, answer } = openScriptedClient();
    const { signal } = new AbortController();
    const asked = client.query('counter.read', undefined, { signal });
    await settle();
    const during = getEventListeners(signal, 'abort').length;
    await answer(value(1));
    await asked;

    expect([during, getEventListeners(signal, 'abort').length]).toEqual([1, 0]);
  });

  it('ignores frames that do not answer a call', async () => {
    const { client, settle, answer } = openScriptedClient();
    const asked = client.query('counter.read');
    await settle();
    await answer({ kind: 'end', id: 1 }, { kind: 'next', id: 1, value: 1 }, value(2));
    await answer(value(1));

    expect(await asked).toBe(7);
  });

  it('says how long it took', async () => {
    const { client, settle, answer } = openScriptedClient();
    const asked = client.query('counter.read');
    await settle();
    await vi.advanceTimersByTimeAsync(40);
    await answer(value(1));
    await asked;

    expect(client.connection.state()).toEqual({ status: 'awake', roundTrip: 40 });
  });
});

describe('the connection', () => {
  it('connects again after a loss, and counts as crashing after the third without an answer', async () => {
    const { client, settle, losePort } = openScriptedClient();
    const ended = rejectionOf(client.query('counter.read', undefined, { timeout: 1_000 }));
    await settle();
    const states = [client.connection.state()];
    for (let losses = 1; losses <= 3; losses += 1) {
      await losePort();
      states.push(client.connection.state());
    }
    await vi.advanceTimersByTimeAsync(1_000);
    await ended;

    const connecting = { status: 'connecting' };
    expect(states).toEqual([connecting, connecting, connecting, { status: 'failed', reason: 'crashing' }]);
  });

  it.each([
    ['says that it is ready', { kind: 'ready' }],
    ['continues a stream', { kind: 'next', id: 1, value: 1 }],
  ] as const)('counts a background as crashing that %s and stops before each answer', async (_, frame) => {
    const { client, settle, answer, losePort } = openScriptedClient();
    const ended = rejectionOf(client.query('counter.read', undefined, { timeout: 1_000 }));
    await settle();
    for (let losses = 1; losses <= 3; losses += 1) {
      await answer(frame);
      await losePort();
    }

    expect(client.connection.state()).toEqual({ status: 'failed', reason: 'crashing' });
    await vi.advanceTimersByTimeAsync(1_000);
    await ended;
  });

  it('connects again at once eight times, and then after more and more time', async () => {
    const { client, settle, losePort, opened } = openScriptedClient();
    const ended = rejectionOf(client.query('counter.read', undefined, { timeout: 60_000 }));
    await settle();
    const waits: number[] = [];

    for (let losses = 1; losses <= 12; losses += 1) {
      const [before, lostAt] = [opened(), Date.now()];
      await losePort();
      while (opened() === before) await vi.advanceTimersToNextTimerAsync();
      waits.push(Date.now() - lostAt);
    }

    expect(waits).toEqual([0, 0, 0, 0, 0, 0, 0, 0, 512, 1_024, 2_000, 2_000]);
    await vi.advanceTimersByTimeAsync(60_000);
    await ended;
  });

  it('does not give up a port over which something was received when a later call is slow', async () => {
    const { client, settle, answer, opened } = openScriptedClient();
    const first = client.query('counter.read');
    await settle();
    await answer(value(1));
    await first;
    const second = client.query('counter.read', undefined, { timeout: 60_000 });

    await vi.advanceTimersByTimeAsync(30_000);

    expect(opened()).toBe(1);
    expect(client.connection.state().status).toBe('awake');
    await answer(value(2));
    await second;
  });

  it('ignores the port that it has replaced', async () => {
    const { client, settle, answer, answerOverFirstPort, loseFirstPort, opened } = openScriptedClient();
    const asked = client.query('counter.read');
    await settle();
    client.reconnect();
    await settle();

    await answerOverFirstPort({ kind: 'value', id: 1, value: 8 });
    await loseFirstPort();
    await answer(value(1));

    expect(await asked).toBe(7);
    expect(opened()).toBe(2);
  });

  it('opens no second port while it has one', async () => {
    const { client, settle, answer, opened } = openScriptedClient();
    const asked = client.query('counter.read');
    await settle();

    client.resume();

    expect(opened()).toBe(1);
    await answer(value(1));
    await asked;
  });

  it('is asleep after a loss that no call waits for, and counts from 0 again', async () => {
    const { client, settle, answer, losePort } = openScriptedClient();
    for (let id = 1; id <= 4; id += 1) {
      const asked = client.query('counter.read');
      await settle();
      await answer(value(id));
      await asked;
      await losePort();
      expect(client.connection.state()).toEqual({ status: 'asleep' });
    }
  });

  it('is idle until something is asked, also when a new port is requested', () => {
    const { client } = openScriptedClient();

    client.reconnect();

    expect(client.connection.state()).toEqual({ status: 'idle' });
  });

  it('stays silent until a frame arrives, also when the next port is lost', async () => {
    const { client, settle, answer, losePort } = openScriptedClient();
    const asked = client.query('counter.read');
    await settle();
    await vi.advanceTimersByTimeAsync(5_000);

    await losePort();

    expect(client.connection.state()).toEqual({ status: 'failed', reason: 'silent' });
    await answer(value(1));
    await asked;
  });

  it('is connecting from a loss until the next frame', async () => {
    const { client, settle, answer, losePort } = openScriptedClient();
    const seen: string[] = [];
    client.connection.onChange(() => seen.push(client.connection.state().status));
    const asked = client.query('counter.read');
    await settle();
    await answer({ kind: 'ready' });
    await losePort();
    await answer({ kind: 'ready' }, value(1));
    await asked;

    expect(seen).toEqual(['connecting', 'awake', 'connecting', 'awake', 'awake']);
  });

  it('does not open a port earlier for a call that is made while it waits', async () => {
    const { client, settle, losePort, opened } = openScriptedClient();
    const ask = () => rejectionOf(client.query('counter.read', undefined, { timeout: 5_000 }));
    const ended = [ask()];
    await settle();
    for (let losses = 1; losses <= 9; losses += 1) await losePort();

    ended.push(ask());
    await settle();
    const whileWaiting = opened();
    await vi.advanceTimersByTimeAsync(512);

    expect([whileWaiting, opened()]).toEqual([9, 10]);
    await vi.advanceTimersByTimeAsync(5_000);
    await Promise.all(ended);
  });

  it('takes a new port on request, whether it has one or not', async () => {
    const { client, posted, settle, answer, losePort } = openScriptedClient();
    client.reconnect();
    const asked = client.query('counter.read');
    await settle();
    client.reconnect();
    await settle();
    await answer(value(1));
    await asked;
    await losePort();
    client.reconnect();

    expect(posted()).toEqual([
      ['query', 1, 1],
      ['query', 1, 2],
    ]);
    expect(client.connection.state()).toEqual({ status: 'asleep' });
  });
});

describe('a stream', () => {
  const next = (id: number): AnswerFrame => ({ kind: 'next', id, value: 7 });

  async function openStream() {
    const scripted = openScriptedClient();
    const { signal, abort } = createAbort();
    const stream = scripted.client.subscribe('counter.watch', undefined, { signal });
    const first = stream.next();
    await scripted.settle();
    return { ...scripted, stream, first, signal, abort };
  }

  it('lets the background sleep while its consumer waits, and goes on when that is awake', async () => {
    const { client, stream, first, answer, losePort, settle, posted, opened } = await openStream();
    await answer(next(1));
    await first;
    await losePort();
    const second = stream.next();
    await settle();
    const whileAsleep = [posted().length, opened()];
    client.resume();
    await settle();
    await answer(next(1));

    expect(whileAsleep).toEqual([1, 1]);
    expect(await second).toEqual({ done: false, value: 7 });
    expect(posted()).toEqual([
      ['subscription', 1, 1],
      ['subscription', 1, 2],
    ]);
  });

  it('is aborted once when its consumer leaves before the first value', async () => {
    const { stream, first, settle, posted, signal, abort } = await openStream();
    abort();
    await settle();

    expect(await first).toEqual({ done: true, value: undefined });
    expect(await stream.next()).toEqual({ done: true, value: undefined });
    expect(posted()).toEqual([
      ['subscription', 1, 1],
      ['abort', 1],
    ]);
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  it.each([
    ['has ended', { kind: 'end', id: 1 }],
    ['has failed', { kind: 'error', id: 1, error: { code: 'INTERNAL' } }],
  ] as const)('is not aborted when its handler %s', async (_, frame) => {
    const { first, answer, posted, signal } = await openStream();
    const ended = first.catch((error: unknown) => error);
    await answer(frame);

    expect(await ended).toMatchObject(frame.kind === 'end' ? { done: true } : frame.error);
    expect(posted()).toEqual([['subscription', 1, 1]]);
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  it('that the browser refuses was not sent; one that was sent before is in doubt', async () => {
    const scripted = openScriptedClient();
    scripted.refuse();
    const refused = rejectionOf(scripted.client.subscribe('counter.watch').next());
    await scripted.settle();
    const { first, losePort, refuse } = await openStream();
    const inDoubt = rejectionOf(first);
    refuse();
    await losePort();

    expect(await refused).toMatchObject({ code: 'TOO_LARGE', delivery: 'not-sent' });
    expect(await inDoubt).toMatchObject({ code: 'TOO_LARGE', delivery: 'unknown' });
  });

  it('of a page that has lost its extension fails at once, whether its consumer waits or not', async () => {
    const { client, stream, first, answer, orphan } = await openStream();
    await answer(next(1));
    await first;
    orphan();
    client.reconnect();
    const opening = await rejectionOf(client.subscribe('counter.watch').next());

    expect(await rejectionOf(stream.next())).toMatchObject({ code: 'UNREACHABLE', delivery: 'unknown' });
    expect(opening).toMatchObject({ code: 'UNREACHABLE', delivery: 'not-sent' });
  });
});

function createAbort() {
  const controller = new AbortController();
  return { signal: controller.signal, abort: () => controller.abort() };
}

describe('isDeclared', () => {
  const { client } = openScriptedClient();
  const declared = { name: 'tooHigh', data: { most: 3 } };
  const createError = (procedure: string, name?: string): CallError =>
    new CallError(
      procedure,
      name === undefined ? { code: 'INTERNAL' } : { code: 'DECLARED', declared: { ...declared, name } },
      'handled',
    );

  it.each([
    ['the error of that name', createError('counter.add', 'tooHigh'), true],
    ['another declared error', createError('counter.add', 'tooLow'), false],
    ['an error that is not declared', createError('counter.add'), false],
    ['that of another procedure', createError('counter.read', 'tooHigh'), false],
    ['what only looks like it', { procedure: 'counter.add', declared }, false],
    ['nothing', undefined, false],
  ])('of %s is answered right', (_, error, isDeclared) => {
    expect(client.isDeclared('counter.add', 'tooHigh', error)).toBe(isDeclared);
  });
});
