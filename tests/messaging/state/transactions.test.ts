import * as v from 'valibot';
import { expect, it } from 'vitest';

import { defineDocument } from '../../../src/messaging/define/documents.ts';
import { defineTask } from '../../../src/messaging/define/tasks.ts';
import { createNotesWorld, notes, total } from '../../support/notes-world.ts';
import { createDeferred, never, sleep } from '../../support/promises.ts';
import { holding, recordStore } from '../../support/store-faults.ts';
import { advance, SECOND, withFakeTimers } from '../../support/time.ts';

withFakeTimers();

const note = { text: 'text', done: false };
const job = defineTask({ name: 'job', data: v.string(), run: never });
const chore = defineTask({ name: 'chore', data: v.string(), run: never });

/** Its schema returns the value itself, and not a copy. */
const list = defineDocument({
  key: 'list',
  schema: v.custom<readonly string[] | null>(() => true),
  initial: [],
});

it('a handler stores data as it was when it was written', async () => {
  const { world, change } = createNotesWorld({ documents: [list] });

  await change((state) => {
    const data = ['first'];
    state.write(list, data);
    data.push('second');
  });

  expect(world.disk.dataOf('list')).toEqual(['first']);
});

it('a handler reads `null` that was stored, and not the initial data', async () => {
  const { read, change } = createNotesWorld({ documents: [list] });

  await change((state) => state.write(list, null));

  expect(await read((state) => state.read(list))).toBeNull();
});

it('all changes of a mutation and its entry in the journal are one write', async () => {
  const { patchStore, writes } = recordStore();
  const { change } = createNotesWorld({ patchStore });

  await change(async (state) => {
    state.remove(notes, 'a');
    state.set(notes, 'b', note);
    await state.update(total, (count) => count + 1);
  });

  expect(writes[0]).toEqual(['notes/a', 'notes/b', 'total', expect.stringMatching(/^journal\/options\//)]);
});

it.each([1, 8, 30])('the ids of a collection follow a change of %d records', async (size) => {
  const { read, change } = createNotesWorld();
  const idsFrom = (first: number): string[] =>
    Array.from({ length: size }, (_item, index) => String(1_000 + first + index));
  const ids = () => read((state) => state.ids(notes));

  await change((state) => {
    for (const id of idsFrom(size)) state.set(notes, id, note);
  });
  const before = await ids();
  await change((state) => {
    for (const id of idsFrom(0)) state.set(notes, id, note);
    state.remove(notes, '1000-none');
    for (const id of idsFrom(size).slice(1)) state.remove(notes, id);
  });

  expect([before, await ids()]).toEqual([idsFrom(size), [...idsFrom(0), String(1_000 + size)]]);
});

it('a record that fits its schema, but is not JSON, counts as unreadable', async () => {
  const strange = { version: 2, data: { ...note, extra: 1n } };
  const stored = { 'notes/a': 'replaced by the store', 'notes/b': { version: 2, data: note } };
  const { read } = createNotesWorld({ patchStore: holding('notes/a', strange), stored });

  const seen = await read(async (state) => [await state.list(notes), (await state.get(notes, 'a')) ?? null]);

  expect(seen).toEqual([[{ id: 'b', data: note }], null]);
});

it('a task is listed by its name, with its id and the end of its delay', async () => {
  const stored = { 'queue/000000000001': 'not a task', 'queue/newest': '1' };
  const { change } = createNotesWorld({ tasks: [job, chore], stored });

  const [id, listed] = await change(async (state) => {
    state.enqueue(chore, 'other');
    return [state.enqueue(job, 'data', { delay: 5 * SECOND }), await state.list(job)];
  });

  expect(listed).toEqual([{ id, data: 'data', tries: 0, due: Date.now() + 5 * SECOND }]);
});

it('updates of one handler that run at the same time read what the others have written', async () => {
  const { world, change } = createNotesWorld();
  const fail = (): never => {
    throw new Error('no');
  };

  const ends = await change(async ({ update }) => {
    const results = await Promise.allSettled([
      update(total, (before) => before + 1),
      update(total, fail),
      update(total, (before) => before + 2),
    ]);
    return results.map(({ status }) => status);
  });

  expect(ends).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(world.disk.dataOf('total')).toBe(3);
});

it('a list returns each record under its own id, although the handler changes one while they are read', async () => {
  const [reading, isChanged] = [createDeferred(), createDeferred()];
  const stored = Object.fromEntries(
    ['b', 'c'].map((id) => [`notes/${id}`, { version: 2, data: { text: id, done: false } }]),
  );
  const { change } = createNotesWorld({
    stored,
    patchStore: (disk) => ({
      ...disk,
      read: async (keys) => {
        if (keys.includes('notes/c')) {
          reading.resolve();
          await isChanged.promise;
        }
        return disk.read(keys);
      },
    }),
  });

  const listed = await change(async (state) => {
    state.set(notes, 'a', { text: 'a', done: false });
    const listing = state.list(notes);
    await reading.promise;
    state.set(notes, 'b', { text: 'new b', done: false });
    isChanged.resolve();
    return listing;
  });

  expect(listed.map(({ id, data }) => [id, data.text])).toEqual([
    ['a', 'a'],
    ['b', 'b'],
    ['c', 'c'],
  ]);
});

it('a change after the handler has returned throws, also while its changes are validated', async () => {
  const slow = defineDocument({
    key: 'slow',
    schema: v.pipeAsync(
      v.number(),
      v.checkAsync(() => sleep(20).then(() => true)),
    ),
    initial: 0,
  });
  const { change, world } = createNotesWorld({ documents: [total, slow] });
  let late: Promise<unknown> | undefined;

  const changed = change((state) => {
    state.write(total, 1);
    state.write(slow, 1);
    late = sleep(5).then(() => state.write(total, 5));
    late.catch(() => {});
  });
  await advance(100);
  await changed;

  await expect(late).rejects.toThrow('until it ends');
  expect(world.disk.dataOf('total')).toBe(1);
});
