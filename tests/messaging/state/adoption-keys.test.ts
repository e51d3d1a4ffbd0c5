import * as v from 'valibot';
import { expect, it, vi } from 'vitest';

import {
  defineCollection,
  defineDocument,
  type DocumentDefinition,
} from '../../../src/messaging/state/documents.ts';
import { createNotesWorld, total } from '../../support/notes-world.ts';
import { adopting, createOldWorld, type Stored } from '../../support/old-world.ts';
import { recordStore } from '../../support/store-faults.ts';

it.each<[what: string, from: { keys?: string[]; prefix?: string }, stored: Stored, calls: number]>([
  ['of a key that is not stored', { keys: ['old'] }, {}, 0],
  ['of a prefix without keys', { prefix: 'old' }, {}, 0],
  ['that takes nothing from what is stored', { keys: ['old'] }, { old: 'kept' }, 1],
])(
  'an adoption %s uses only its own keys, changes nothing, and is recorded with the next change',
  async (_what, from, stored, calls) => {
    const take = vi.fn<() => []>(() => []);
    const items = defineCollection({ key: 'items', schema: v.string(), adopt: { ...from, read: take } });
    const { world, read, reads, lists, writes, keys, setTotal } = createOldWorld(stored, [items]);

    const count = await read((state) => state.count(items));
    expect([count, take.mock.calls.length, writes()]).toEqual([0, calls, []]);
    expect(reads()).toEqual(['prepared/items'].concat(from.keys ?? []).toSorted());
    expect(lists()).toEqual(['items/'].concat(from.prefix ?? []));
    await setTotal(1);
    await setTotal(2);

    expect(writes()).toEqual([['prepared/items', 'total'], ['total']]);
    expect(keys()).toEqual([...Object.keys(stored), 'prepared/items', 'total'].toSorted());
    expect(world.disk.read('prepared/items')).toBe(true);
  },
);

it('adoptions cost one read of their proofs, at the first read, once everything is adopted', async () => {
  const [one, two] = [adopting('one', ['old']), adopting('two', ['old'])];
  const { patchStore, reads } = recordStore();
  const { read } = createNotesWorld({
    documents: [one, two],
    patchStore,
    stored: { 'prepared/one': true, 'prepared/two': true },
  });

  await read((state) => state.read(one));
  await read((state) => state.read(one));

  const own = reads.filter((keys) => /one/.test(keys.join()));
  expect(own).toEqual([['one'], ['prepared/one', 'prepared/two'], ['one']]);
});

it('an adoption does not take values that a definition has stored, but any value under an earlier key', async () => {
  const stored = { items: { version: 1, data: 'mine' }, old: { version: 3, data: 'earlier' } };
  const take = vi.fn<(earlier: Stored) => string>(() => 'taken');
  const items = adopting('items', ['items', 'old'], take);
  const { read, keys } = createOldWorld(stored, [items]);

  expect(await read((state) => state.read(items))).toBe('mine');
  expect(take.mock.calls).toEqual([[{ old: stored.old }]]);
  expect(keys()).toEqual(expect.arrayContaining(['items', 'old']));
});

it.each([
  ['of another definition', 'card'],
  ['of the core', 'j'],
])('a prefix does not take values %s', async (_of, prefix) => {
  const cards = defineCollection({ key: 'cards', schema: v.string() });
  const jobs = defineDocument({
    key: 'jobs',
    schema: v.array(v.string()),
    initial: [],
    adopt: { prefix, read: (found) => Object.keys(found) },
  });
  const earlier = `${prefix}1`;
  const { world, change, read } = createNotesWorld({
    documents: [cards, jobs],
    stored: { [earlier]: 'old' },
  });
  await change((state) => state.set(cards, 'a', 'mine'));
  const before = world.disk.keys();

  expect(await read((state) => state.read(jobs))).toEqual([earlier]);
  await change((state) => state.set(cards, 'b', 'mine'));

  const removed = before.filter((key) => !world.disk.keys().includes(key));
  expect(removed).toEqual([earlier]);
});

it.each([
  ['by its key', { keys: ['options'] }],
  ['by a prefix', { prefix: 'opt' }],
])('a value that one definition keeps %s stays, although another one adopts it too', async (_how, from) => {
  const [kept, taken] = [true, false].map((keep) =>
    defineDocument({
      key: keep ? 'kept' : 'taken',
      schema: v.string(),
      initial: '',
      adopt: { ...(keep ? from : { keys: ['options'] }), keep, read: ({ options }) => options as string },
    }),
  ) as [DocumentDefinition<string>, DocumentDefinition<string>];
  const { world, read } = createNotesWorld({ documents: [kept, taken], stored: { options: 'dark' } });

  const seen = await read((state) => Promise.all([state.read(kept), state.read(taken)]));
  await vi.waitFor(() => expect(world.disk.dataOf('taken')).toBe('dark'));

  expect([...seen, world.disk.read('options')]).toEqual(['dark', 'dark', 'dark']);
});

it.each(['inbox', 'journal', 'queue', 'store'])(
  'data under %j, a name that the core uses too, is adopted',
  async (key) => {
    const mails = defineDocument({
      key: 'mails',
      schema: v.array(v.string()),
      initial: [],
      adopt: { keys: [key], read: ({ [key]: stored }) => stored as string[] },
    });
    const { world, change, read } = createNotesWorld({
      documents: [total, mails],
      stored: { [key]: ['a', 'b'] },
    });

    // The first changes also look for events and prune the journal.
    await change((state) => state.write(total, 1));
    await vi.waitFor(() => expect(world.disk.read('journal')).toEqual(expect.any(Number)));
    await world.fire(({ mutate }) => mutate('test.change'));

    expect(await read((state) => state.read(mails))).toEqual(['a', 'b']);
  },
);

const forbidden = { key: 'a', schema: v.number(), initial: 0 };

it.each<[what: string, define: () => unknown]>([
  [
    'data of a session',
    () => defineDocument({ ...forbidden, lifetime: 'session', adopt: { keys: ['a'], read: () => 1 } }),
  ],
  ['all keys', () => defineDocument({ ...forbidden, adopt: { prefix: '', read: () => 1 } })],
])('a definition cannot adopt %s', (what, define) => {
  expect(define).toThrow(new TypeError(`"a" cannot adopt ${what}.`));
});
