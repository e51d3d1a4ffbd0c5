import * as v from 'valibot';
import { describe, expect, it, onTestFinished, vi } from 'vitest';

import { defineDocument } from '../../../src/messaging/state/documents.ts';
import type { Store } from '../../../src/messaging/state/store.ts';
import { createNotesWorld, notes, type NotesWorld, total } from '../../support/notes-world.ts';
import { never, rejectionOf } from '../../support/promises.ts';
import { gone, recordStore, refusing } from '../../support/store-faults.ts';
import { advance } from '../../support/time.ts';

const FULL = new Error('The disk is full');
const note = { text: 'text', done: false };
/** The total that the store holds. */
const stored = { total: { version: 1, data: 7 } };

/** Creates a world with a store that wraps the one of the disk. */
const createWorld = (wrap: (disk: Store) => Partial<Store>): NotesWorld =>
  createNotesWorld({ patchStore: (disk) => ({ ...disk, ...wrap(disk) }), stored });

/** The logged errors have this cause. */
const logHas = ({ world }: NotesWorld, cause: unknown): void =>
  expect([...world.logged.values()]).toContainEqual(expect.objectContaining({ cause }));

describe('a read', () => {
  it('of session state ends in NOT_READ if the lock is refused, and the log has the reason', async () => {
    const active = defineDocument({ key: 'active', schema: v.number(), initial: 0, lifetime: 'session' });
    const reason = new Error('No locks here');
    const created = createNotesWorld({
      documents: [active],
      session: async () => 'second',
      patchStore: (disk) => ({ ...disk, lock: () => Promise.reject(reason) }),
      stored: { active: { version: 1, data: 7 } },
    });

    const { code } = await rejectionOf(created.read((state) => state.read(active)));

    expect(code).toBe('NOT_READ');
    logHas(created, reason);
  });

  /** Creates a world whose store fails so often to read the total, or to list the notes. */
  function createFailingWorld(failures: number): NotesWorld {
    let left = failures;
    const fails = (isMeant: boolean): boolean => isMeant && left-- > 0;
    return createWorld((disk) => ({
      read: async (keys) => (fails(keys.includes('total')) ? gone() : disk.read(keys)),
      list: async (prefix) => (fails(prefix === 'notes/') ? gone() : disk.list(prefix)),
    }));
  }

  it('is tried again if the store fails once', async () => {
    const { read } = createFailingWorld(1);

    expect(await read((state) => state.read(total))).toBe(7);
  });

  it('ends in NOT_READ if the store fails twice, and the log has the reason', async () => {
    const created = createFailingWorld(2);

    const { code } = await rejectionOf(created.read((state) => state.read(total)));

    expect(code).toBe('NOT_READ');
    logHas(created, new Error('The disk is gone'));
  });

  it('ends in NOT_READ if the store does not answer twice within ten seconds', async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const created = createWorld((disk) => ({
      read: (keys) => (keys.includes('total') ? never() : disk.read(keys)),
    }));

    // A subscription has no deadline.
    const ended = rejectionOf(created.watch((state) => state.watch(total)).next());
    await advance(20_100);

    expect((await ended).code).toBe('NOT_READ');
    logHas(created, new Error('The store did not answer within 10000 ms.'));
  });

  it('lists a collection that an earlier call could not list', async () => {
    const { read } = createFailingWorld(2);
    const count = () => read((state) => state.count(notes));

    expect([(await rejectionOf(count())).code, await count()]).toEqual(['NOT_READ', 0]);
  });
});

describe('a change', () => {
  it('that ends in IN_DOUBT is logged with the reason for which the store rejected it', async () => {
    let isBroken = false;
    const created = createWorld((disk) => ({
      read: (keys) => (isBroken ? gone() : disk.read(keys)),
      write: async () => {
        isBroken = true;
        throw FULL;
      },
    }));

    const { code } = await rejectionOf(created.change((state) => state.write(total, 1)));

    expect(code).toBe('IN_DOUBT');
    logHas(created, FULL);
  });

  it('is not taken for stored because some of its values are stored already', async () => {
    const { patchStore, writes } = recordStore();
    const { world, change } = createNotesWorld({ patchStore, stored });
    world.disk.failWrites(FULL);

    const error = await rejectionOf(
      change((state) => {
        state.write(total, 7);
        state.set(notes, 'a', note);
      }),
    );

    expect([error.code, world.disk.keys()]).toEqual(['NOT_STORED', ['total']]);
    // There are no outcomes to drop, so the store is not written for that.
    expect(writes.filter((keys) => !keys.includes('notes/a'))).toEqual([]);
  });

  it.each([1, 2])(
    'is recognized as stored by write %d, although the store rejects it, and sorts the members of its values',
    async (last) => {
      let count = 0;
      const { world, change } = createWorld((disk) => ({
        read: async (keys) => {
          const found = Object.entries(await disk.read(keys));
          return Object.fromEntries(found.map(([key, value]) => [key, reverseMembers(value)]));
        },
        write: async (entries) => {
          if (!('notes/a' in entries)) return disk.write(entries);
          count += 1;
          if (count === last) await disk.write(entries);
          throw FULL;
        },
      }));
      const data = { ...note, parts: [{ b: 1, a: [2, { d: null, c: 'text' }] }] };

      await change((state) => state.set(notes, 'a', data));

      expect([world.disk.dataOf('notes/a'), count]).toEqual([data, last]);
    },
  );

  it('gets room on a full disk, from outcomes and old entries, even if the first attempt to make room fails', async () => {
    let failures = 1;
    const isFull = (): boolean => {
      const { outcome } = world.disk.read('journal/closed') as { readonly outcome?: unknown };
      return outcome !== undefined || world.disk.keys().includes('journal/99');
    };
    const patchStore = refusing((entries) =>
      'journal/closed' in entries ? failures-- > 0 : 'total' in entries && isFull(),
    );
    const old = Array.from({ length: 100 }, (_, page) => [`journal/${page}`, { id: 1, at: 1 }] as const);
    const journal = {
      ...Object.fromEntries(old),
      'journal/closed': { id: 1, name: 'test.change', outcome: 1, at: Date.now() },
      'journal/damaged': 'eaten',
    };
    const { world, change } = createNotesWorld({ patchStore, stored: journal });

    await change((state) => state.write(total, 1));

    expect([world.disk.dataOf('total'), isFull()]).toEqual([1, false]);
  });
});

/** Returns a value whose objects have their members in the opposite order. */
function reverseMembers(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(reverseMembers);
  const members = Object.entries(value).map(([name, part]) => [name, reverseMembers(part)] as const);
  return Object.fromEntries(members.toReversed());
}
