import { describe, expect, it, vi } from 'vitest';

import { damageOf } from '../../../src/messaging/state/quarantine.ts';
import { createNotesWorld, notes, total } from '../../support/notes-world.ts';
import { holding, recordStore, refusing } from '../../support/store-faults.ts';

const note = { text: 'text', done: false };

describe('the condition of the state', () => {
  const empty = { isEmpty: true, documents: [], absent: ['total'], readOnly: [], unreadable: [] };

  it('is empty until something is stored, even if that is only a record', async () => {
    const { watch, change } = createNotesWorld();
    const watched = watch((state) => damageOf(state).watch());

    const before = (await watched.next()).value;
    await change((state) => state.set(notes, 'a', note));
    const after = (await watched.next()).value;

    expect([before, after]).toEqual([empty, { ...empty, isEmpty: false }]);
  });

  it('is not read again when a record changes, even if that was quarantined before', async () => {
    const { patchStore, reads } = recordStore();
    const stored = { 'notes/a': 'broken' };
    const { world, read, watch, change, quarantined } = createNotesWorld({ patchStore, stored });
    await read((state) => state.list(notes));
    await vi.waitFor(() => expect(quarantined()).toHaveLength(1));
    await change((state) => state.set(notes, 'a', note));
    await change((state) => state.write(total, 1));
    await vi.waitFor(() => expect(world.disk.keys()).toContain('journal'));
    const watched = watch((state) => damageOf(state).watch());
    await watched.next();
    const next = watched.next();
    reads.length = 0;

    await change((state) => state.set(notes, 'a', { text: 'newer', done: false }));
    await read((state) => state.list(notes));
    const whenRecord = reads.flat().filter((key) => key === 'total');
    await change((state) => state.write(total, 2));

    expect(whenRecord).toEqual([]);
    expect((await next).value).toMatchObject({ documents: ['total'], readOnly: [] });
  });

  it.each([
    ['not empty', 'a record', 'notes/a', { ...empty, isEmpty: false }],
    ['empty', 'a value of other code', 'stranger', empty],
    ['empty', 'a value under the key of a collection', 'notes', empty],
  ])('is %s if only %s is stored', async (_is, _what, key, condition) => {
    const { world, inspect } = createNotesWorld({ stored: { [key]: { version: 2, data: note } } });

    expect(await inspect()).toEqual(condition);
    expect(world.disk.keys()).toEqual([key]);
  });

  it('is yielded again when a record is found that cannot be quarantined, and then not again', async () => {
    const { patchStore, lists } = recordStore();
    const { watch, read } = createNotesWorld({
      patchStore: (store) => holding('notes/a', 1n)(patchStore(store)),
      stored: { 'notes/a': 'replaced by the store' },
    });
    const watched = watch((state) => damageOf(state).watch());
    const before = (await watched.next()).value?.unreadable;

    await read((state) => state.list(notes));
    const after = (await watched.next()).value?.unreadable;
    let isYielded = false;
    void watched.next().then(() => (isYielded = true));
    for (let turns = 0; turns < 1_000; turns += 1) await Promise.resolve();

    expect([before, after, isYielded]).toEqual([
      [],
      [{ id: expect.any(String), key: 'notes/a', at: 0 }],
      false,
    ]);
    // Each prefix is listed once.
    expect(lists.toSorted()).toEqual(['notes/', 'quarantine/']);
  });

  it('is yielded again when an unreadable record that could not be quarantined is removed', async () => {
    const patchStore = refusing((entries) =>
      Object.keys(entries).some((key) => key.startsWith('quarantine/')),
    );
    const stored = { 'notes/a': 'broken' };
    const { world, read, watch, change, discard } = createNotesWorld({ patchStore, stored });
    await read((state) => state.list(notes));
    await vi.waitFor(() => expect(world.logged.size).toBe(1));
    await change((state) => state.set(notes, 'b', note));
    await vi.waitFor(() => expect(world.disk.keys()).toContain('journal'));
    const watched = watch((state) => damageOf(state).watch());
    const { unreadable = [] } = (await watched.next()).value ?? {};
    const next = watched.next();

    await discard(unreadable.map(({ id }) => id));

    expect(unreadable).toMatchObject([{ key: 'notes/a', at: 0 }]);
    expect((await next).value).toMatchObject({ unreadable: [] });
  });

  it('names documents of a newer version', async () => {
    const { inspect } = createNotesWorld({ stored: { total: { version: 2, data: 'shape of later' } } });

    expect(await inspect()).toEqual({
      isEmpty: false,
      documents: ['total'],
      absent: [],
      readOnly: ['total'],
      unreadable: [],
    });
  });
});
