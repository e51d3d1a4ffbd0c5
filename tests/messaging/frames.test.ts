import { describe, expect, it, onTestFinished, vi } from 'vitest';

import { createCounterWorld } from '../support/counter-world.ts';
import { createDeferred } from '../support/create-deferred.ts';
import { rejectionOf } from '../support/rejection-of.ts';

const QUERY = { kind: 'query', id: 1, name: 'counter.read', attempt: 1, timeout: 60_000 };
const MUTATION = { ...QUERY, sentAt: Date.now(), kind: 'mutation', name: 'counter.add', input: 1, page: 'p' };
const SUBSCRIPTION = { kind: 'subscription', id: 1, name: 'counter.watch', attempt: 1 };

describe('frames that are not valid are ignored', () => {
  it.each<[string, unknown]>([
    ['nothing', null],
    ['a text', 'query'],
    ['a number', 7],
    ['an empty array', []],
    ['an array in an array', [[QUERY]]],
    ['an array without a frame', [null, 'query', {}]],
    ['an empty object', {}],
    ['a kind that there is not', { ...QUERY, kind: 'reset' }],
    ['a kind that there is not, of a mutation', { ...MUTATION, kind: 'reset' }],
    ['a kind of its own worker’s', { kind: 'value', id: 1, value: 1 }],
    ['a kind that is inherited', { ...QUERY, kind: 'constructor' }],
    ['a call without a number', { ...QUERY, id: undefined }],
    ['a call numbered 0', { ...QUERY, id: 0 }],
    ['a call numbered -1', { ...QUERY, id: -1 }],
    ['a call numbered 1.5', { ...QUERY, id: 1.5 }],
    ['a call numbered by a text', { ...QUERY, id: '1' }],
    ['a call numbered beyond what counts exactly', { ...QUERY, id: 2 ** 53 }],
    ['a call without a name', { ...QUERY, name: undefined }],
    ['a call with an empty name', { ...QUERY, name: '' }],
    ['a name of 101 characters', { ...QUERY, name: 'n'.repeat(101) }],
    ['a name that is not a text', { ...QUERY, name: ['counter.read'] }],
    ['a query without a deadline', { ...QUERY, timeout: undefined }],
    ['a query that was never sent', { ...QUERY, attempt: 0 }],
    ['a mutation without a page', { ...MUTATION, page: undefined }],
    ['a mutation without a deadline', { ...MUTATION, timeout: undefined }],
    ['a mutation whose page is not a text', { ...MUTATION, page: { toString: 1 } }],
    ['a subscription that was never sent', { ...SUBSCRIPTION, attempt: -1 }],
    ['an abort of nothing', { kind: 'abort', reason: 'ABORTED' }],
    ['an abort of an unknown call', { kind: 'abort', id: 5, reason: 'ABORTED' }],
    ['an abort for no reason', { kind: 'abort', id: 1 }],
    [
      'an abort whose reason cannot become a text',
      { kind: 'abort', id: 1, reason: { toString: 1, valueOf: 1 } },
    ],
    ['a pull of nothing', { kind: 'pull' }],
    ['a pull of an unknown stream', { kind: 'pull', id: 5 }],
  ])('passes over %s', async (_what, message) => {
    const world = createCounterWorld();
    const port = world.openPage('options').openRawPort();

    port.post(message);
    port.post({ ...QUERY, id: 99 });
    await vi.waitFor(() => expect(port.received).not.toEqual([]));

    expect(port.received).toEqual([{ kind: 'value', id: 99, value: 0 }]);
    expect(world.disk.keys()).toEqual([]);
  });

  it('ignores an abort with a reason that does not exist', async () => {
    const port = createCounterWorld().openPage('options').openRawPort();

    port.post(QUERY);
    port.post({ kind: 'abort', id: 1, reason: 'UNREACHABLE' });

    await vi.waitFor(() => expect(port.received).toEqual([{ kind: 'value', id: 1, value: 0 }]));
  });

  it('answers a call whose name is as long as a name may be', async () => {
    const port = createCounterWorld().openPage('options').openRawPort();

    port.post({ ...QUERY, name: 'n'.repeat(100) });

    await vi.waitFor(() => expect(port.received).toMatchObject([{ error: { code: 'UNKNOWN_PROCEDURE' } }]));
  });

  it('ignores a call with the number of a running one', async () => {
    const answer = createDeferred<number>();
    const read = vi.fn<() => Promise<number>>(() => answer.promise);
    const port = createCounterWorld({ 'counter.read': read }).openPage('options').openRawPort();

    port.post(QUERY);
    port.post(QUERY);
    port.post(MUTATION);
    await vi.waitFor(() => expect(read).toHaveBeenCalled());
    answer.resolve(5);
    await vi.waitFor(() => expect(port.received).not.toEqual([]));
    port.post({ ...QUERY, id: 99 });
    await vi.waitFor(() => expect(port.received).toContainEqual({ kind: 'value', id: 99, value: 5 }));

    expect(port.received).toHaveLength(2);
    expect(read).toHaveBeenCalledTimes(2);
  });

  it('reports an output over the limit as its own failure', async () => {
    const world = createCounterWorld({ 'text.echo': () => 'a'.repeat(1_001) });

    const error = await rejectionOf(world.openPage('popup').client.query('text.echo', 'a'));

    expect(error).toMatchObject({ code: 'INTERNAL', delivery: 'handled', issues: [] });
    expect(String(world.logged.get(error.incident ?? ''))).toContain('more than 1000 characters');
  });
});

describe('a page that speaks the protocol by itself', () => {
  it('gets READY only while nothing has been answered, and never for what is no frame', async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const world = createCounterWorld();
    const open = (message: unknown): string[] => {
      const port = world.openPage('options').openRawPort();
      const received: string[] = [];
      port.onMessage((frames) => received.push(...(frames as { kind: string }[]).map(({ kind }) => kind)));
      port.postMessage(message);
      return received;
    };

    const answered = open([QUERY]);
    const ignored = ['query', ['query'], { ...QUERY }].map((message) => open(message));
    await vi.advanceTimersByTimeAsync(1_000);

    expect(answered).toEqual(['value']);
    expect(ignored).toEqual([[], [], []]);
  });

  it('gets no answer to a call that it has aborted', async () => {
    const answer = createDeferred<number>();
    const port = createCounterWorld({ 'counter.read': () => answer.promise })
      .openPage('options')
      .openRawPort();

    port.post(QUERY);
    port.post({ kind: 'abort', id: 1, reason: 'ABORTED' });
    port.post({ ...QUERY, id: 2, name: 'nothing' });
    answer.resolve(5);
    await vi.waitFor(() => expect(port.received).not.toEqual([]));

    expect(port.received).toEqual([{ kind: 'error', id: 2, error: { code: 'UNKNOWN_PROCEDURE' } }]);
  });

  it('has its deadline held by the background as well', async () => {
    const handled = createDeferred<unknown>();
    const world = createCounterWorld({
      'counter.read': ({ signal }) =>
        new Promise(() => {
          signal.addEventListener('abort', () => handled.resolve(signal.reason));
        }),
    });

    world
      .openPage('options')
      .openRawPort()
      .post({ ...QUERY, timeout: 1 });

    expect(await handled.promise).toMatchObject({ report: { code: 'TIMEOUT' } });
  });

  it('leaves a handler that has answered alone', async () => {
    let given: AbortSignal | undefined;
    const world = createCounterWorld({ 'counter.read': ({ signal }) => ((given = signal), 1) });
    const port = world.openPage('options').openRawPort();

    port.post(QUERY);
    await vi.waitFor(() => expect(port.received).toHaveLength(1));
    port.post({ ...QUERY, id: 2 });
    await vi.waitFor(() => expect(port.received).toHaveLength(2));

    expect(given?.aborted).toBe(false);
  });
});
