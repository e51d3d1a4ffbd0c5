import { describe, expect, it } from 'vitest';

import { type DamageWriter, damageOf, QUARANTINE } from '../../src/messaging/state/damage.ts';
import { quarantineIn } from '../support/counter-world.ts';
import { createNotesWorld, total } from '../support/notes-world.ts';
import { rejectionOf } from '../support/promises.ts';
import { holding, recordStore, refusing } from '../support/store-faults.ts';

const cycle: { self?: unknown } = {};
cycle.self = cycle;

const deep = (levels: number): unknown => {
  let value: unknown = 1;
  for (let level = 0; level < levels; level += 1) value = [value];
  return value;
};

/** Creates a world in which a change has replaced an unreadable value. Returns also the ids of the quarantine. */
async function createQuarantinedWorld(value: unknown = 'broken') {
  const created = createNotesWorld({ stored: { total: value } });
  await created.change((state) => state.write(total, 5));
  const { unreadable } = await created.inspect();
  return { ...created, ids: unreadable.map(({ id }) => id) };
}

const holed: unknown[] = [];
holed[1] = 1;

describe('a value that is not JSON', () => {
  it.each<[what: string, value: unknown, text: string]>([
    ['a BigInt', { version: 1, data: 1n }, '{"version":1,"data":"1n"}'],
    ['a map', { version: 1, data: new Map([[1, 2]]) }, '{"version":1,"data":[[1,2]]}'],
    ['a set', new Set([1, 2]), '[1,2]'],
    ['a date', new Date(0), '"1970-01-01T00:00:00.000Z"'],
    ['a cycle', cycle, '[object Object]'],
    ['NaN', { version: 1, data: Number.NaN }, '{"version":1,"data":null}'],
    ['minus zero', { version: 1, data: [-0, 'text'] }, '{"version":1,"data":[0,"text"]}'],
    ['a hole', { version: 1, data: holed }, '{"version":1,"data":[null,1]}'],
    ['30,000 levels', deep(30_000), '[object Array]'],
  ])('such as %s is quarantined when it is replaced, as the closest text', async (_what, value, text) => {
    const { world, read, change, inspect, textOf } = createNotesWorld({
      patchStore: holding('total', value),
    });

    const seen = await read((state) => state.read(total));
    const { documents, unreadable } = await inspect();
    const shown = await textOf(unreadable[0]?.id);
    await change((state) => state.write(total, 5));

    expect([seen, documents, shown, world.logged.size]).toEqual([0, ['total'], text, 0]);
    expect([world.disk.dataOf('total'), quarantineIn(world)]).toEqual([5, [text]]);
  });
});

describe('a value that cannot be read', () => {
  it.each<[what: string, value: unknown]>([
    ['a text', 'text'],
    ['every kind of JSON', { version: 1, data: [null, true, 'text', 0.5, {}, []] }],
    ['half a character', { version: 1, data: '\uD83D' }],
    ['300 levels', deep(300)],
    ['a member that schemas drop', { version: 1, data: JSON.parse('{"__proto__":1}') as unknown }],
  ])('such as %s is quarantined when it is replaced, with its whole text', async (_what, value) => {
    const { world, ids, textOf } = await createQuarantinedWorld(value);

    expect(world.disk.dataOf('total')).toBe(5);
    expect(await textOf(ids[0])).toBe(JSON.stringify(value));
  });

  it('stays under its key while it is only read, and is listed until it is discarded', async () => {
    const { world, read, inspect, textOf, discard } = createNotesWorld({ stored: { total: 'broken' } });

    const seen = await read((state) => state.read(total));
    const before = await inspect();
    const text = await textOf('0..total');
    const kept = world.disk.keys();
    await discard(['0..total']);

    expect([seen, text, kept]).toEqual([total.initial, '"broken"', ['total']]);
    expect(before).toMatchObject({
      isEmpty: false,
      documents: ['total'],
      unreadable: [{ id: '0..total', key: 'total', at: 0 }],
    });
    expect(await inspect()).toMatchObject({ absent: ['total'], unreadable: [] });
    expect(world.disk.keys()).not.toContain('total');
  });

  it('is shown although it fits another definition', async () => {
    const stored = { version: 1, data: { text: 'a note' } };
    const { textOf } = createNotesWorld({ stored: { total: stored } });

    expect(await textOf('0..total')).toBe(JSON.stringify(stored));
  });

  it.each<[what: string, stored: unknown]>([
    ['text', 'eaten'],
    ['no text', { text: 7 }],
  ])('is shown as it is stored if its entry in the quarantine is %s', async (_what, stored) => {
    const { textOf } = createNotesWorld({ stored: { 'quarantine/5.x.total': stored } });

    expect(await textOf('5.x.total')).toBe(JSON.stringify(stored));
  });

  it('is not discarded by an id with which it was listed before it was quarantined, or that is damaged', async () => {
    const { world, discard, quarantined } = await createQuarantinedWorld();

    await discard(['0..total', '', '0', '0.', 'total', '0.0.total', 'x', '.']);

    expect([world.disk.dataOf('total'), quarantined().length]).toEqual([5, 1]);
  });

  it.each([
    ['an id of another key', 'notes', '0..notes'],
    ['a key below a document', 'total/a', '0..total/a'],
    ['a key of the core', 'queue/000000000001', '0..queue/000000000001'],
    ['a member of every object', '__proto__', '0..__proto__'],
  ])('is neither listed, read nor discarded by %s', async (_what, key, id) => {
    const { world, inspect, textOf, discard } = createNotesWorld({ stored: { [key]: 'of other code' } });

    const text = await textOf(id);
    await discard([id]);

    expect([text, world.disk.read(key)]).toEqual([null, 'of other code']);
    expect((await inspect()).unreadable).toEqual([]);
  });

  it('is not discarded by the handler that has replaced it, and moves to the quarantine', async () => {
    const { world, change } = createNotesWorld({ stored: { total: 'broken' } });

    await change(async (state) => {
      state.write(total, 5);
      await damageOf(state).discard(['0..total']);
    });

    expect([world.disk.dataOf('total'), quarantineIn(world)]).toEqual([5, ['"broken"']]);
  });

  it('is discarded although the store lists it without a value', async () => {
    const { patchStore, writes } = recordStore();
    const { inspect, textOf, discard } = createNotesWorld({
      patchStore: (disk) => ({
        ...patchStore(disk),
        list: async (prefix) => [...(await disk.list(prefix)), ...(prefix === QUARANTINE ? [lost] : [])],
      }),
    });
    const lost = `${QUARANTINE}5.x.total`;

    const text = await textOf('5.x.total');
    await discard(['5.x.total', '5.x.notes']);

    expect([text, writes[0]]).toEqual([null, [lost, expect.stringMatching(/^journal/)]]);
    expect((await inspect()).unreadable).toEqual([]);
  });

  it('without a prototype is quarantined when it is replaced', async () => {
    const stored: unknown = Object.assign(Object.create(null) as object, { a: 1 });
    const { world, change } = createNotesWorld({ patchStore: holding('total', stored) });

    await change((state) => state.write(total, 5));

    expect(quarantineIn(world)).toEqual(['{"a":1}']);
  });

  it('stays as it is if the write that replaces it is refused', async () => {
    const patchStore = refusing((entries) => 'total' in entries);
    const { world, change, quarantined } = createNotesWorld({ patchStore, stored: { total: 'broken' } });

    const { code } = await rejectionOf(change((state) => state.write(total, 5)));

    expect([code, world.disk.read('total'), quarantined()]).toEqual(['NOT_STORED', 'broken', []]);
  });

  it('is quarantined once, at whichever step the worker dies', async () => {
    let isOver = false;
    for (let step = 0; !isOver; step += 1) {
      const { world, change } = createNotesWorld({ stored: { total: 'broken' } });
      const changed = change((state) => state.update(total, (count) => count + 1));
      void changed.then(() => (isOver = true));
      for (let settled = 0; settled < step; settled += 1) await Promise.resolve();

      world.killWorker();
      await changed;

      expect([world.disk.dataOf('total'), quarantineIn(world)]).toEqual([1, ['"broken"']]);
    }
  });
});

it('a quarantined value that was discarded has no text, and the state is not reported as empty', async () => {
  const { ids, change, inspect, textOf, discard } = await createQuarantinedWorld();

  const before = await textOf(ids[0]);
  await discard(ids);
  await change(() => null);

  expect([before, await textOf(ids[0])]).toEqual(['"broken"', null]);
  expect(await inspect()).toMatchObject({ isEmpty: false, unreadable: [] });
});

it.each(['a5.x.total', '1e999.x.total', '', '9'])(
  'a damaged id of the quarantine such as %j is listed as a whole, and its value can be read and discarded',
  async (id) => {
    const stored = { [`quarantine/${id}`]: { text: 'kept' } };
    const { watch, textOf, discard, quarantined } = createNotesWorld({ stored });

    const { value } = await watch((state) => damageOf(state).watch()).next();
    const unreadable = value?.unreadable ?? [];
    const text = await textOf(id);
    await discard([id]);

    expect(unreadable).toEqual([{ id, key: id, at: 1 }]);
    expect([text, quarantined()]).toEqual(['kept', []]);
  },
);

describe('the functions for damage', () => {
  it('are not part of the state that handlers get', async () => {
    const { change, watch } = createNotesWorld();
    const members = await change((state) => Object.keys(state));
    const watched = watch((state) => {
      members.push(...Object.keys(state));
      return state.watch(total);
    });
    await watched.next();

    expect(members).toEqual(expect.arrayContaining(['cancel', 'watch']));
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
