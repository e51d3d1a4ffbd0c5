import { describe, expect, it, vi } from 'vitest';

import type { ListPage } from '../../src/messaging/state/transaction.ts';
import { createNotesWorld, type Note, notes, type NotesWorld, total } from '../support/notes-world.ts';
import { rejectionOf } from '../support/promises.ts';

const note = (text: string): Note => ({ text, done: false });
const stored = (data: unknown, version = 2) => ({ version, data }) as never;

/** Fills the disk with notes `a` to `e`. */
function createFilledWorld(): NotesWorld {
  const filled = createNotesWorld();
  for (const id of ['c', 'a', 'e', 'b', 'd']) filled.world.disk.write(`notes/${id}`, stored(note(id)));
  return filled;
}

describe('a collection', () => {
  it('returns a record, and undefined for a record that does not exist', async () => {
    const { read } = createFilledWorld();

    expect(await read((state) => state.get(notes, 'b'))).toEqual(note('b'));
    expect(await read((state) => state.get(notes, 'toString'))).toBeNull();
  });

  it('lists the changes of a transaction, during it and afterwards', async () => {
    const { read, change } = createFilledWorld();
    const idsOf = (items: readonly { readonly id: string }[]) => items.map(({ id }) => id).join('');
    await read((state) => state.list(notes));

    const during = await change(async (state) => {
      state.remove(notes, 'b');
      state.set(notes, 'bb', note('new'));
      state.set(notes, 'a', note('changed'));
      return idsOf(await state.list(notes));
    });
    const after = await read((state) => state.list(notes));

    expect([during, idsOf(after)]).toEqual(['abbcde', 'abbcde']);
    expect(after[0]).toEqual({ id: 'a', data: note('changed') });
  });

  it.each([
    ['0', '0abcdeÄ'],
    ['f', 'abcdefÄ'],
    ['b0', 'abb0cdeÄ'],
  ])(
    'keeps its order when the record %s is added, in the same background and in the next',
    async (id, order) => {
      const { world, read, change } = createFilledWorld();
      const list = async (): Promise<string> =>
        (await read((state) => state.list(notes))).map((item) => item.id).join('');
      await list();

      await change((state) => {
        state.set(notes, 'Ä', note('last'));
        state.set(notes, id, note('new'));
        state.set(notes, 'bb', note('new'));
        state.remove(notes, 'bb');
      });
      await change((state) => state.set(notes, id, note('newer')));
      const lists = [await list()];
      world.killWorker();
      lists.push(await list());

      expect(lists).toEqual([order, order]);
    },
  );

  it('can have ids of 200 characters', async () => {
    const { read, change } = createNotesWorld();
    const id = 'x'.repeat(200);

    await change((state) => state.set(notes, id, note('long')));

    expect(await read((state) => state.get(notes, id))).toEqual(note('long'));
  });

  it('migrates a record when it is read, and stores it migrated when it is written', async () => {
    const { world, read, change } = createNotesWorld();
    world.disk.write('notes/old', stored({ text: 'old', color: 'red' }, 1));

    const seen = await read((state) => state.get(notes, 'old'));
    const before = world.disk.read('notes/old');
    await change(async (state) => {
      const old = await state.get(notes, 'old');
      if (old !== undefined) state.set(notes, 'old', { ...old, done: true });
    });

    expect(seen).toEqual({ text: 'old', color: 'red', done: false });
    expect(before).toEqual({ version: 1, data: { text: 'old', color: 'red' } });
    expect(world.disk.read('notes/old')).toEqual({
      version: 2,
      data: { text: 'old', color: 'red', done: true },
    });
  });
});

describe('removing', () => {
  it('is one write with other changes, at whichever step the worker dies', async () => {
    let isOver = false;
    for (let step = 0; !isOver; step += 1) {
      const { world, change } = createFilledWorld();
      const answer = change(async (state) => {
        state.remove(notes, 'a');
        state.set(notes, 'f', note('f'));
        await state.update(total, (count) => count + 1);
      }).then(() => (isOver = true));
      for (let settled = 0; settled < step; settled += 1) await Promise.resolve();

      const before = world.disk.keys();
      world.killWorker();
      const isWritten = before.includes('total');
      expect([before.includes('notes/a'), before.includes('notes/f')]).toEqual([!isWritten, isWritten]);
      await answer;
      expect(world.disk.dataOf('total')).toBe(1);
      expect(world.disk.keys()).not.toContain('notes/a');
    }
  });
});

describe('a record that cannot be read', () => {
  it('moves to the quarantine, and the others stay readable', async () => {
    const filled = createFilledWorld();
    filled.world.disk.write('notes/c', stored({ text: 7 }));

    const items = await filled.read((state) => state.list(notes, { limit: 3 }));
    await vi.waitFor(() => expect(filled.quarantined()).toHaveLength(1));
    const { unreadable } = await filled.inspect();
    const text = await filled.textOf(unreadable[0]?.id);

    expect(items.map(({ id }) => id)).toEqual(['a', 'b', 'd']);
    expect(filled.world.disk.read('notes/c')).toBeUndefined();
    expect(unreadable).toEqual([{ id: expect.any(String), key: 'notes/c', at: expect.any(Number) }]);
    expect(text).toBe(JSON.stringify(stored({ text: 7 })));
  });

  it('moves to the quarantine when it is replaced before it was read', async () => {
    const filled = createFilledWorld();
    filled.world.disk.write('notes/c', stored({ text: 7 }));

    await filled.change((state) => state.set(notes, 'c', note('new')));

    expect(filled.world.disk.dataOf('notes/c')).toEqual(note('new'));
    expect(filled.quarantined()).toHaveLength(1);
  });
});

describe('a record of a newer version', () => {
  it('is left out of lists, and cannot be replaced or removed', async () => {
    const { world, read, change } = createFilledWorld();
    const newer = stored({ shape: 'unknown' }, 3);
    world.disk.write('notes/c', newer);

    const items = await read((state) => state.list(notes));
    const errors = [
      await rejectionOf(change((state) => state.set(notes, 'c', note('older')))),
      await rejectionOf(change((state) => state.remove(notes, 'c'))),
    ];

    expect(items.map(({ id }) => id)).toEqual(['a', 'b', 'd', 'e']);
    expect(errors.map(({ code }) => code)).toEqual(['READ_ONLY', 'READ_ONLY']);
    expect(world.disk.read('notes/c')).toEqual(newer);
  });

  it('cannot be replaced by a transaction that reads its own change', async () => {
    const { world, change } = createFilledWorld();
    const newer = stored({ shape: 'unknown' }, 3);
    world.disk.write('notes/c', newer);

    const error = await rejectionOf(
      change(async (state) => {
        state.set(notes, 'c', note('older'));
        await state.get(notes, 'c');
      }),
    );

    expect([error.code, world.disk.read('notes/c')]).toEqual(['READ_ONLY', newer]);
  });
});

describe('a watch of a collection', () => {
  it('yields all records, then the changes since its last value', async () => {
    const { watch, change } = createFilledWorld();
    const watched = watch((state) => state.watch(notes));

    const whole = (await watched.next()).value;
    await change((state) => state.set(notes, 'a', note('new')));
    await change((state) => state.remove(notes, 'b'));
    await change((state) => state.set(notes, 'a', note('newer')));
    const changes = (await watched.next()).value;

    expect(whole).toMatchObject({ isWhole: true, removed: [] });
    expect(whole).toHaveProperty('items.length', 5);
    expect(changes).toEqual({ isWhole: false, items: [{ id: 'a', data: note('newer') }], removed: ['b'] });
  });

  it('starts over with all records in the next worker', async () => {
    const { world, watch, change } = createFilledWorld();
    const watched = watch((state) => state.watch(notes));
    await watched.next();

    world.killWorker();
    const next = watched.next();
    await change((state) => state.set(notes, 'f', note('f')));

    expect((await next).value).toMatchObject({ isWhole: true });
  });
});

it.each<[what: string, page: ListPage | undefined, ids: string, readable: string]>([
  ['all', undefined, 'abcde', 'abde'],
  ['all, from the last', { reverse: true }, 'edcba', 'edba'],
  ['the newest two', { reverse: true, limit: 2 }, 'ed', 'ed'],
  ['the two before `d`', { reverse: true, after: 'd', limit: 2 }, 'cb', 'ba'],
  ['those before an id that does not exist', { reverse: true, after: 'cc' }, 'cba', 'ba'],
  ['the two after `b`', { after: 'b', limit: 2 }, 'cd', 'de'],
  ['nothing before the first', { reverse: true, after: 'a' }, '', ''],
])('lists %s, as ids and as readable records', async (_what, page, ids, readable) => {
  const { world, read } = createFilledWorld();
  world.disk.write('notes/c', 'eaten');

  const [listed, items] = await read(async (state) => [
    await state.ids(notes, page),
    await state.list(notes, page),
  ]);

  expect(listed.join('')).toBe(ids);
  expect(items.map(({ id }) => id).join('')).toBe(readable);
});

it('counts records without reading them, also during a transaction', async () => {
  const { world, read, change } = createFilledWorld();
  world.disk.write('notes/c', 'eaten');

  const before = await read((state) => state.count(notes));
  const during = await change(async (state) => {
    state.remove(notes, 'a');
    state.remove(notes, 'b');
    state.set(notes, 'f', note('f'));
    state.set(notes, 'd', note('changed'));
    return [await state.count(notes), (await state.ids(notes)).join('')];
  });
  const after = await read((state) => state.count(notes));
  world.killWorker();

  expect([before, during, after, await read((state) => state.count(notes))]).toEqual([5, [4, 'cdef'], 4, 4]);
});
