import { setMaxListeners } from 'node:events';

import * as v from 'valibot';
import { afterEach, describe, expect, it, vi } from 'vitest';

import { ProcedureError } from '../../src/messaging/errors.ts';
import type { Json } from '../../src/messaging/json.ts';
import { defineCollection, defineDocument } from '../../src/messaging/state/documents.ts';
import { findOutcome, toRecord } from '../../src/messaging/state/journal.ts';
import { damageOf } from '../../src/messaging/state/quarantine.ts';
import { createState, type StateWatcher } from '../../src/messaging/state/state.ts';
import type { Store } from '../../src/messaging/state/store.ts';
import type { StateWriter } from '../../src/messaging/state/transaction.ts';
import { never } from '../support/promises.ts';

const HOUR = 60 * 60 * 1_000;
const WEEK = 7 * 24 * HOUR;
const FULL = new Error('The disk is full');
/** The code for a mutation whose outcome is no longer stored. */
const MADE = 'ALREADY_MADE';

const samples = defineDocument({ key: 'samples', schema: v.array(v.string()), initial: [] });
const other = defineDocument({ key: 'other', schema: v.number(), initial: 0 });

const lines = defineCollection({ key: 'lines', schema: v.string() });
const choice = defineDocument({ key: 'choice', schema: v.nullable(v.string()), initial: 'first' });

// Node warns of more than ten listeners. Here a hundred watchers follow one document.
setMaxListeners(0);

afterEach(() => void vi.useRealTimers());

/** Creates the state over a store in memory. A test may replace the functions of the store. */
function createPlainState() {
  const disk = new Map<string, Json>();
  let tail: Promise<unknown> = Promise.resolve();
  const readDisk: Store['read'] = async (keys) =>
    Object.fromEntries(keys.flatMap((key) => (disk.has(key) ? [[key, disk.get(key)]] : [])));
  const writeDisk: Store['write'] = async (entries) => {
    for (const [key, value] of Object.entries(entries)) {
      if (value === null) disk.delete(key);
      else disk.set(key, value);
    }
  };
  const store = {
    read: vi.fn<Store['read']>(readDisk),
    write: vi.fn<Store['write']>(writeDisk),
    list: vi.fn<Store['list']>(async (prefix) =>
      [...disk.keys()].filter((key) => key.startsWith(prefix)).toSorted(),
    ),
    lock: <T>(work: () => Promise<T>): Promise<T> => {
      const working = tail.then(work);
      tail = working.catch(() => {});
      return working;
    },
  };
  const log = vi.fn<(error: unknown) => void>();
  const create = () =>
    createState({
      store,
      definitions: [samples, other, lines, choice],
      tasks: [],
      version: '1',
      owner: 'owner',
      session: async () => 'session',
      log,
    });
  const state = create();
  const entries = (): unknown[] =>
    [...disk].filter(([key]) => key.startsWith('journal/')).map(([, entry]) => entry);
  /** Runs a mutation that returns its id. Returns the id, or the code of the error that the mutation ends in. */
  async function transact(
    id: number,
    source = 'page',
    run = ({ write }: StateWriter): unknown => write(samples, [String(id)]),
    { inTurn } = state,
  ) {
    const identity = { source, id, name: 'samples.add' };
    try {
      return await inTurn(async (turn) => {
        const recorded = await findOutcome(turn, identity, true);
        if (recorded !== undefined) return recorded.outcome;
        const { state: writer, merge } = turn.open();
        await run(writer);
        await merge(turn.signal);
        turn.stage(toRecord(identity, id));
        return id;
      });
    } catch (error) {
      return error instanceof ProcedureError ? error.report.code : error;
    }
  }
  return { disk, readDisk, writeDisk, store, state, create, log, entries, transact };
}

/** Waits for work that continues after its call, such as pruning. */
const settle = (): Promise<unknown> => vi.advanceTimersByTimeAsync(0);

describe('a transaction', () => {
  it('stores data as it was at the time of `write`, and reads copies', async () => {
    const { disk, transact } = createPlainState();

    await transact(1, 'page', async ({ read, write }) => {
      const data = ['first'];
      write(samples, data);
      data.push('second');
      (await read(samples)).push('third');
    });

    expect(disk.get('samples')).toEqual({ version: 1, data: ['first'] });
  });

  it('reads a copy of the initial data', async () => {
    const { state, transact } = createPlainState();

    await transact(1, 'page', async ({ read }) => {
      (await read(samples)).push('never stored');
      throw new Error('fails');
    });

    expect(await state.reader.read(samples)).toEqual([]);
  });

  it('reads `null` that was stored, and not the initial data', async () => {
    const { state, transact } = createPlainState();

    await transact(1, 'page', ({ write }) => write(choice, null));

    expect(await state.reader.read(choice)).toBeNull();
  });

  it('ends in NOT_READ when the lock is refused, and the reason is its cause', async () => {
    const reason = new Error('No locks here');
    const { state, store } = createPlainState();
    store.lock = () => Promise.reject(reason);

    await expect(state.inTurn(async () => {})).rejects.toMatchObject({
      report: { code: 'NOT_READ' },
      cause: reason,
    });
    expect(store.write).not.toHaveBeenCalled();
  });

  it.each([
    ['succeeds', 1, 7],
    ['ends in NOT_READ', 2, expect.objectContaining({ report: { code: 'NOT_READ' }, cause: FULL })],
  ])('%s if its read of the store fails %d times in a row', async (_what, failures, expected) => {
    const { state, store, disk } = createPlainState();
    disk.set('other', { version: 1, data: 7 });
    for (let failed = 0; failed < failures; failed += 1) store.read.mockRejectedValueOnce(FULL);

    const outcome = await state.reader.read(other).catch((error: unknown) => error);

    expect(outcome).toEqual(expected);
  });

  it('ends in NOT_READ when two reads in a row do not settle within ten seconds each', async () => {
    vi.useFakeTimers();
    const { state, store } = createPlainState();
    store.read.mockImplementation(never);

    const outcome = state.reader.read(other).catch((error: unknown) => error);
    await vi.advanceTimersByTimeAsync(20_100);

    const cause = { message: 'The store did not answer within 10000 ms.' };
    expect(await outcome).toMatchObject({ report: { code: 'NOT_READ' }, cause });
  });

  it.each([
    ['NOT_STORED', 'fails', true],
    ['IN_DOUBT', 'fails and cannot be read back', false],
  ])('ends in %s when its write %s', async (code, _what, isReadable) => {
    const { disk, store, transact } = createPlainState();
    store.write.mockImplementation(async () => {
      if (!isReadable) store.read.mockRejectedValue(FULL);
      throw FULL;
    });

    expect(await transact(1)).toBe(code);
    expect(disk.has('samples')).toBe(false);
    // There are no outcomes to drop, so the store is not written for that.
    expect(store.write.mock.calls.filter(([entries]) => !('samples' in entries))).toEqual([]);
  });

  it('is answered when its write took effect although the store rejects it', async () => {
    const { disk, store, transact, writeDisk } = createPlainState();
    store.write.mockImplementation(async (entries) => {
      await writeDisk(entries);
      throw FULL;
    });

    expect([await transact(1), await transact(2)]).toEqual([1, 2]);
    expect(disk.get('samples')).toEqual({ version: 1, data: ['2'] });
    expect(store.write.mock.calls.filter(([entries]) => 'samples' in entries)).toHaveLength(2);
  });

  it('is answered when only its second write took effect although the store rejects both', async () => {
    const { disk, store, transact, writeDisk } = createPlainState();
    let tries = 0;
    store.write.mockImplementation(async (entries) => {
      if ('samples' in entries) tries += 1;
      if (tries > 1) await writeDisk(entries);
      throw FULL;
    });

    expect([await transact(1), tries]).toEqual([1, 2]);
    expect(disk.get('samples')).toEqual({ version: 1, data: ['1'] });
  });

  it('writes its changes and its journal entry, and nothing else', async () => {
    const { store, transact } = createPlainState();

    await transact(1);

    expect(Object.keys(store.write.mock.calls[0]?.[0] ?? {})).toEqual(['samples', 'journal/page']);
  });

  it.each<[what: string, run: (writer: StateWriter) => Promise<unknown>]>([
    ['updates', ({ update }) => update(other, (count) => count + 1)],
    // The read is the check of what is replaced.
    ['has written', async ({ write, read }) => (write(other, 1), read(other))],
  ])('reads a document that it %s only once', async (_what, run) => {
    const { store, transact } = createPlainState();

    await transact(1, 'page', run);

    expect(store.read.mock.calls.flat(2).filter((key) => key === 'other')).toHaveLength(1);
    expect(store.read.mock.calls.filter(([keys]) => keys.length === 0)).toEqual([]);
  });
});

it('a value that can be read is read once, because it is not quarantined', async () => {
  vi.useFakeTimers();
  const { state, store, disk } = createPlainState();
  disk.set('other', { version: 1, data: 7 });

  await state.reader.read(other);
  await settle();

  expect(store.read).toHaveBeenCalledTimes(1);
});

describe('the journal', () => {
  it('has one entry for each page, and drops its outcome when the page acknowledges it', async () => {
    vi.useFakeTimers();
    const { state, transact, store, entries, log } = createPlainState();
    await transact(1);
    await transact(2);
    await settle();
    const written = store.write.mock.calls.length;

    await state.acknowledge('page', 1);
    const kept = entries();
    for (const source of ['page', 'page', 'stranger']) await state.acknowledge(source, 2);

    expect(kept).toEqual([{ id: 2, name: 'samples.add', outcome: 2, at: expect.any(Number) }]);
    expect(entries()).toEqual([{ id: 2, name: 'samples.add', at: expect.any(Number) }]);
    expect(store.write).toHaveBeenCalledTimes(written + 1);
    expect(log).not.toHaveBeenCalled();
  });

  it('drops an outcome on the second try if the first write fails', async () => {
    vi.useFakeTimers();
    const { state, transact, store, entries } = createPlainState();
    await transact(1);
    await settle();
    store.write.mockRejectedValueOnce(FULL);

    const acknowledging = state.acknowledge('page', 1);
    await vi.advanceTimersByTimeAsync(100);
    await acknowledging;

    expect(entries()).toEqual([{ id: 1, name: 'samples.add', at: expect.any(Number) }]);
  });

  it('drops an earlier outcome when a later mutation without an entry is acknowledged', async () => {
    const { state, transact, entries } = createPlainState();
    await transact(1);

    await state.acknowledge('page', 5);

    expect(entries()).toEqual([{ id: 1, name: 'samples.add', at: expect.any(Number) }]);
  });

  it.each([
    ['answers with the outcome of', { id: 2, name: 'samples.add', outcome: 5 }, 5],
    ['rejects, after a later mutation of its page,', { id: 3, name: 'samples.add', outcome: 5 }, MADE],
    ['rejects, after its acknowledgement,', { id: 2, name: 'samples.add' }, MADE],
    ['rejects, with the outcome of another procedure,', { id: 2, name: 'secret.take', outcome: 5 }, MADE],
  ])('%s a mutation that arrives again', async (_what, entry, expected) => {
    const { disk, store, transact } = createPlainState();
    disk.set('journal/page', { ...entry, at: Date.now() });

    expect(await transact(2)).toBe(expected);
    expect(store.write).not.toHaveBeenCalled();
  });

  it.each([null, 'text', 7, [], {}, { id: 1 }, { id: 1, at: 'today' }, { id: 'one', at: 1 }, { at: 1 }])(
    'treats %j as a missing entry, and removes it',
    async (garbage) => {
      vi.useFakeTimers();
      const { transact, disk } = createPlainState();
      for (const page of ['page', 'other', 'third']) disk.set(`journal/${page}`, garbage);

      const answer = await transact(1);
      await settle();

      expect([answer, disk.has('journal/other'), disk.has('journal/third')]).toEqual([1, false, false]);
    },
  );

  /** Adds a hundred new entries to the journal, and others of these ages in ms. */
  function fillJournal(disk: Map<string, Json>, ages: Readonly<Record<string, number>>): void {
    for (let page = 0; page < 100; page += 1) disk.set(`journal/new ${page}`, { id: 1, at: Date.now() });
    for (const [page, age] of Object.entries(ages)) {
      disk.set(`journal/${page}`, { id: 1, name: 'samples.add', outcome: 1, at: Date.now() - age });
    }
  }

  it('is pruned after a change: entries are removed after an hour, and keys of events after a week', async () => {
    vi.useFakeTimers({ now: 1_000 * HOUR });
    const { transact, disk } = createPlainState();
    const ages = { old: HOUR, recent: HOUR - 1, 'background/a/old': WEEK, 'background/a/recent': WEEK - 1 };
    fillJournal(disk, ages);
    const future = { id: 1, name: 'samples.set', at: Date.now() + HOUR };
    disk.set('journal/future', { ...future, outcome: 'dropped' });
    disk.set('stranger', 'kept');

    await transact(1);
    await settle();

    const kept = [...disk.keys()].filter((key) => !key.startsWith('journal/new'));
    // The entry from the future is among the newest hundred, so only its outcome is removed.
    expect(disk.get('journal/future')).toEqual(future);
    expect(kept.toSorted()).toEqual([
      'journal',
      'journal/background/a/recent',
      'journal/future',
      'journal/page',
      'journal/recent',
      'samples',
      'stranger',
    ]);
  });

  it('keeps its newest hundred entries without their outcomes, even if the clock jumps ahead', async () => {
    vi.useFakeTimers({ now: 1_000 * HOUR });
    const { transact, entries } = createPlainState();
    await transact(1, 'first');

    vi.setSystemTime(Date.now() + 2 * HOUR);
    await transact(1, 'second');
    await settle();

    expect(entries()).toEqual([
      { id: 1, name: 'samples.add', at: 1_000 * HOUR },
      { id: 1, name: 'samples.add', outcome: 1, at: 1_002 * HOUR },
    ]);
  });

  it('is not written again for entries that have lost their outcomes', async () => {
    vi.useFakeTimers({ now: 1_000 * HOUR });
    const { transact, store } = createPlainState();

    for (const page of ['first', 'second', 'third']) {
      await transact(1, page);
      await settle();
      vi.setSystemTime(Date.now() + 2 * HOUR);
    }

    const lastWrite = store.write.mock.lastCall?.[0] ?? {};
    expect(Object.keys(lastWrite)).toEqual(['journal/second', 'journal']);
  });

  it('is pruned at most once an hour, also by the next background', async () => {
    vi.useFakeTimers({ now: 1_000 * HOUR });
    const { transact, create, disk } = createPlainState();
    const prunedAt: unknown[] = [];

    for (const after of [0, HOUR - 1, 1, 0]) {
      vi.setSystemTime(Date.now() + after);
      await transact(prunedAt.length + 1);
      await settle();
      prunedAt.push(disk.get('journal'));
    }
    vi.setSystemTime(Date.now() + 1);
    await transact(9, 'page', undefined, create());
    await settle();

    const [first, second] = [1_000 * HOUR, 1_001 * HOUR];
    expect([...prunedAt, disk.get('journal')]).toEqual([first, first, second, second, second]);
  });

  it('drops its outcomes when a write fails because the store is full', async () => {
    const { transact, store, disk, writeDisk } = createPlainState();
    disk.set('journal/closed', { id: 1, name: 'samples.add', outcome: 'x'.repeat(500), at: Date.now() });
    disk.set('journal/acknowledged', { id: 1, name: 'samples.add', at: 1 });
    disk.set('journal/garbage', null);
    store.write.mockImplementation(async (entries) => {
      const after = new Map([...disk, ...Object.entries(entries)]);
      if (JSON.stringify([...after]).length > 500) throw FULL;
      await writeDisk(entries);
    });

    expect(await transact(1)).toBe(1);
    expect(disk.get('journal/closed')).toEqual({ id: 1, name: 'samples.add', at: expect.any(Number) });
  });
});

describe('the lock is free after five seconds if the store does not answer', () => {
  type Plain = ReturnType<typeof createPlainState>;
  /** Makes each later read of a key, or of any key, hang. */
  function hangReads({ store, readDisk }: Plain, hanging?: string): void {
    store.read.mockImplementation((keys) =>
      hanging === undefined || keys.includes(hanging) ? never() : readDisk(keys),
    );
  }

  it.each<[work: string, start: (plain: Plain) => unknown]>([
    [
      'an acknowledgement',
      async (plain) => {
        await plain.transact(1);
        hangReads(plain);
        await plain.state.acknowledge('page', 1);
      },
    ],
    [
      'pruning',
      async (plain) => {
        hangReads(plain, 'journal');
        await plain.transact(1);
      },
    ],
    [
      'a move to the quarantine',
      async (plain) => {
        hangReads(plain);
        plain.store.read.mockResolvedValueOnce({ other: 'broken' });
        await plain.state.reader.read(other);
      },
    ],
    [
      'making room',
      async (plain) => {
        plain.store.write.mockRejectedValueOnce(FULL);
        plain.store.list.mockImplementation(never);
        await plain.transact(1);
      },
    ],
  ])('during %s', async (_work, start) => {
    vi.useFakeTimers();
    const plain = createPlainState();
    const { store } = plain;
    const { lock } = store;
    const held: number[] = [];
    store.lock = (work) =>
      lock(async () => {
        const since = Date.now();
        try {
          return await work();
        } finally {
          held.push(Date.now() - since);
        }
      });

    void Promise.resolve(start(plain)).catch(() => {});
    await vi.advanceTimersByTimeAsync(60_000);

    expect(Math.max(...held)).toBe(5_000);
  });
});

describe('watchers', () => {
  const written = { isEmpty: false, documents: ['samples'] };

  it('can read after the read of another one has failed', async () => {
    const { state, store, disk } = createPlainState();
    disk.set('other', { version: 1, data: 7 });
    const { signal } = new AbortController();
    const look = () => state.createWatcher(signal).watch(other).next();
    store.read.mockRejectedValueOnce(FULL).mockRejectedValueOnce(FULL);

    const failed = await look().catch((error: unknown) => error);

    expect(failed).toMatchObject({ report: { code: 'NOT_READ' } });
    expect(await look()).toEqual({ done: false, value: 7 });
  });

  it('get a change whose write was reported as failed and could not be checked', async () => {
    const { state, store, transact, readDisk, writeDisk } = createPlainState();
    const controller = new AbortController();
    const watched = state.createWatcher(controller.signal).watch(other);
    await watched.next();
    const next = watched.next();
    store.write.mockImplementation(async (entries) => {
      await writeDisk(entries);
      store.read.mockRejectedValue(FULL);
      throw FULL;
    });

    const answer = await transact(1, 'page', (writer) => writer.write(other, 7));
    store.read.mockImplementation(readDisk);

    expect([answer, await next]).toEqual(['IN_DOUBT', { done: false, value: 7 }]);
    controller.abort();
  });

  it('refuse a collection that is not in the list', () => {
    const { state } = createPlainState();
    const unlisted = defineCollection({ key: 'others', schema: v.string() });

    expect(() => state.createWatcher(new AbortController().signal).watch(unlisted)).toThrow(TypeError);
  });

  it.each<[of: string, watch: (state: StateWatcher) => AsyncGenerator<unknown, void>, expected: unknown]>([
    ['of one document', ({ watch }) => watch(samples), ['1']],
    ['of the condition', (state) => damageOf(state).watch(), expect.objectContaining(written)],
  ])('%s share one read after a change', async (_of, watch, expected) => {
    const { state, store, transact } = createPlainState();
    const controller = new AbortController();
    const watching = Array.from({ length: 100 }, () => watch(state.createWatcher(controller.signal)));
    await Promise.all(watching.map((watched) => watched.next()));
    const next = watching.map((watched) => watched.next());
    const before = store.read.mock.calls.length;

    await transact(1, 'page', ({ write, set }) => (write(samples, ['1']), set(lines, '1', 'line')));
    const seen = await Promise.all(next);
    controller.abort();

    expect(seen.map(({ value }) => value)).toEqual(watching.map(() => expected));
    // One read for the data that is replaced, and one for all watchers.
    expect(store.read.mock.calls.slice(before).filter(([keys]) => keys.includes('samples'))).toHaveLength(2);
  });
});

it('a store that old entries of the journal have filled has room for a change', async () => {
  vi.useFakeTimers({ now: 1_000 * HOUR });
  const { transact, store, disk, writeDisk } = createPlainState();
  for (let page = 0; page < 300; page += 1)
    disk.set(`journal/${page}`, { id: 1, name: 'samples.add', at: 1 });
  store.write.mockImplementation(async (entries) => {
    const added = Object.keys(entries).some((key) => entries[key] !== null && !disk.has(key));
    if (added && disk.size >= 300) throw FULL;
    await writeDisk(entries);
  });

  const changed = transact(1);
  await vi.advanceTimersByTimeAsync(1_000);

  expect(await changed).toBe(1);
});
