import * as v from 'valibot';
import { expect, it, vi } from 'vitest';

import {
  defineCollection,
  defineDocument,
  type DocumentDefinition,
  RESERVED,
} from '../../../src/messaging/define/documents.ts';
import { createNotesWorld, total } from '../../support/notes-world.ts';
import { adopting, createOldWorld, type Stored } from '../../support/old-world.ts';

it.each<[what: string, from: { keys?: string[]; prefix?: string }, stored: Stored, calls: number]>([
  ['of a key that is not stored', { keys: ['old'] }, {}, 0],
  ['of a prefix without keys', { prefix: 'old' }, {}, 0],
  ['that takes nothing from what is stored', { keys: ['old'] }, { old: 'kept' }, 1],
])('an adoption %s changes nothing, and is made once', async (_what, from, stored, calls) => {
  const take = vi.fn<() => []>(() => []);
  const items = defineCollection({ key: 'items', schema: v.string(), adopt: { ...from, read: take } });
  const { world, read, keys, written } = createOldWorld(stored, [items]);
  const count = () => read((state) => state.count(items));

  const counts = [await count()];
  await written();
  const left = keys();
  world.disk.write('old', 'too late');
  world.killWorker();
  counts.push(await count());

  expect([counts, left, take.mock.calls.length]).toEqual([[0, 0], Object.keys(stored), calls]);
});

it('an adoption does not take values that a definition has stored, but any value under an earlier key', async () => {
  const stored = { items: { version: 1, data: 'mine' }, old: { version: 3, data: 'earlier' } };
  const take = vi.fn<(earlier: Stored) => string>(() => 'taken');
  const items = adopting('items', ['items', 'old'], take);
  const { read, keys, written } = createOldWorld(stored, [items]);

  expect(await read((state) => state.read(items))).toBe('mine');
  await written();
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
  const kept = { 'cards/a': { version: 1, data: 'mine' }, 'journal/a': { id: 1, name: 'a', at: Date.now() } };
  const stored = { [`${prefix}1`]: 'old', ...kept };
  const { world, read, written } = createOldWorld(stored, [cards, jobs]);

  expect(await read((state) => state.read(jobs))).toEqual([`${prefix}1`]);
  await written();
  const left = world.disk.keys();
  expect(left).toEqual(expect.arrayContaining(Object.keys(kept)));
  expect(left).not.toContain(`${prefix}1`);
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
  const { world, read, written } = createOldWorld({ options: 'dark' }, [kept, taken]);

  const seen = await read((state) => Promise.all([state.read(kept), state.read(taken)]));
  await written();

  expect([...seen, world.disk.read('options')]).toEqual(['dark', 'dark', 'dark']);
});

it.each([...RESERVED])('data under %j, a name that the core uses too, is adopted', async (key) => {
  const mails = defineDocument({
    key: 'mails',
    schema: v.array(v.string()),
    initial: [],
    adopt: { keys: [key], read: ({ [key]: stored }) => stored as string[] },
  });
  const stored = { [key]: ['a', 'b'] };
  const { world, change, read } = createNotesWorld({ documents: [total, mails], stored });

  // After the first change, the journal is pruned.
  await change((state) => state.write(total, 1));
  await vi.waitFor(() => expect(world.disk.read('journal')).toEqual(expect.any(Number)));
  await world.fire(({ mutate }) => mutate('test.change'));

  expect(await read((state) => state.read(mails))).toEqual(['a', 'b']);
});

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
