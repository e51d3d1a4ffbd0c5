import { describe, expect, it, vi } from 'vitest';

import { damageOf } from '../../../src/messaging/state/damage.ts';
import { createNotesWorld, notes, total } from '../../support/notes-world.ts';

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

  it('is yielded again when a document is stored for the first time', async () => {
    // The journal has just been pruned, so nothing else changes.
    const { watch, change } = createNotesWorld({ stored: { journal: Date.now() } });
    await change((state) => state.set(notes, 'a', note));
    const watched = watch((state) => damageOf(state).watch());
    await watched.next();

    await change((state) => state.write(total, 1));

    expect((await watched.next()).value).toMatchObject({ documents: ['total'], absent: [] });
  });

  it.each([
    ['not empty', 'a record', 'notes/a', { ...empty, isEmpty: false }],
    ['empty', 'a value of other code', 'stranger', empty],
    ['empty', 'a value under the key of a collection', 'notes', empty],
  ])('is %s if only %s is stored', async (_is, _what, key, condition) => {
    const { world, inspect } = createNotesWorld({ stored: { [key]: { version: 2, data: note } } });

    expect(await inspect()).toEqual(condition);
    expect(world.disk.keys()).toContain(key);
  });

  it('is yielded again when an unreadable record is found, replaced or discarded, but not for other records', async () => {
    const stored = { 'notes/a': 'broken', 'notes/b': 'broken' };
    const { world, read, watch, change, discard } = createNotesWorld({ stored });
    const watched = watch((state) => damageOf(state).watch());
    const next = async () => (await watched.next()).value?.unreadable.map(({ key, at }) => [key, at > 0]);
    const seen = [await next()];

    await read((state) => state.list(notes));
    seen.push(await next());
    await change((state) => state.set(notes, 'a', note));
    await vi.waitFor(() => expect(world.disk.keys()).toContain('journal'));
    seen.push(await next());
    await discard(['0..notes/b']);
    seen.push(await next());
    let isYielded = false;
    void watched.next().then(() => (isYielded = true));
    await change((state) => state.set(notes, 'c', note));
    await read((state) => state.list(notes));

    expect(isYielded).toBe(false);
    expect(seen).toEqual([
      [],
      [
        ['notes/a', false],
        ['notes/b', false],
      ],
      [
        ['notes/a', true],
        ['notes/b', false],
      ],
      [['notes/a', true]],
    ]);
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
