import * as v from 'valibot';
import { expect, it, vi } from 'vitest';

import { defineDocument } from '../../../src/messaging/define/documents.ts';
import type { StateReader, StateWatcher, StateWriter } from '../../../src/messaging/define/handler-state.ts';
import { createMemory } from '../../../src/messaging/state/memory.ts';
import { createNotesWorld, notes, total } from '../../support/notes-world.ts';
import { first, rejectionOf } from '../../support/promises.ts';

it('a value stays in memory after it was read or written, until the background ends', async () => {
  const { world, read, change } = createNotesWorld({ stored: { total: { version: 1, data: 1 } } });
  const look = () => read((state) => Promise.all([state.read(total), state.count(notes)]));
  await look();
  await change((state) => state.set(notes, 'a', { text: 'a', done: false }));

  // Only the background writes its store.
  world.disk.write('total', { version: 1, data: 2 });
  world.disk.write('notes/b', { version: 2, data: { text: 'b', done: false } });
  const before = await look();
  world.killWorker();

  expect([before, await look()]).toEqual([
    [1, 1],
    [2, 2],
  ]);
});

it('a value that is larger than the memory is read from the store each time', async () => {
  const { world, read, change } = createNotesWorld();
  const lengths = () => read(async (state) => (await state.list(notes)).map(({ data }) => data.text.length));
  const ofLength = (length: number) => ({ text: 'x'.repeat(length), done: false });

  await change((state) => state.set(notes, 'large', ofLength(11 * 1024 * 1024)));
  const seen = [await lengths()];
  world.disk.write('notes/large', { version: 2, data: ofLength(5) });
  seen.push(await lengths());

  expect(seen).toEqual([[11 * 1024 * 1024], [5]]);
});

it('the values that were not used for longest are dropped first', async () => {
  const stored = new Map(['a', 'b', 'c'].map((key) => [key, key.repeat(300)]));
  const read = vi.fn<(keys: readonly string[]) => Promise<Record<string, unknown>>>(async (keys) =>
    Object.fromEntries(keys.map((key) => [key, stored.get(key)])),
  );
  const store = { read, list: async () => [], write: async () => {} };
  const memory = createMemory(store, 800);

  for (const key of ['a', 'b', 'a', 'c', 'a', 'b']) await memory.readRaw([key]);

  expect(read.mock.calls.flat(2)).toEqual(['a', 'b', 'c', 'b']);
});

it('a slow read does not replace a value that was written since it began', async () => {
  let end = (): void => {};
  const store = {
    read: () => new Promise<Record<string, unknown>>((resolve) => (end = () => resolve({ a: 'old' }))),
    list: async () => [],
    write: async () => {},
  };
  const memory = createMemory(store);

  const slow = memory.readRaw(['a']);
  await memory.write(new Map([['a', { stored: 'new', value: 'new', size: 3 }]]));
  end();
  await slow;

  expect(await memory.readRaw(['a'])).toEqual(['new']);
});

/** Its schema returns the value itself, and not a copy. */
const tree = defineDocument({
  key: 'tree',
  schema: v.custom<{ readonly branches: readonly { readonly leaves: number }[] }>(() => true),
  initial: { branches: [{ leaves: 0 }] },
});

it.each<[what: string, stored: boolean, get: (state: StateReader) => Promise<unknown>]>([
  ['the initial data', false, (state) => state.read(tree)],
  ['data that was read', true, (state) => state.read(tree)],
  ['data that was watched', true, (state) => first((state as StateWatcher).watch(tree))],
  [
    'data that the handler has written',
    false,
    (state) => {
      (state as StateWriter).write(tree, { branches: [{ leaves: 5 }] });
      return state.read(tree);
    },
  ],
])('a handler that changes %s gets a TypeError, and others see no change', async (what, isStored, get) => {
  const data = { branches: [{ leaves: 7 }] };
  const created = createNotesWorld({
    documents: [tree],
    ...(isStored && { stored: { tree: { version: 1, data } } }),
  });
  const look = () => created.read((state) => state.read(tree));
  const spoil = async (state: StateReader): Promise<void> => {
    const [branch] = ((await get(state)) as { branches: [{ leaves: number }] }).branches;
    branch.leaves = 9;
  };
  const before = await look();

  const error = await rejectionOf(
    what === 'data that was watched'
      ? created
          .watch(async function* (state) {
            await spoil(state);
            yield 0;
          })
          .next()
      : created.change(spoil),
  );

  expect(error.code).toBe('INTERNAL');
  expect([...created.world.logged.values()]).toEqual([expect.any(TypeError)]);
  expect(await look()).toEqual(before);
});
