import { describe, expect, it, onTestFinished, vi } from 'vitest';

import type { Store } from '../../../src/messaging/state/store.ts';
import { createNotesWorld, notes, type NotesWorld, total } from '../../support/notes-world.ts';
import { never, rejectionOf } from '../../support/promises.ts';
import { gone, refusing } from '../../support/store-faults.ts';
import { advance, SECOND } from '../../support/time.ts';

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
  /** Creates a world whose store fails so often to read the total, or to list the notes. */
  function createFailingWorld(failures: number): NotesWorld {
    let left = failures;
    const fails = (isMeant: boolean): boolean => isMeant && left-- > 0;
    return createWorld((disk) => ({
      read: async (keys) => (fails(keys.includes('total')) ? gone() : disk.read(keys)),
      list: async (prefix) => (fails(prefix === 'notes/') ? gone() : disk.list(prefix)),
    }));
  }

  it('ends in NOT_READ if the store fails, and the log has the reason', async () => {
    const created = createFailingWorld(1);

    const { code } = await rejectionOf(created.read((state) => state.read(total)));

    expect(code).toBe('NOT_READ');
    logHas(created, new Error('The disk is gone'));
    expect(await created.read((state) => state.read(total))).toBe(7);
  });

  it('ends in NOT_READ if the store does not answer within ten seconds', async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const created = createWorld((disk) => ({
      read: (keys) => (keys.includes('total') ? never() : disk.read(keys)),
    }));

    // A subscription has no deadline.
    const ended = rejectionOf(created.watch((state) => state.watch(total)).next());
    await advance(10 * SECOND + 1);

    expect((await ended).code).toBe('NOT_READ');
    logHas(created, new Error('The store did not answer within 10000 ms.'));
  });

  it('lists a collection that an earlier call could not list', async () => {
    const { read } = createFailingWorld(1);
    const count = () => read((state) => state.count(notes));

    expect([(await rejectionOf(count())).code, await count()]).toEqual(['NOT_READ', 0]);
  });
});

describe('a change', () => {
  it('that is refused changes nothing, and the log has the reason', async () => {
    const created = createNotesWorld({ stored });
    const { world, read, change } = created;
    world.disk.failWrites(FULL);

    const { code } = await rejectionOf(
      change(async (state) => {
        await state.update(total, (count) => count + 1);
        state.set(notes, 'a', note);
      }),
    );

    expect([code, world.disk.keys()]).toEqual(['NOT_STORED', ['total']]);
    logHas(created, FULL);
    const seen = await read((state) => Promise.all([state.read(total), state.count(notes)]));
    expect(seen).toEqual([7, 0]);
  });

  it('gets room on a full disk from outcomes and old entries', async () => {
    const patchStore = refusing((entries) => 'total' in entries && !('journal/closed' in entries));
    const old = Array.from({ length: 101 }, (_, page) => [`journal/${page}`, { id: 1, at: 1 }] as const);
    const entry = { id: 1, name: 'test.change', at: Date.now() };
    const { world, change } = createNotesWorld({
      patchStore,
      stored: {
        ...Object.fromEntries(old),
        'journal/closed': { ...entry, outcome: 1 },
        'journal/damaged': 'eaten',
      },
    });

    await change((state) => state.write(total, 1));

    expect([world.disk.dataOf('total'), world.disk.read('journal/closed')]).toEqual([1, entry]);
    const left = world.disk.keys();
    expect(left).not.toContain('journal/damaged');
    expect(left).not.toContain('journal/99');
  });
});

it('is read before the background is alone, and is not written', async () => {
  const reason = new Error('No locks here');
  const created = createNotesWorld({ alone: Promise.reject(reason), stored });

  const seen = await created.read((state) => state.read(total));
  const { code } = await rejectionOf(created.change((state) => state.write(total, 1)));

  expect([seen, code, created.world.disk.dataOf('total')]).toEqual([7, 'NOT_STORED', 7]);
  logHas(created, reason);
});
