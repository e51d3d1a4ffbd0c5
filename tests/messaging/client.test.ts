import { getEventListeners } from 'node:events';

import { describe, expect, it, vi } from 'vitest';

import { CallError } from '../../src/messaging/wire/errors.ts';
import { rejectionOf } from '../support/promises.ts';
import { openScriptedClient, value } from '../support/scripted-client.ts';

describe('the frames of a page', () => {
  it('contain only what the background needs', async () => {
    const { client, frames, settle } = openScriptedClient();

    void client.query('text.echo', 'a');
    void client.mutate('counter.add', 2, { timeout: 500 });
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
        page: expect.stringMatching(/^[\da-z]{15,28}$/),
        sentAt: Date.now(),
      },
    ]);
  });

  it('are one mutation after the other, then nothing', async () => {
    const { client, posted, settle, answer } = openScriptedClient();

    void client.mutate('counter.add', 1);
    const second = client.mutate('counter.add', 2);
    await settle();
    await answer(value(1));
    const third = client.mutate('counter.add', 3);
    void third.then(() => client.mutate('counter.add', 4));
    await settle();
    const whileSecondRuns = posted();
    for (const id of [2, 3, 4]) await answer(value(id));
    await second;

    const mutations = [1, 2, 3, 4].map((id) => ['mutation', id, 1]);
    expect(whileSecondRuns).toEqual(mutations.slice(0, 2));
    expect(posted()).toEqual(mutations);
  });

  it('contain an abort only for calls that were sent', async () => {
    const { client, posted, settle } = openScriptedClient();
    const controller = new AbortController();

    const ended = [
      rejectionOf(client.mutate('counter.add', 1, { timeout: 100 })),
      rejectionOf(client.mutate('counter.add', 2, { signal: controller.signal })),
      rejectionOf(client.query('counter.read', undefined, { signal: AbortSignal.abort() })),
      rejectionOf(client.query('counter.read', undefined, { signal: controller.signal })),
    ];
    await settle();
    controller.abort();
    await vi.advanceTimersByTimeAsync(100);

    expect(await Promise.all(ended)).toMatchObject([
      { code: 'TIMEOUT', delivery: 'unknown' },
      { code: 'ABORTED', delivery: 'not-sent' },
      { code: 'ABORTED', delivery: 'not-sent' },
      { code: 'ABORTED', delivery: 'unknown' },
    ]);
    expect(posted()).toEqual([
      ['query', 4, 1],
      ['mutation', 1, 1],
      ['abort', 4],
      ['abort', 1],
    ]);
  });
});

describe('the delivery of a failed call', () => {
  it.each([
    ['query', 2, 'INTERNAL', 'handled'],
    ['mutation', 2, 'INTERNAL', 'unknown'],
    ['mutation', 1, 'TIMEOUT', 'handled'],
  ] as const)('of a %s whose attempt %d ends in %s is %s', async (kind, attempts, code, delivery) => {
    const { client, posted, settle, losePort, answer } = openScriptedClient();
    const calls = {
      query: () => client.query('counter.read'),
      mutation: () => client.mutate('counter.add', 1),
      subscription: () => client.subscribe('counter.watch').next(),
    };

    const ended = rejectionOf(calls[kind]());
    if (attempts === 2) await settle();
    await (attempts === 2 ? losePort() : settle());
    await answer({ kind: 'error', id: 1, error: { code } });

    expect(await ended).toMatchObject({ code, delivery });
    expect(posted().filter(([posting]) => posting === 'abort')).toEqual([]);
  });

  it('is not-sent for a mutation whose turn came while there was no port', async () => {
    const { client, settle, losePort, orphan } = openScriptedClient();
    const first = rejectionOf(client.mutate('counter.add', 1, { timeout: 100 }));
    const second = rejectionOf(client.mutate('counter.add', 2));
    await settle();
    for (let losses = 1; losses <= 9; losses += 1) await losePort();
    await vi.advanceTimersByTimeAsync(100);
    await first;

    orphan();
    await vi.advanceTimersByTimeAsync(1_000);

    expect(await second).toMatchObject({ code: 'UNREACHABLE', delivery: 'not-sent' });
  });
});

describe('a call', () => {
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

  it('ignores frames that cannot be its answer', async () => {
    const { client, settle, answer } = openScriptedClient();
    const asked = client.query('counter.read');
    await settle();

    await answer([{ kind: 'end', id: 1 }, { kind: 'next', id: 1, value: 1 }, value(2)]);
    await answer(value(1));

    expect(await asked).toBe(7);
  });
});

it('`settled` resolves when all mutations made so far have settled, whether they succeed or fail', async () => {
  const { client, settle, answer } = openScriptedClient();
  const events: string[] = [];
  void client.mutate('counter.add', 1).then(() => events.push('first'));
  client.mutate('counter.add', 2).catch(() => events.push('second'));
  void client.settled().then(() => events.push('settled'));
  void client.mutate('counter.add', 3);

  await settle();
  await answer(value(1));
  await answer({ kind: 'error', id: 2, error: { code: 'INTERNAL' } });

  expect(events).toEqual(['first', 'second', 'settled']);
});

it('isDeclared is true only for the named error of the named procedure', () => {
  const { client } = openScriptedClient();
  const declared = { name: 'tooHigh', data: { most: 3 } };
  const tooHigh = { code: 'DECLARED', declared } as const;
  const tooLow = { code: 'DECLARED', declared: { ...declared, name: 'tooLow' } } as const;
  const errors = [
    new CallError('counter.add', tooHigh, 'handled'),
    new CallError('counter.add', tooLow, 'handled'),
    new CallError('counter.add', { code: 'INTERNAL' }, 'handled'),
    new CallError('counter.read', tooHigh, 'handled'),
    { procedure: 'counter.add', declared },
  ];

  const verdicts = errors.map((error) => client.isDeclared('counter.add', 'tooHigh', error));

  expect(verdicts).toEqual([true, false, false, false, false]);
});
