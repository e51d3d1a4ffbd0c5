import { afterEach, describe, expect, it, vi } from 'vitest';

import { createCounterWorld } from '../support/counter-world.ts';
import { createDeferred } from '../support/create-deferred.ts';
import { rejectionOf } from '../support/rejection-of.ts';

// Where a handler must have started before its deadline, time stands still until then.
afterEach(() => void vi.useRealTimers());

/** A handler that never ends by itself, and the signal it was given. */
function createHangingHandler() {
  const started = createDeferred<AbortSignal>();
  const handler = ({ signal }: { readonly signal: AbortSignal }): Promise<number> => {
    started.resolve(signal);
    return new Promise(() => {});
  };
  return { handler, started: started.promise };
}

describe('deadline and abort reach the handler', () => {
  it('aborts the signal of a query when its caller aborts', async () => {
    const { handler, started } = createHangingHandler();
    const { client } = createCounterWorld({ 'counter.read': handler }).openPage('popup');
    const controller = new AbortController();
    const ended = rejectionOf(client.query('counter.read', undefined, { signal: controller.signal }));
    const signal = await started;

    controller.abort();

    await vi.waitFor(() => expect(signal.aborted).toBe(true));
    expect(await ended).toMatchObject({ code: 'ABORTED' });
  });

  it('aborts the signal of a query at its deadline', async () => {
    vi.useFakeTimers();
    const { handler, started } = createHangingHandler();
    const { client } = createCounterWorld({ 'counter.read': handler }).openPage('popup');
    const ended = rejectionOf(client.query('counter.read', undefined, { timeout: 20 }));
    const signal = await started;

    await vi.advanceTimersByTimeAsync(20);
    await ended;

    await vi.waitFor(() => expect(signal.aborted).toBe(true));
  });

  it('does not wait beyond the deadline for a thenable that is not a promise', async () => {
    const world = createCounterWorld({
      'counter.add': ({ input }) =>
        input === 1 ? ({ then: () => {} } as unknown as Promise<number>) : input,
    });
    const first = rejectionOf(world.openPage('options').client.mutate('counter.add', 1, { timeout: 50 }));

    // It gets the lock when the first has ended.
    const second = world.openPage('options').client.mutate('counter.add', 2);

    expect(await first).toMatchObject({ code: 'TIMEOUT' });
    expect(await second).toBe(2);
  });

  it('shows an abort to a handler that looks at its signal only later', async () => {
    vi.useFakeTimers();
    const started = createDeferred();
    const goOn = createDeferred();
    const looked = createDeferred<boolean>();
    const { client } = createCounterWorld({
      'counter.read': async (context) => {
        started.resolve();
        await goOn.promise;
        looked.resolve(context.signal.aborted);
        return 1;
      },
    }).openPage('popup');
    const ended = rejectionOf(client.query('counter.read', undefined, { timeout: 20 }));
    await started.promise;
    await vi.advanceTimersByTimeAsync(20);
    await ended;

    goOn.resolve();

    expect(await looked.promise).toBe(true);
  });

  it('aborts the signal of a query when its page is closed', async () => {
    const { handler, started } = createHangingHandler();
    const page = createCounterWorld({ 'counter.read': handler }).openPage('popup');
    const controller = new AbortController();
    const ended = rejectionOf(page.client.query('counter.read', undefined, { signal: controller.signal }));
    const signal = await started;

    page.close();

    await vi.waitFor(() => expect(signal.aborted).toBe(true));
    // Cleans up in the page, which no longer reaches the handler.
    controller.abort();
    await ended;
  });

  it('lets a mutation finish when its page is closed', async () => {
    vi.useFakeTimers();
    const started = createDeferred();
    const goOn = createDeferred();
    const world = createCounterWorld({
      'counter.add': async ({ input, state }) => {
        started.resolve();
        await goOn.promise;
        state.set('counter', input);
        return input;
      },
    });
    const page = world.openPage('options');
    const ended = rejectionOf(page.client.mutate('counter.add', 5, { timeout: 200 }));
    await started.promise;

    page.close();
    goOn.resolve();

    await vi.waitFor(() => expect(world.disk.read('counter')).toBe(5));
    await vi.advanceTimersByTimeAsync(200);
    await ended;
  });

  it('ends a mutation of a closed page at its deadline, so that others get their turn', async () => {
    vi.useFakeTimers();
    const { handler, started } = createHangingHandler();
    const world = createCounterWorld({ 'counter.add': handler });
    const page = world.openPage('options');
    const ended = rejectionOf(page.client.mutate('counter.add', 1, { timeout: 50 }));
    const signal = await started;

    page.close();

    await vi.advanceTimersByTimeAsync(50);

    expect(signal.aborted).toBe(true);
    await ended;
  });

  it('writes nothing of a mutation whose caller has given up', async () => {
    const goOn = createDeferred();
    const started = createDeferred();
    const world = createCounterWorld({
      'counter.add': async ({ input, state }) => {
        started.resolve();
        state.set('counter', input);
        await goOn.promise;
        return input;
      },
    });
    const { client } = world.openPage('options');
    const controller = new AbortController();
    const ended = rejectionOf(client.mutate('counter.add', 7, { signal: controller.signal }));
    await started.promise;

    controller.abort();
    await ended;
    goOn.resolve();

    expect(await client.query('counter.read')).toBe(0);
    expect(world.disk.keys()).toEqual([]);
  });

  it('sends no answer of a mutation whose caller gave up while it was written', async () => {
    const [isWriting, isWritten] = [createDeferred(), createDeferred()];
    const world = createCounterWorld(
      {},
      {
        patchStore: (store) => ({
          ...store,
          write: async (entries) => {
            isWriting.resolve();
            await isWritten.promise;
            await store.write(entries);
          },
        }),
      },
    );
    const port = world.openPage('options').openRawPort();
    const call = { id: 1, name: 'counter.add', input: 1, attempt: 1, timeout: 60_000 };
    port.post({ ...call, kind: 'mutation', page: 'p', sentAt: Date.now() });
    await isWriting.promise;

    port.post({ kind: 'abort', id: 1, reason: 'ABORTED' });
    await new Promise((resolve) => setTimeout(resolve));
    isWritten.resolve();
    await vi.waitFor(() => expect(world.disk.read('counter')).toBe(1));
    await new Promise((resolve) => setTimeout(resolve));

    expect(port.received).toEqual([]);
  });

  it('does not let a mutation that hangs hold up the next one beyond its deadline', async () => {
    vi.useFakeTimers();
    let calls = 0;
    const world = createCounterWorld({
      'counter.add': async ({ input }) => {
        calls += 1;
        return calls === 1 ? new Promise<number>(() => {}) : input;
      },
    });
    const first = rejectionOf(world.openPage('options').client.mutate('counter.add', 1, { timeout: 50 }));

    const second = world.openPage('options').client.mutate('counter.add', 2);
    await vi.advanceTimersByTimeAsync(50);

    expect(await first).toMatchObject({ code: 'TIMEOUT', delivery: 'unknown' });
    expect(await second).toBe(2);
  });

  it.each(['leaves the loop', 'aborts', 'closes the page'])(
    'runs the `finally` of a generator whose consumer %s',
    async (way) => {
      const cleanedUp = createDeferred<string>();
      const world = createCounterWorld({
        'counter.watch': async function* () {
          try {
            for (let count = 0; ; count += 1) yield count;
          } finally {
            cleanedUp.resolve('cleaned up');
          }
        },
      });
      const page = world.openPage('popup');
      const controller = new AbortController();
      const counts = page.client.subscribe('counter.watch', undefined, { signal: controller.signal });
      await counts.next();

      if (way === 'leaves the loop') await counts.return();
      if (way === 'aborts') controller.abort();
      if (way === 'closes the page') page.close();

      expect(await cleanedUp.promise).toBe('cleaned up');
    },
  );

  it('ends a loop quietly when its signal is aborted', async () => {
    const { client } = createCounterWorld().openPage('popup');
    const controller = new AbortController();
    const seen: number[] = [];

    for await (const count of client.subscribe('counter.watch', undefined, { signal: controller.signal })) {
      seen.push(count);
      controller.abort();
    }

    expect(seen).toEqual([0]);
  });
});
