import * as v from 'valibot';
import { afterEach, describe, expect, it, vi } from 'vitest';

import { defineDocument } from '../../../src/messaging/state/documents.ts';
import { damageOf } from '../../../src/messaging/state/quarantine.ts';
import type { Store } from '../../../src/messaging/state/store.ts';
import { quarantineIn } from '../../support/counter-world.ts';
import { createNotesWorld, notes, type NotesWorld, total } from '../../support/notes-world.ts';
import { rejectionOf } from '../../support/promises.ts';
import { gone, holding, recordStore, refusing } from '../../support/store-faults.ts';

const FULL = new Error('The disk is full');
const note = { text: 'text', done: false };

afterEach(() => void vi.restoreAllMocks());

/** Creates a world with a store that wraps the one of the disk. */
const createWorld = (wrap: (disk: Store) => Partial<Store>): NotesWorld =>
  createNotesWorld({ patchStore: (disk) => ({ ...disk, ...wrap(disk) }) });

/** Returns a value whose objects have their members in the opposite order. */
function reverseMembers(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(reverseMembers);
  const members = Object.entries(value).map(([name, part]) => [name, reverseMembers(part)] as const);
  return Object.fromEntries(members.toReversed());
}

describe('a read', () => {
  it('ends in NOT_READ if the lock is refused before session state is ready', async () => {
    const active = defineDocument({ key: 'active', schema: v.number(), initial: 0, lifetime: 'session' });
    const { world, read } = createNotesWorld({
      documents: [active],
      session: async () => 'second',
      patchStore: (disk) => ({ ...disk, lock: () => Promise.reject(new Error('No locks here')) }),
    });
    world.disk.write('active', { version: 1, data: 7 });

    expect((await rejectionOf(read((state) => state.read(active)))).code).toBe('NOT_READ');
  });

  it('lists a collection that an earlier call could not list', async () => {
    let failures = 2;
    const { world, read } = createWorld((disk) => ({
      list: async (prefix) => {
        if (prefix === 'notes/' && failures-- > 0) throw FULL;
        return disk.list(prefix);
      },
    }));
    world.disk.write('notes/a', { version: 2, data: note });
    const count = () => read((state) => state.count(notes));

    expect([(await rejectionOf(count())).code, await count()]).toEqual(['NOT_READ', 1]);
  });
});

describe('a change', () => {
  it('that ends in IN_DOUBT is logged with the reason for which the store rejected it', async () => {
    let isBroken = false;
    const { world, change } = createWorld((disk) => ({
      read: (keys) => (isBroken ? gone() : disk.read(keys)),
      write: async (entries) => {
        if (!('total' in entries)) return disk.write(entries);
        isBroken = true;
        throw FULL;
      },
    }));

    const { code } = await rejectionOf(change((state) => state.write(total, 1)));

    expect(code).toBe('IN_DOUBT');
    expect([...world.logged.values()]).toContainEqual(expect.objectContaining({ cause: FULL }));
  });

  it('is not taken for stored because some of its values are stored already', async () => {
    const { world, change } = createNotesWorld();
    await change((state) => state.write(total, 1));
    world.disk.failWrites(FULL);

    const error = await rejectionOf(
      change((state) => {
        state.write(total, 1);
        state.set(notes, 'a', note);
      }),
    );

    expect(error.code).toBe('NOT_STORED');
  });

  it('is recognized as stored if the store has sorted the members of its values', async () => {
    const { world, change } = createWorld((disk) => ({
      read: async (keys) => {
        const stored = Object.entries(await disk.read(keys));
        return Object.fromEntries(stored.map(([key, value]) => [key, reverseMembers(value)]));
      },
      write: async (entries) => {
        await disk.write(entries);
        if ('notes/a' in entries) throw FULL;
      },
    }));
    const data = { ...note, parts: [{ b: 1, a: [2, { d: null, c: 'text' }] }] };

    await change((state) => state.set(notes, 'a', data));

    expect(world.disk.dataOf('notes/a')).toEqual(data);
  });

  it('gets room on a full disk, even if the first attempt to make room fails', async () => {
    let failures = 1;
    const hasOutcome = (): boolean => 'outcome' in Object(world.disk.read('journal/closed'));
    const patchStore = refusing((entries) =>
      'journal/closed' in entries ? failures-- > 0 : 'total' in entries && hasOutcome(),
    );
    const { world, change } = createNotesWorld({ patchStore });
    world.disk.write('journal/closed', { id: 1, name: 'test.change', outcome: 1, at: Date.now() });

    await change((state) => state.write(total, 1));

    expect([world.disk.dataOf('total'), hasOutcome()]).toEqual([1, false]);
  });
});

describe('a watcher', () => {
  it('gets nothing for a change that was not stored', async () => {
    const { world, watch, change } = createNotesWorld();
    const watched = watch((state) => state.watch(total));
    const first = (await watched.next()).value;
    const next = watched.next();
    world.disk.failWrites(FULL);

    const { code } = await rejectionOf(change((state) => state.write(total, 1)));
    world.disk.failWrites(undefined);
    await change((state) => state.write(total, 2));

    expect([first, code, (await next).value]).toEqual([0, 'NOT_STORED', 2]);
  });

  it('leaves no listeners, so a subscription can watch a collection again and again', async () => {
    const warn = vi.spyOn(process, 'emitWarning');
    const { watch } = createNotesWorld();

    const watched = watch(async function* (state) {
      for (let time = 0; time < 20; time += 1) {
        const records = state.watch(notes);
        await records.next();
        await records.return();
      }
      yield 'done';
    });

    expect((await watched.next()).value).toBe('done');
    // Node warns of more than ten listeners.
    expect(warn).not.toHaveBeenCalled();
  });
});

describe('the quarantine', () => {
  it('takes the next unreadable value after an earlier one could not be written', async () => {
    let isFull = true;
    const patchStore = refusing((entries) => isFull && 'notes/a' in entries);
    const { world, read } = createNotesWorld({ patchStore });
    world.disk.write('notes/a', 'broken');
    world.disk.write('total', 'eaten');
    await read((state) => state.list(notes));
    await vi.waitFor(() => expect(world.logged.size).toBe(1));
    isFull = false;

    await read((state) => state.read(total));

    await vi.waitFor(() => expect(quarantineIn(world)).toEqual(['"eaten"']));
    expect(world.disk.read('notes/a')).toBe('broken');
  });

  it('removes nothing for the ids of values that are gone', async () => {
    const { patchStore, writes } = recordStore();
    const { change } = createNotesWorld({ patchStore });

    await change((state) => damageOf(state).discard(['5.x.total', '0..total', 'total']));

    expect(writes.flat().filter((key) => !key.startsWith('journal'))).toEqual([]);
  });

  it('holds an object without a prototype', async () => {
    const stored: unknown = Object.assign(Object.create(null) as object, { a: 1 });
    const { world, change } = createNotesWorld({ patchStore: holding('total', stored) });

    await change((state) => state.write(total, 5));

    expect(quarantineIn(world)).toEqual(['{"a":1}']);
  });
});
