import { describe, expect, it, vi } from 'vitest';

import { type DamageWriter, damageOf } from '../../src/messaging/state/quarantine.ts';
import { createNotesWorld, notes, type NotesWorld, total } from '../support/notes-world.ts';
import { rejectionOf } from '../support/promises.ts';
import { holding, recordStore, refusing } from '../support/store-faults.ts';

/** Creates a world whose store holds a value under the key of the document. The value need not be JSON, as in Firefox. */
function createWorldWith(value: unknown): NotesWorld & { readonly isThere: () => boolean } {
  let isThere = true;
  const created = createNotesWorld({
    patchStore: (store) => ({
      ...store,
      read: async (keys) => ({
        ...(await store.read(keys)),
        ...(isThere && keys.includes('total') && { total: value }),
      }),
      write: async (entries) => {
        await store.write(entries);
        if (Object.hasOwn(entries, 'total')) isThere = false;
      },
    }),
  });
  return { ...created, isThere: () => isThere };
}

const cycle: { self?: unknown } = {};
cycle.self = cycle;

const deep = (levels: number): unknown => {
  let value: unknown = 1;
  for (let level = 0; level < levels; level += 1) value = [value];
  return value;
};

/** Creates a world in which a value was read and moved to the quarantine. Returns also what was read, and its ids there. */
async function createQuarantinedWorld(value: unknown = 'broken') {
  const created = createNotesWorld();
  created.world.disk.write('total', value as never);
  const seen = await created.read((state) => state.read(total));
  await vi.waitFor(() => expect(created.quarantined()).toHaveLength(1));
  const { unreadable } = await created.inspect();
  return { ...created, seen, ids: unreadable.map(({ id }) => id) };
}

const holed: unknown[] = [];
holed[1] = 1;

describe('a value that is not JSON', () => {
  it.each<[what: string, value: unknown, shown: string]>([
    ['a BigInt', { version: 1, data: 1n }, '{"version":1,"data":"1n"}'],
    ['a map', { version: 1, data: new Map([[1, 2]]) }, '{"version":1,"data":[[1,2]]}'],
    ['a set', new Set([1, 2]), '[1,2]'],
    ['a date', new Date(0), '"1970-01-01T00:00:00.000Z"'],
    ['a cycle', cycle, '[object Object]'],
    ['NaN', { version: 1, data: Number.NaN }, '{"version":1,"data":null}'],
    ['minus zero', { version: 1, data: [-0, 'text'] }, '{"version":1,"data":[0,"text"]}'],
    ['undefined', { version: 1, data: [undefined] }, '{"version":1,"data":[null]}'],
    ['a hole', { version: 1, data: holed }, '{"version":1,"data":[null,1]}'],
    ['30,000 levels', deep(30_000), '[object Array]'],
  ])('such as %s stays under its key, and is listed until it is discarded', async (_what, value, shown) => {
    const created = createWorldWith(value);
    const { read, change, isThere, inspect, textOf, discard } = created;

    const seen = await read((state) => state.read(total));
    const error = await rejectionOf(change((state) => state.write(total, 5)));
    const { documents, unreadable } = await inspect();
    const text = await textOf(unreadable[0]?.id);

    expect([seen, error.code, isThere(), created.quarantined()]).toEqual([0, 'NOT_READ', true, []]);
    expect(documents).toEqual(['total']);
    expect(unreadable).toEqual([{ id: expect.any(String), key: 'total', at: 0 }]);
    expect([text, created.world.logged.size]).toEqual([shown, 0]);

    await discard(unreadable.map(({ id }) => id));
    expect(isThere()).toBe(false);
  });
});

describe('a value that cannot be read', () => {
  it.each<[what: string, value: unknown]>([
    ['a text', 'text'],
    ['every kind of JSON', { version: 1, data: [null, true, 'text', 0.5, {}, []] }],
    ['half a character', { version: 1, data: '\uD83D' }],
    ['300 levels', deep(300)],
    ['a member that schemas drop', { version: 1, data: JSON.parse('{"__proto__":1}') as unknown }],
  ])('such as %s is quarantined when it is read, with its whole text', async (_what, value) => {
    const { world, seen, ids, textOf } = await createQuarantinedWorld(value);

    expect([seen, world.disk.read('total')]).toEqual([total.initial, undefined]);
    expect(await textOf(ids[0])).toBe(JSON.stringify(value));
  });

  it.each<[what: string, stored: unknown]>([
    ['text', 'eaten'],
    ['no text', { text: 7 }],
  ])('is shown as it is stored if its entry in the quarantine is %s', async (_what, stored) => {
    const { textOf } = createNotesWorld({
      patchStore: (store) => ({
        ...store,
        read: async (keys) => Object.fromEntries(keys.map((key) => [key, stored])),
      }),
    });

    expect(await textOf('5.x.total')).toBe(JSON.stringify(stored));
  });

  it('is not discarded by an id with which it was listed before it was quarantined, or that is damaged', async () => {
    let isFull = true;
    const patchStore = refusing((entries) => isFull && 'total' in entries);
    const created = createNotesWorld({ patchStore });
    const { world, read, change, inspect, discard } = created;
    world.disk.write('total', 'broken');
    await read((state) => state.read(total));
    await vi.waitFor(() => expect(world.logged.size).toBe(1));
    const ids = (await inspect()).unreadable.map(({ id }) => id);

    isFull = false;
    await change((state) => state.write(total, 5));
    await discard([...ids, '', '0', '0.', 'total', '0.0.total', 'x', '.']);

    expect([ids.length, world.disk.dataOf('total'), created.quarantined().length]).toEqual([1, 5, 1]);
  });

  it('is quarantined once, at whichever step the worker dies', async () => {
    let isOver = false;
    for (let step = 0; !isOver; step += 1) {
      const created = createNotesWorld();
      const { world, read, change, inspect } = created;
      world.disk.write('total', 'broken');
      void read((state) => state.read(total)).catch(() => {});
      for (let settled = 0; settled < step; settled += 1) await Promise.resolve();
      isOver = created.quarantined().length === 1;
      world.killWorker();

      await change((state) => state.update(total, (count) => count + 1));
      await inspect();

      expect([world.disk.dataOf('total'), created.quarantined().length]).toEqual([1, 1]);
    }
  });
});

describe('the condition of the state', () => {
  const empty = { isEmpty: true, documents: [], absent: ['total'], readOnly: [], unreadable: [] };

  it('is empty until something is stored, even if that is only a record', async () => {
    const { watch, change } = createNotesWorld();
    const watched = watch((state) => damageOf(state).watch());

    const before = (await watched.next()).value;
    await change((state) => state.set(notes, 'a', { text: 'a', done: false }));
    const after = (await watched.next()).value;

    expect([before, after]).toEqual([empty, { ...empty, isEmpty: false }]);
  });

  it.each<[what: string, prepare: (created: NotesWorld) => Promise<unknown>]>([
    ['changes', async () => {}],
    [
      'that was quarantined before changes',
      async (created) => {
        created.world.disk.write('notes/a', 'broken');
        await created.read((state) => state.list(notes));
        await vi.waitFor(() => expect(created.quarantined()).toHaveLength(1));
        await created.change((state) => state.set(notes, 'a', { text: 'new', done: false }));
      },
    ],
  ])('is not read again when a record %s', async (_what, prepare) => {
    const { patchStore, reads } = recordStore();
    const created = createNotesWorld({ patchStore });
    const { world, read, watch, change } = created;
    await prepare(created);
    await change((state) => state.write(total, 1));
    await vi.waitFor(() => expect(world.disk.keys()).toContain('journal'));
    const watched = watch((state) => damageOf(state).watch());
    await watched.next();
    const next = watched.next();
    reads.length = 0;

    await change((state) => state.set(notes, 'a', { text: 'newer', done: false }));
    await read((state) => state.list(notes));
    const whenRecord = reads.flat().filter((key) => key === 'total').length;
    await change((state) => state.write(total, 2));

    expect((await next).value).toMatchObject({ documents: ['total'], readOnly: [] });
    expect(whenRecord).toBe(0);
  });

  it('is not empty if only records are left, and is empty if only other code has stored something', async () => {
    const [left, strange] = [createNotesWorld(), createNotesWorld()];
    left.world.disk.write('notes/a', { version: 2, data: { text: 'a', done: false } });
    strange.world.disk.write('stranger', 'kept');

    const conditions = [left, strange].map(({ inspect }) => inspect());

    expect(await Promise.all(conditions)).toMatchObject([{ isEmpty: false }, { isEmpty: true }]);
  });

  it('ignores a value under the key of a collection', async () => {
    const { world, inspect, quarantined } = createNotesWorld();
    world.disk.write('notes', 'old shape');

    const condition = await inspect();

    expect([condition, world.disk.read('notes'), quarantined()]).toEqual([empty, 'old shape', []]);
  });

  it('is yielded again when a record is found that cannot be quarantined, and then not again', async () => {
    const { patchStore, lists } = recordStore();
    const { world, watch, read } = createNotesWorld({
      patchStore: (store) => holding('notes/a', 1n)(patchStore(store)),
    });
    world.disk.write('notes/a', 'replaced by the store');
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
    const { world, read, watch, change, discard } = createNotesWorld({ patchStore });
    world.disk.write('notes/a', 'broken');
    await read((state) => state.list(notes));
    await vi.waitFor(() => expect(world.logged.size).toBe(1));
    await change((state) => state.set(notes, 'b', { text: 'b', done: false }));
    await vi.waitFor(() => expect(world.disk.keys()).toContain('journal'));
    const watched = watch((state) => damageOf(state).watch());
    const { unreadable = [] } = (await watched.next()).value ?? {};
    const next = watched.next();

    await discard(unreadable.map(({ id }) => id));

    expect(unreadable).toMatchObject([{ key: 'notes/a', at: 0 }]);
    expect((await next).value).toMatchObject({ unreadable: [] });
  });

  it('names documents of a newer version', async () => {
    const { world, inspect } = createNotesWorld();
    world.disk.write('total', { version: 2, data: 'shape of later' });

    expect(await inspect()).toEqual({
      isEmpty: false,
      documents: ['total'],
      absent: [],
      readOnly: ['total'],
      unreadable: [],
    });
  });
});

it('a value that was discarded has no text and is absent, but the state is not reported as empty', async () => {
  const { world, ids, inspect, textOf, discard } = await createQuarantinedWorld();

  const before = await inspect();
  await discard(ids);
  await vi.waitFor(() => expect(world.disk.keys()).toContain('journal'));

  expect([before.absent, await textOf(ids[0])]).toEqual([[], null]);
  expect(await inspect()).toMatchObject({ isEmpty: false, absent: ['total'], unreadable: [] });
});

it('10,000 records that cannot be read are quarantined while other changes are made', async () => {
  const created = createNotesWorld();
  const { world, read, change } = created;
  for (let id = 0; id < 10_000; id += 1) world.disk.write(`notes/${id}`, 'broken');
  await read((state) => state.list(notes));

  const left: number[] = [];
  for (let count = 1; count <= 5; count += 1) {
    await change((state) => state.write(total, count));
    left.push(world.disk.keys().filter((key) => key.startsWith('notes/')).length);
  }
  await vi.waitFor(() => expect(created.quarantined()).toHaveLength(10_000));

  // A change waits for one batch, and not for all.
  expect(left[0]).toBeGreaterThan(9_000);
});

it.each(['a5.x.total', '1e999.x.total', '', '9'])(
  'a damaged id of the quarantine such as %j is listed as a whole, and its value can be read and discarded',
  async (id) => {
    const created = createNotesWorld();
    const { world, watch, textOf, discard } = created;
    world.disk.write(`quarantine/${id}`, { text: 'kept' });

    const { value } = await watch((state) => damageOf(state).watch()).next();
    const unreadable = value?.unreadable ?? [];
    const text = await textOf(id);
    await discard([id]);

    expect(unreadable).toEqual([{ id, key: id, at: 1 }]);
    expect([text, created.quarantined()]).toEqual(['kept', []]);
  },
);

describe('the functions for damage', () => {
  it('are not part of the state that handlers get', async () => {
    const { read, change, watch } = createNotesWorld();
    const members = [
      ...(await read(async (state) => Object.keys(state))),
      ...(await change((state) => Object.keys(state))),
    ];
    const watched = watch((state) => {
      members.push(...Object.keys(state));
      return state.watch(total);
    });
    await watched.next();

    expect(members).toContain('read');
    expect(members.filter((name) => /inspect|discard|unreadable|condition/i.test(name))).toEqual([]);
  });

  it('discard nothing in a query', async () => {
    const { ids, read, inspect } = await createQuarantinedWorld();
    const { unreadable } = await inspect();

    const error = await rejectionOf(read((state) => (damageOf(state) as DamageWriter).discard(ids)));

    expect([ids.length, error.code]).toEqual([1, 'INTERNAL']);
    expect((await inspect()).unreadable).toEqual(unreadable);
  });
});
