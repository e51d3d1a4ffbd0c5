import { afterEach, describe, expect, it, vi } from 'vitest';

import type { Json } from '../../src/messaging/json.ts';
import { createState } from '../../src/messaging/server/state.ts';
import type { Store } from '../../src/messaging/server/state.ts';
import { createCounterWorld } from '../support/counter-world.ts';
import { rejectionOf } from '../support/rejection-of.ts';

const HOUR = 60 * 60 * 1_000;

describe('a transaction', () => {
  it('stores a value as it was when it was set, and hands out copies of it', async () => {
    const world = createCounterWorld({
      'counter.add': async ({ state, input }) => {
        const samples = ['first'];
        state.set('samples', samples);
        samples.push('second');
        Object.assign((await state.get('samples')) ?? {}, ['other']);
        return input;
      },
    });

    await world.openPage('options').client.mutate('counter.add', 1);

    expect(world.disk.read('samples')).toEqual(['first']);
  });

  it.each([
    ['is not JSON', (): never[] => [undefined as never]],
    ['has a member that browsers drop', (): object => ({ toString: 1 })],
    ['is nested too deep', (): unknown => JSON.parse('['.repeat(95) + ']'.repeat(95))],
  ])('refuses a value that %s, and writes nothing', async (_what, create) => {
    const world = createCounterWorld({
      'counter.add': ({ state, input }) => {
        state.set('counter', 1);
        state.set('other', create() as never);
        return input;
      },
    });

    const error = await rejectionOf(world.openPage('options').client.mutate('counter.add', 1));

    expect(error.code).toBe('INTERNAL');
    expect(world.disk.keys()).toEqual([]);
  });

  it('has nothing under names that every object inherits', async () => {
    const seen: unknown[] = [];
    const world = createCounterWorld({
      'counter.add': async ({ input, state }) => {
        seen.push(await state.get('toString'));
        return input;
      },
    });

    await world.openPage('options').client.mutate('counter.add', 1);

    expect(seen).toEqual([undefined]);
  });

  it('refuses a key of the journal', async () => {
    const world = createCounterWorld({
      'counter.add': ({ state, input }) => {
        state.set('journal/page', 1);
        return input;
      },
    });

    expect((await rejectionOf(world.openPage('options').client.mutate('counter.add', 1))).code).toBe(
      'INTERNAL',
    );
  });

  it('ends in NOT_READ when the lock cannot be had, with the reason as cause', async () => {
    const reason = new Error('No locks here');
    const world = createCounterWorld(
      {},
      { patchStore: (store) => ({ ...store, lock: () => Promise.reject(reason) }) },
    );

    const error = await rejectionOf(world.openPage('options').client.mutate('counter.add', 1));

    expect(error).toMatchObject({ code: 'NOT_READ', delivery: 'handled' });
    expect(world.logged.get(error.incident ?? '')).toMatchObject({ cause: reason });
    expect(world.disk.keys()).toEqual([]);
  });

  it('retries a failed read once', async () => {
    const failures = [new Error('stopping'), undefined];
    const world = createCounterWorld(
      {},
      { patchStore: (store) => ({ ...store, read: failing(store.read, failures) }) },
    );

    expect(await world.openPage('options').client.query('counter.read')).toBe(0);
  });

  it('does not call a write failed that took effect', async () => {
    const world = createCounterWorld({}, { patchStore: committingThenFailing });
    const { client } = world.openPage('options');

    const counts = [1, 1, 1].map((by) => client.mutate('counter.add', by));

    expect(await Promise.all(counts)).toEqual([1, 2, 3]);
    expect(world.disk.read('counter')).toBe(3);
  });

  it('gives another worker its turn under steady mutations', async () => {
    const world = createCounterWorld();
    const busy = world.openPage('options').client;
    let isOver = false;
    await busy.mutate('counter.add', 1);
    world.detachWorker();
    const steady = (async () => {
      while (!isOver) await busy.mutate('counter.add', 1);
    })();

    world.detachWorker();
    const count = await world.openPage('options').client.mutate('counter.add', 1);
    isOver = true;
    await steady;

    expect(count).toBeGreaterThan(1);
  });
});

describe('the journal', () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  it('is pruned when old entries have filled the store', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const world = createCounterWorld({}, { patchStore: withQuota(400) });
    for (const page of ['first', 'second', 'third']) {
      world.disk.write(`journal/${page}`, {
        id: 1,
        name: 'counter.add',
        outcome: 'x'.repeat(50),
        at: Date.now(),
      });
    }
    await world.openPage('options').client.query('counter.read');
    await nextTask();
    vi.setSystemTime(Date.now() + 24 * HOUR);

    expect(await world.openPage('options').client.mutate('counter.add', 1)).toBe(1);
    expect(world.disk.keys()).toEqual(['counter', expect.stringMatching(/^journal\//)]);
  });

  it('stays small while one worker lives on', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const world = createCounterWorld();

    for (let page = 0; page < 20; page += 1) {
      vi.setSystemTime(Date.now() + 2 * HOUR);
      await world.openPage('options').client.mutate('counter.add', 1);
    }

    await vi.waitFor(() => expect(entriesIn(world).length).toBeLessThan(3));
  });

  it('is pruned when a worker starts, of the entries of pages long gone and of those from the future', async () => {
    const world = createCounterWorld();
    const entry = { id: 1, name: 'counter.add', outcome: 1 };
    world.disk.write('journal/old', { ...entry, at: Date.now() - HOUR - 1_000 });
    world.disk.write('journal/recent', { ...entry, at: Date.now() - HOUR + 60_000 });
    world.disk.write('journal/future', { ...entry, at: Date.now() + 2 * HOUR });
    world.disk.write('journal/broken', 'not an entry');
    world.disk.write('other', 'kept');

    await world.openPage('popup').client.query('counter.read');

    await vi.waitFor(() => expect(world.disk.keys()).toEqual(['journal/recent', 'other']));
  });

  it('keeps one entry a page', async () => {
    const world = createCounterWorld();
    const pages = [world.openPage('options'), world.openPage('options')];

    for (let round = 0; round < 5; round += 1) {
      for (const { client } of pages) await client.mutate('counter.add', 1);
    }

    expect(entriesIn(world)).toHaveLength(2);
  });

  it('drops an outcome when its page has acknowledged it', async () => {
    const world = createCounterWorld();

    await world.openPage('options').client.mutate('counter.add', 41);

    await vi.waitFor(() =>
      expect(entriesIn(world)).toEqual([{ id: 1, name: 'counter.add', at: expect.any(Number) }]),
    );
  });

  it('does not run a mutation again whose outcome was acknowledged', async () => {
    const world = createCounterWorld();
    const port = world.openPage('options').openRawPort();
    const call = {
      kind: 'mutation',
      id: 1,
      name: 'counter.add',
      input: 1,
      page: 'p',
      attempt: 1,
      timeout: 9_000,
    };
    port.post({ ...call, sentAt: Date.now() });
    await vi.waitFor(() => expect(port.received).toHaveLength(1));

    port.post({ kind: 'ack', id: 1, page: 'p' }, { ...call, sentAt: Date.now() });
    await vi.waitFor(() => expect(port.received).toHaveLength(2));

    expect(port.received[1]).toEqual({ kind: 'error', id: 1, error: { code: 'ABORTED' } });
    expect(world.disk.read('counter')).toBe(1);
  });

  it('does not answer another procedure with an outcome', async () => {
    const world = createCounterWorld();
    const port = world.openPage('options').openRawPort();
    const call = { kind: 'mutation', id: 1, attempt: 1, timeout: 9_000, page: 'p', sentAt: Date.now() };
    world.disk.write('journal/p', { id: 1, name: 'secret.take', outcome: 'secret', at: Date.now() });

    port.post({ ...call, name: 'counter.add', input: 1 });

    await vi.waitFor(() =>
      expect(port.received).toEqual([{ kind: 'error', id: 1, error: { code: 'ABORTED' } }]),
    );
  });

  it('is not asked for a mutation that waited while the clock was set past the life of its entry', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    let finish = (): void => {};
    const slow = new Promise<void>((resolve) => (finish = resolve));
    const world = createCounterWorld({
      'counter.add': async ({ input, state }) => {
        if (input === 100) await slow;
        const count = Number((await state.get('counter')) ?? 0) + input;
        state.set('counter', count);
        return count;
      },
    });
    const page = world.openPage('options');
    world.killWorkerAt('before-reply');
    const call = {
      kind: 'mutation',
      id: 1,
      name: 'counter.add',
      input: 1,
      page: 'p',
      attempt: 1,
      timeout: 9_000,
    };
    page.openRawPort().post({ ...call, sentAt: Date.now() });
    await vi.waitFor(() => expect(world.disk.read('counter')).toBe(1));
    void world.openPage('options').client.mutate('counter.add', 100);
    await nextTask();
    page.openRawPort().post({ ...call, attempt: 2, sentAt: Date.now() });
    await nextTask();

    vi.setSystemTime(Date.now() + 2 * HOUR);
    finish();
    await world.openPage('options').client.mutate('counter.add', 1_000);

    expect(world.disk.read('counter')).toBe(1_101);
  });
});

function entriesIn({ disk }: ReturnType<typeof createCounterWorld>): unknown[] {
  return disk
    .keys()
    .filter((key) => key.startsWith('journal/'))
    .map((key) => disk.read(key));
}

/** Rejects with each error in turn where there is one, then works. */
function failing<Arguments extends unknown[], T>(
  work: (...values: Arguments) => Promise<T>,
  failures: (Error | undefined)[],
): (...values: Arguments) => Promise<T> {
  return async (...values) => {
    const failure = failures.shift();
    if (failure !== undefined) throw failure;
    return work(...values);
  };
}

function committingThenFailing(store: Store): Store {
  return {
    ...store,
    write: async (entries) => {
      await store.write(entries);
      throw new Error('The disk took it and says that it did not');
    },
  };
}

/** Refuses to hold more than so many characters of JSON. */
function withQuota(quota: number): (store: Store) => Store {
  return (store) => ({
    ...store,
    write: async (entries) => {
      const all = { ...(await store.readAll()), ...entries };
      if (JSON.stringify(all).length > quota) throw new Error('QUOTA_BYTES quota exceeded');
      await store.write(entries);
    },
  });
}

function nextTask(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve));
}

/** The state alone, over a store that records what is asked of it. */
function createPlainState() {
  const disk = new Map<string, Json>();
  const store = {
    read: vi.fn<Store['read']>(async (key) => disk.get(key)),
    readAll: vi.fn<Store['readAll']>(async () => Object.fromEntries(disk)),
    write: vi.fn<Store['write']>(async (entries) => {
      for (const [key, value] of Object.entries(entries)) disk.set(key, value);
    }),
    remove: vi.fn<Store['remove']>(async (keys) => keys.forEach((key) => disk.delete(key))),
    lock: async <T>(work: () => Promise<T>) => work(),
  };
  const log = vi.fn<(error: unknown) => void>();
  const state = createState(store, log);
  const transact = (id: number, page = 'page'): Promise<Json> =>
    state.transact(
      { page, id, name: 'samples.add' },
      () => {},
      async ({ set }) => {
        set('samples', id);
        return id;
      },
    );
  return { disk, store, state, log, transact };
}

describe('the state over a store', () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  it('says that it cannot be known when a failed write cannot be read back', async () => {
    let isBroken = false;
    const failed = async (): Promise<never> => Promise.reject(new Error('The disk is gone'));
    const { transact, store } = createPlainState();
    await transact(1);
    store.write.mockImplementation(async () => {
      isBroken = true;
      return failed();
    });
    store.read.mockImplementation(async () => (isBroken ? failed() : undefined));

    expect(await transact(2).catch((error: unknown) => error)).toMatchObject({
      report: { code: 'DISCONNECTED' },
    });
  });

  it.each([
    ['the first of its page', []],
    ['one after another, whose entry is not its own', [1]],
  ])('says that nothing was stored of a mutation that is %s', async (_what, before) => {
    vi.useFakeTimers({ now: 1_000_000 });
    const { transact, store, disk } = createPlainState();
    for (const id of before) await transact(id);
    store.write.mockImplementation(async () => Promise.reject(new Error('The disk is full')));
    const failed = transact(2).catch((error: unknown) => error);
    await vi.advanceTimersByTimeAsync(1_000);

    expect(await failed).toMatchObject({ report: { code: 'NOT_STORED' } });
    expect(disk.get('samples')).toBe(before[0]);
  });

  it('calls what a background prepares without a mutation failed when its write fails', async () => {
    const { state, store, log } = createPlainState();
    store.write.mockImplementation(async () => Promise.reject(new Error('The disk is full')));
    await state.prepare(async ({ set }) => set('samples', 1));

    expect(log).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ report: { code: 'NOT_STORED' } }));
  });

  it('prunes when it prepares and once an hour, and removes nothing that is not stale', async () => {
    vi.useFakeTimers({ now: 10 * HOUR });
    const { state, transact, store, disk } = createPlainState();
    await state.prepare(async () => {});
    const looks: number[] = [];
    for (const after of [0, HOUR - 1, 1, 0]) {
      vi.setSystemTime(Date.now() + after);
      await transact(looks.length + 1, `page ${looks.length}`);
      await vi.advanceTimersByTimeAsync(0);
      looks.push(store.readAll.mock.calls.length);
    }

    expect(looks).toEqual([1, 1, 2, 2]);
    // The entry of the first page is an hour old, that of the second is not.
    expect(store.remove.mock.calls).toEqual([[['journal/page 0']]]);
    expect([...disk.keys()].filter((key) => key.startsWith('journal/'))).toHaveLength(3);
  });

  it.each([null, 'text', 7, [], {}, { id: 1 }, { id: 1, at: 'today' }, { at: 1 }])(
    'removes %j from the journal, and answers a mutation of its page',
    async (garbage) => {
      const { state, transact, disk } = createPlainState();
      disk.set('journal/page', garbage);
      const answer = await transact(1);
      disk.set('journal/other', garbage);
      await state.prepare(async () => {});

      expect(answer).toBe(1);
      expect(disk.has('journal/other')).toBe(false);
    },
  );

  it('drops an outcome for its own acknowledgement alone, and once', async () => {
    const { state, transact, store, disk, log } = createPlainState();
    await transact(1);
    await transact(2);
    await state.acknowledge({ page: 'page', id: 1 });
    const kept = disk.get('journal/page');
    await state.acknowledge({ page: 'page', id: 2 });
    await state.acknowledge({ page: 'page', id: 2 });
    await state.acknowledge({ page: 'stranger', id: 2 });

    expect(kept).toMatchObject({ id: 2, outcome: 2 });
    expect(disk.get('journal/page')).toEqual({ id: 2, name: 'samples.add', at: expect.any(Number) });
    expect(store.write).toHaveBeenCalledTimes(3);
    expect(log).not.toHaveBeenCalled();
  });

  it('says which key belongs to the journal', async () => {
    const { state, log } = createPlainState();
    await state.prepare(async ({ set }) => set('journal/page', 1));

    expect(log).toHaveBeenCalledExactlyOnceWith(new TypeError('"journal/page" belongs to the journal.'));
  });
});
