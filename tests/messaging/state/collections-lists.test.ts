import * as v from 'valibot';
import { expect, it } from 'vitest';

import { defineFeature } from '../../../src/messaging/feature.ts';
import { proceduresFor } from '../../../src/messaging/procedures.ts';
import type { ListPage } from '../../../src/messaging/state/transaction.ts';
import { testCallers } from '../../support/counter.ts';
import { createMemoryWorld } from '../../support/memory-world.ts';
import { createNotesWorld, notes, type NotesWorld } from '../../support/notes-world.ts';
import { rejectionOf } from '../../support/promises.ts';

const note = (text: string) => ({ text, done: false });

/** Fills the disk with notes `a` to `e`, of which `c` cannot be read. */
function createFilledWorld(): NotesWorld {
  const filled = createNotesWorld();
  for (const id of ['c', 'a', 'e', 'b', 'd']) {
    filled.world.disk.write(`notes/${id}`, { version: 2, data: id === 'c' ? 'eaten' : note(id) });
  }
  return filled;
}

it.each<[what: string, page: ListPage | undefined, ids: string, readable: string]>([
  ['all', undefined, 'abcde', 'abde'],
  ['all, from the last', { reverse: true }, 'edcba', 'edba'],
  ['the newest two', { reverse: true, limit: 2 }, 'ed', 'ed'],
  ['the two before `d`', { reverse: true, after: 'd', limit: 2 }, 'cb', 'ba'],
  ['those before an id that does not exist', { reverse: true, after: 'cc' }, 'cba', 'ba'],
  ['the two after `b`', { after: 'b', limit: 2 }, 'cd', 'de'],
  ['nothing before the first', { reverse: true, after: 'a' }, '', ''],
])('lists %s, as ids and as readable records', async (_what, page, ids, readable) => {
  const { read } = createFilledWorld();

  const [listed, items] = await read(async (state) => [
    await state.ids(notes, page),
    await state.list(notes, page),
  ]);

  expect(listed.join('')).toBe(ids);
  expect(items.map(({ id }) => id).join('')).toBe(readable);
});

it('counts records without reading them, also during a transaction', async () => {
  const { world, read, change } = createFilledWorld();

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

it.each<[what: string, page: object]>([
  ['a limit of 0', { limit: 0 }],
  ['a limit of 1.5', { limit: 1.5 }],
  ['a limit of -1', { limit: -1 }],
  ['a limit that is not a number', { limit: '5' }],
  ['a limit that is NaN', { limit: Number.NaN }],
  ['an empty `after`', { after: '' }],
  ['an `after` that is not a text', { after: 5 }],
  ['an `after` that is longer than an id', { after: 'x'.repeat(201) }],
])('refuses %s', async (_what, page) => {
  const { world, read } = createFilledWorld();

  const errors = [
    await rejectionOf(read((state) => state.list(notes, page))),
    await rejectionOf(read((state) => state.ids(notes, page))),
  ];

  expect(errors.map(({ code }) => code)).toEqual(['INTERNAL', 'INTERNAL']);
  expect([...world.logged.values()]).toEqual([expect.any(TypeError), expect.any(TypeError)]);
});

it('sends the changes of a collection to a page, as a handler returns them', async () => {
  const { mutation, subscription } = proceduresFor(testCallers);
  const Item = v.object({ id: v.string(), data: v.object({ text: v.string(), done: v.boolean() }) });
  const feature = defineFeature({
    documents: [notes],
    procedures: {
      'notes.watch': subscription({
        callers: ['options'],
        output: v.object({ isWhole: v.boolean(), items: v.array(Item), removed: v.array(v.string()) }),
        handle: ({ state }) => state.watch(notes),
      }),
      'notes.set': mutation({
        callers: ['options'],
        input: v.string(),
        handle: ({ input, state }) => state.set(notes, input, note(input)),
      }),
    },
  });
  const world = createMemoryWorld({ callers: testCallers, features: [feature] });
  const { client } = world.openPage('options');
  const watched = client.subscribe('notes.watch');

  const whole = (await watched.next()).value;
  await client.mutate('notes.set', 'a');
  const changes = (await watched.next()).value;
  await watched.return();

  expect(whole).toEqual({ isWhole: true, items: [], removed: [] });
  expect(changes).toEqual({ isWhole: false, items: [{ id: 'a', data: note('a') }], removed: [] });
});
