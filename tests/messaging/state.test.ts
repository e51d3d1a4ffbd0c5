import { afterEach, describe, expect, it, vi } from 'vitest';

import { ProcedureError } from '../../src/messaging/errors.ts';
import type { Json } from '../../src/messaging/json.ts';
import { createState, type Store, type Transaction } from '../../src/messaging/server/state.ts';
import { counterContract, counterHandlers } from '../support/counter.ts';
import { createDeferred } from '../support/promises.ts';
import { createMemoryWorld } from '../support/memory-world.ts';

const HOUR = 60 * 60 * 1_000;
const FULL = new Error('The disk is full');
const CALL = { page: 'page', id: 1, name: 'samples.add' };

afterEach(() => void vi.useRealTimers());

/** The state over a store in memory, whose functions a test may replace. */
function createPlainState() {
  const disk = new Map<string, Json>();
  let turn: Promise<unknown> = Promise.resolve();
  const store = {
    read: vi.fn<Store['read']>(async (key) => disk.get(key)),
    readAll: vi.fn<Store['readAll']>(async () => Object.fromEntries(disk)),
    write: vi.fn<Store['write']>(async (entries) => {
      for (const [key, value] of Object.entries(entries)) disk.set(key, value);
    }),
    remove: vi.fn<Store['remove']>(async (keys) => keys.forEach((key) => disk.delete(key))),
    lock: <T>(work: () => Promise<T>): Promise<T> => {
      const working = turn.then(work);
      turn = working.catch(() => {});
      return working;
    },
  };
  const log = vi.fn<(error: unknown) => void>();
  const state = createState(store, log);
  const entries = (): unknown[] =>
    [...disk].filter(([key]) => key.startsWith('journal/')).map(([, entry]) => entry);

  /** Runs a mutation, which is answered with its own number: that, or what it fails in. */
  async function transact(
    id: number,
    page = 'page',
    run = ({ set }: Transaction): unknown => set('samples', id),
  ) {
    const work = async (transaction: Transaction): Promise<number> => (await run(transaction), id);
    try {
      return await state.transact({ ...CALL, page, id }, () => {}, work);
    } catch (error) {
      return error instanceof ProcedureError ? error.report.code : error;
    }
  }
  return { disk, store, state, log, entries, transact };
}

describe('a transaction', () => {
  it('stores a value as it was when it was set, returns copies, and inherits nothing', async () => {
    const { disk, transact } = createPlainState();
    let inherited: unknown;

    await transact(1, 'page', async ({ get, set }) => {
      const samples = ['first'];
      set('samples', samples);
      samples.push('second');
      Object.assign((await get('samples')) ?? {}, ['other']);
      inherited = await get('toString');
    });

    expect(disk.get('samples')).toEqual(['first']);
    expect(inherited).toBeUndefined();
  });

  it.each<[string, string, unknown, string]>([
    ['a value that is not JSON', 'samples', [undefined], 'undefined is not JSON'],
    ['a key of the journal', 'journal/page', 1, '"journal/page" belongs to the journal.'],
  ])('rejects %s, and writes nothing', async (_what, key, value, message) => {
    const { store, transact } = createPlainState();

    const error = await transact(1, 'page', ({ set }) => {
      set('other', 1);
      set(key, value as Json);
    });

    expect(String(error)).toContain(message);
    expect(store.write).not.toHaveBeenCalled();
  });

  it('ends in NOT_READ when the lock cannot be had, with the reason as cause', async () => {
    const reason = new Error('No locks here');
    const { state, store } = createPlainState();
    store.lock = () => Promise.reject(reason);

    const transacting = state.transact(CALL, vi.fn<() => void>(), async () => 1);

    await expect(transacting).rejects.toMatchObject({ report: { code: 'NOT_READ' }, cause: reason });
    expect(store.write).not.toHaveBeenCalled();
  });

  it.each([
    ['answers', 1, 7],
    ['ends in NOT_READ', 2, expect.objectContaining({ report: { code: 'NOT_READ' }, cause: FULL })],
  ])('%s when a read has failed %d times', async (_what, failures, expected) => {
    const { state, store, disk } = createPlainState();
    disk.set('samples', 7);
    for (let failed = 0; failed < failures; failed += 1) store.read.mockRejectedValueOnce(FULL);

    const outcome = await state.get('samples').catch((error: unknown) => error);

    expect(outcome).toEqual(expected);
  });

  it.each([
    ['NOT_STORED', 'fails', true],
    ['DISCONNECTED', 'fails and cannot be read back', false],
  ])('ends in %s when its write %s', async (code, _what, isReadable) => {
    const { disk, store, transact } = createPlainState();
    store.write.mockImplementation(async () => {
      if (!isReadable) store.read.mockRejectedValue(FULL);
      throw FULL;
    });

    expect(await transact(1)).toBe(code);
    expect(disk.has('samples')).toBe(false);
  });

  it('is not called failed when its write took effect and then failed', async () => {
    const { disk, store, transact } = createPlainState();
    const write = store.write.getMockImplementation();
    store.write.mockImplementation(async (entries) => {
      await write?.(entries);
      throw FULL;
    });

    expect([await transact(1), await transact(2)]).toEqual([1, 2]);
    expect(disk.get('samples')).toBe(2);
  });
});

describe('the journal', () => {
  it('has one entry a page, whose outcome goes when the page acknowledges it', async () => {
    const { state, transact, store, entries, log } = createPlainState();
    await transact(1);
    await transact(2);

    await state.acknowledge({ page: 'page', id: 1 });
    const kept = entries();
    for (const page of ['page', 'page', 'stranger']) await state.acknowledge({ page, id: 2 });

    expect(kept).toEqual([{ id: 2, name: 'samples.add', outcome: 2, at: expect.any(Number) }]);
    expect(entries()).toEqual([{ id: 2, name: 'samples.add', at: expect.any(Number) }]);
    // Two mutations and one acknowledgement.
    expect(store.write).toHaveBeenCalledTimes(3);
    expect(log).not.toHaveBeenCalled();
  });

  it.each([
    ['answers with the outcome of', { id: 2, name: 'samples.add', outcome: 5 }, 5],
    ['rejects, as its page has moved on,', { id: 3, name: 'samples.add', outcome: 5 }, 'ABORTED'],
    ['rejects, as its page has acknowledged it,', { id: 2, name: 'samples.add' }, 'ABORTED'],
    [
      'rejects, as the outcome is that of another procedure,',
      { id: 2, name: 'secret.take', outcome: 5 },
      'ABORTED',
    ],
  ])('%s a mutation that comes again', async (_what, entry, expected) => {
    const { disk, transact } = createPlainState();
    disk.set('journal/page', { ...entry, at: Date.now() });

    expect(await transact(2)).toBe(expected);
    expect(disk.has('samples')).toBe(false);
  });

  it.each([null, 'text', 7, [], {}, { id: 1 }, { id: 1, at: 'today' }, { at: 1 }])(
    'counts %j as no entry, and removes it',
    async (garbage) => {
      const { state, transact, disk } = createPlainState();
      disk.set('journal/page', garbage);
      disk.set('journal/other', garbage);

      const answer = await transact(1);
      await state.prepare(async () => {});

      expect([answer, disk.has('journal/other')]).toEqual([1, false]);
    },
  );

  it('is pruned when a worker starts, of entries that are an hour old and of those from the future', async () => {
    const { state, disk } = createPlainState();
    vi.useFakeTimers({ now: 10 * HOUR });
    const ages = { old: -HOUR, recent: -HOUR + 1, soon: HOUR - 1, future: HOUR };
    for (const [page, age] of Object.entries(ages))
      disk.set(`journal/${page}`, { id: 1, at: Date.now() + age });
    disk.set('other', 'kept');

    await state.prepare(async () => {});

    expect([...disk.keys()]).toEqual(['journal/recent', 'journal/soon', 'other']);
  });

  it('is pruned once an hour while a worker lives on', async () => {
    vi.useFakeTimers({ now: 10 * HOUR });
    const { state, transact, store, entries } = createPlainState();
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
    expect(entries()).toHaveLength(3);
  });

  it('is pruned when old entries have filled the store', async () => {
    const { transact, store, disk } = createPlainState();
    const write = store.write.getMockImplementation();
    const old = { id: 1, name: 'samples.add', outcome: 'x'.repeat(500), at: Date.now() - HOUR };
    disk.set('journal/old', old);
    store.write.mockImplementation(async (entries) => {
      if (JSON.stringify([...disk]).length > 500) throw FULL;
      await write?.(entries);
    });

    expect(await transact(1)).toBe(1);
    expect([...disk.keys()]).toEqual(['samples', 'journal/page']);
  });
});

describe('what a worker prepares', () => {
  it('is done before its first mutation, and reaches those who watch', async () => {
    const gate = createDeferred();
    const world = createMemoryWorld({
      contract: counterContract,
      handlers: counterHandlers,
      prepare: async (state) => {
        await gate.promise;
        state.set('counter', 10);
      },
    });
    const watched = world.openPage('popup').client.subscribe('counter.watch');
    const before = await watched.next();
    const added = world.openPage('options').client.mutate('counter.add', 1);
    // Long enough for the mutation, did it not wait.
    await new Promise((resolve) => setTimeout(resolve, 20));

    const next = watched.next();
    gate.resolve();

    expect([before.value, (await next).value, await added]).toEqual([0, 10, 11]);
  });

  it.each([
    ['it throws', FULL],
    ['its write fails', expect.objectContaining({ report: { code: 'NOT_STORED' }, cause: FULL })],
  ])('is logged and not written when %s, and stops no later mutation', async (what, logged) => {
    const { state, store, transact, disk, log } = createPlainState();
    if (what === 'its write fails') store.write.mockRejectedValueOnce(FULL).mockRejectedValueOnce(FULL);

    await state.prepare(async ({ set }) => {
      set('prepared', 1);
      if (what === 'it throws') throw FULL;
    });

    expect(log).toHaveBeenCalledExactlyOnceWith(logged);
    expect([await transact(1), disk.has('prepared')]).toEqual([1, false]);
  });
});
