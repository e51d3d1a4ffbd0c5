import { describe, expect, it } from 'vitest';

import type { ListPage, StateReader } from '../../src/messaging/define/handler-state.ts';
import { quarantineIn } from '../support/counter-world.ts';
import { createNotesWorld, type Note, notes, type NotesWorld } from '../support/notes-world.ts';
import { rejectionOf } from '../support/promises.ts';
import { recordStore } from '../support/store-faults.ts';

const note = (text: string): Note => ({ text, done: false });
const stored = (data: unknown, version = 2) => ({ version, data });

/** Creates a world with notes `a` to `e`, and some that replace them. */
function createFilledWorld(replaced: Readonly<Record<string, unknown>> = {}): NotesWorld {
  const filled = ['c', 'a', 'e', 'b', 'd'].map((id) => [`notes/${id}`, stored(note(id))] as const);
  return createNotesWorld({ stored: { ...Object.fromEntries(filled), ...replaced } });
}

describe('a collection', () => {
  it('returns a record, which is migrated, and undefined for a record that does not exist', async () => {
    const { read } = createFilledWorld({ 'notes/b': stored({ text: 'b' }, 1) });

    expect(await read((state) => state.get(notes, 'b'))).toEqual(note('b'));
    // The answer to a call has `null` instead.
    expect(await read((state) => state.get(notes, 'toString'))).toBeNull();
  });

  it('is counted and listed with the changes of a transaction, during it, afterwards and in the next background', async () => {
    const { world, read, change } = createFilledWorld();
    const look = async (state: StateReader) => [
      await state.count(notes),
      (await state.ids(notes)).join(),
      (await state.list(notes)).map(({ data }) => data.text).join(),
    ];

    const seen = [await read(look)];
    const during = await change(async (state) => {
      state.remove(notes, 'b');
      state.remove(notes, 'c');
      state.set(notes, 'bb', note('new'));
      state.set(notes, 'f', note('last'));
      state.set(notes, 'a', note('changed'));
      return look(state);
    });
    seen.push(during, await read(look));
    world.killWorker();
    seen.push(await read(look));

    const changed = [5, 'a,bb,d,e,f', 'changed,new,d,e,last'];
    expect(seen).toEqual([[5, 'a,b,c,d,e', 'a,b,c,d,e'], changed, changed, changed]);
  });

  it('is counted without reading its records', async () => {
    const { patchStore, reads } = recordStore();
    const { read } = createNotesWorld({ patchStore, stored: { 'notes/a': stored(note('a')) } });

    expect(await read((state) => state.count(notes))).toBe(1);
    expect(reads.flat()).not.toContain('notes/a');
  });

  it('can have ids of 200 characters', async () => {
    const { read, change } = createNotesWorld();
    const id = 'x'.repeat(200);

    await change((state) => state.set(notes, id, note('long')));

    expect(await read((state) => state.get(notes, id))).toEqual(note('long'));
  });
});

describe('a record that cannot be read', () => {
  it('stays under its key until it is replaced, and the others stay readable', async () => {
    const broken = stored({ text: 7 });
    const filled = createFilledWorld({ 'notes/c': broken });

    const items = await filled.read((state) => state.list(notes, { limit: 3 }));
    const { unreadable } = await filled.inspect();
    const text = await filled.textOf('0..notes/c');
    const before = filled.world.disk.read('notes/c');
    await filled.change((state) => state.set(notes, 'c', note('new')));

    expect(items.map(({ id }) => id)).toEqual(['a', 'b', 'd']);
    expect([before, filled.quarantined().length]).toEqual([broken, 1]);
    expect(unreadable).toEqual([{ id: '0..notes/c', key: 'notes/c', at: 0 }]);
    expect(text).toBe(JSON.stringify(broken));
    expect(filled.world.disk.dataOf('notes/c')).toEqual(note('new'));
  });

  it.each(['replaced', 'removed'])(
    'moves to the quarantine when it is %s before it was read',
    async (how) => {
      const { world, change } = createFilledWorld({ 'notes/c': 'broken' });

      await change((state) =>
        how === 'removed' ? state.remove(notes, 'c') : state.set(notes, 'c', note('new')),
      );

      expect(world.disk.dataOf('notes/c')).toEqual(how === 'removed' ? undefined : note('new'));
      expect(quarantineIn(world)).toEqual(['"broken"']);
    },
  );
});

it('a record of a newer version is left out of lists, and cannot be replaced or removed', async () => {
  const newer = stored({ shape: 'unknown' }, 3);
  const { world, read, change } = createFilledWorld({ 'notes/c': newer });

  const items = await read((state) => state.list(notes));
  const errors = [
    await rejectionOf(change((state) => state.set(notes, 'c', note('older')))),
    await rejectionOf(change((state) => state.remove(notes, 'c'))),
    await rejectionOf(
      change(async (state) => {
        state.set(notes, 'c', note('older'));
        // Then the handler reads its own change, and not the record.
        await state.get(notes, 'c');
      }),
    ),
  ];

  expect(items.map(({ id }) => id)).toEqual(['a', 'b', 'd', 'e']);
  expect(errors.map(({ code }) => code)).toEqual(['READ_ONLY', 'READ_ONLY', 'READ_ONLY']);
  expect(world.disk.read('notes/c')).toEqual(newer);
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
  const { read } = createFilledWorld({ 'notes/c': 'eaten' });

  const [listed, items] = await read(async (state) => [
    await state.ids(notes, page),
    await state.list(notes, page),
  ]);

  expect(listed.join('')).toBe(ids);
  expect(items.map(({ id }) => id).join('')).toBe(readable);
});
