import { describe, expect, it, onTestFinished, vi } from 'vitest';

import { createCounterWorld } from '../support/counter-world.ts';
import { createDeferred } from '../support/promises.ts';
import { ask, callOf } from '../support/raw-calls.ts';

const QUERY = callOf('counter.read');
const MUTATION = callOf('counter.add');

describe('a message from a page', () => {
  it.each<[string, unknown]>([
    ['null', null],
    ['an array without a frame', [null, 'query', {}]],
    ['a mutation with an unknown kind', { ...MUTATION, kind: 'reset' }],
    ['a call with the id 0', { ...QUERY, id: 0 }],
    ['a call with the id 1.5', { ...QUERY, id: 1.5 }],
    ['a call with an empty name', { ...QUERY, name: '' }],
    ['a name of 101 characters', { ...QUERY, name: 'n'.repeat(101) }],
    ['a name that is not a text', { ...QUERY, name: ['counter.read'] }],
    ['a query without a deadline', { ...QUERY, timeout: undefined }],
    ['a query with the attempt 0', { ...QUERY, attempt: 0 }],
    ['a mutation without a page', { ...MUTATION, page: undefined }],
    ['a mutation of a page whose name has half a character', { ...MUTATION, page: 'p\uD800' }],
    ['a mutation without a time', { ...MUTATION, sentAt: undefined }],
    ['an abort of an unknown call', { kind: 'abort', id: 5, reason: 'ABORTED' }],
    ['an abort for an unknown reason', { kind: 'abort', id: 98, reason: 'UNREACHABLE' }],
    ['a pull of an unknown stream', { kind: 'pull', id: 5 }],
  ])('is ignored when it is %s', async (_what, message) => {
    const world = createCounterWorld();
    const port = world.openPage('options').openRawPort();

    port.post({ ...QUERY, id: 98 }, message);
    await ask(port, { ...QUERY, id: 99 });

    expect(port.received).toEqual([98, 99].map((id) => ({ kind: 'value', id, value: 0 })));
    expect(world.disk.dataOf('counter')).toBeUndefined();
  });

  it('does not start a call with the id of a running one', async () => {
    const answer = createDeferred<number>();
    const read = vi.fn<() => Promise<number>>(() => answer.promise);
    const port = createCounterWorld({ 'counter.read': read }).openPage('options').openRawPort();

    port.post(QUERY, QUERY, MUTATION);
    await vi.waitFor(() => expect(read).toHaveBeenCalled());
    answer.resolve(5);
    await ask(port, { ...QUERY, id: 99 });
    await vi.waitFor(() => expect(port.received).toHaveLength(2));

    expect(read).toHaveBeenCalledTimes(2);
  });
});

describe('a page that posts its own frames', () => {
  /** Opens a port to a world that never answers `text.echo`, and lists the frames that arrive. */
  function openListening() {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const world = createCounterWorld({ 'text.echo': () => new Promise(() => {}) });
    const port = world.openPage('options').openRawPort();
    const seen: string[] = [];
    port.onMessage((frames) => {
      for (const { kind, id } of frames as { kind: string; id: number }[]) seen.push(`${kind} ${id}`);
    });
    return { port, seen };
  }

  it('gets nothing while no message is a list with a valid frame', async () => {
    const { port, seen } = openListening();

    for (const message of ['query', ['query'], QUERY]) port.postMessage(message);
    await vi.advanceTimersByTimeAsync(1_000);

    expect(seen).toEqual([]);
  });

  it('gets READY once for each call without an answer, and not for a stream that has sent a value', async () => {
    const { port, seen } = openListening();

    port.post(QUERY, callOf('counter.watch', { id: 2 }), callOf('text.echo', { id: 3 }));
    await vi.advanceTimersByTimeAsync(1_000);
    port.post(callOf('text.echo', { id: 4 }));
    await vi.advanceTimersByTimeAsync(1_000);

    expect(seen).toEqual(['value 1', 'next 2', 'ready 3', 'ready 4']);
  });

  it.each(['ABORTED', 'TIMEOUT'])('gets no answer to a call that it has aborted as %s', async (reason) => {
    const answer = createDeferred<number>();
    const world = createCounterWorld({ 'counter.read': () => answer.promise });
    const port = world.openPage('options').openRawPort();

    port.post(QUERY);
    port.post({ kind: 'abort', id: 1, reason });
    answer.resolve(5);
    await ask(port, { ...QUERY, id: 2, name: 'nothing' });

    expect(port.received).toEqual([{ kind: 'error', id: 2, error: { code: 'UNKNOWN_PROCEDURE' } }]);
  });

  it('does not abort the signal of a handler after its answer', async () => {
    let given: AbortSignal | undefined;
    const world = createCounterWorld({ 'counter.read': ({ signal }) => ((given = signal), 1) });
    const port = world.openPage('options').openRawPort();

    await ask(port, QUERY);
    await ask(port, { ...QUERY, id: 2 });

    expect(given?.aborted).toBe(false);
  });
});

describe('frames that are posted in one turn', () => {
  it('are answered in one message', async () => {
    const port = createCounterWorld().openPage('popup').openRawPort();
    const messages: unknown[] = [];
    port.onMessage((message) => messages.push(message));
    const ids = Array.from({ length: 100 }, (_, index) => index + 1);

    port.post(...ids.map((id) => ({ ...QUERY, id })));
    await vi.waitFor(() => expect(port.received).toHaveLength(ids.length));

    expect(messages).toEqual([ids.map((id) => ({ kind: 'value', id, value: 0 }))]);
  });
});
