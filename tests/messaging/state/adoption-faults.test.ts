import * as v from 'valibot';
import { expect, it, vi } from 'vitest';

import type { Json } from '../../../src/messaging/json.ts';
import { defineCollection, defineDocument, type Definition } from '../../../src/messaging/state/documents.ts';
import type { Store } from '../../../src/messaging/state/store.ts';
import { createNotesWorld, total } from '../../support/notes-world.ts';
import { rejectionOf } from '../../support/promises.ts';
import { recordStore } from '../../support/store-faults.ts';

type Stored = Readonly<Record<string, unknown>>;

const broken = new Error('The earlier data is broken');
const fail = (): never => {
  throw broken;
};

/** Declares a document that adopts data of an earlier extension: by default, the names of its keys. */
const adopting = (
  key: string,
  keys: readonly string[],
  read: (stored: Stored) => Json = (stored) => Object.keys(stored).join(),
) => defineDocument({ key, schema: v.string(), initial: 'initial', adopt: { keys, read } });

/** Creates a world with earlier data. It records what the worker reads, lists and writes. */
function createOldWorld(
  stored: Readonly<Record<string, Json>>,
  documents: readonly Definition<unknown>[],
  wrap: (disk: Store) => Partial<Store> = () => ({}),
) {
  const { patchStore, reads, lists, writes } = recordStore();
  const created = createNotesWorld({
    documents: [total, ...documents],
    patchStore: (disk) => patchStore({ ...disk, ...wrap(disk) }),
  });
  for (const [key, value] of Object.entries(stored)) created.world.disk.write(key, value);
  return {
    ...created,
    reads: () => withoutCore(new Set(reads.flat())),
    lists: () => withoutCore(new Set(lists)),
    /** The keys of each write. */
    writes: () => writes.map(withoutCore).filter((keys) => keys.length > 0),
    keys: () => withoutCore(created.world.disk.keys()),
    /** Makes a change. It waits for the lock, so the work of earlier calls is done after it. */
    setTotal: (value: number) => created.change((state) => state.write(total, value)),
    /** Errors of adoptions that were logged. */
    failures: () =>
      [...created.world.logged.values()].filter(
        (error): error is Error => error instanceof Error && error.message.includes('was not adopted'),
      ),
  };
}

/** Leaves out keys that every background uses. */
const withoutCore = (keys: Iterable<string>): readonly string[] =>
  [...keys].filter((key) => !/^(journal|queue|inbox)/.test(key)).toSorted();

it.each<[what: string, adopt: object, stored: Readonly<Record<string, Json>>, calls: number]>([
  ['of a key that is not stored', { keys: ['old'] }, {}, 0],
  ['of a prefix without keys', { prefix: 'old' }, {}, 0],
  ['that takes nothing from what is stored', { keys: ['old'] }, { old: 'kept' }, 1],
])(
  'an adoption %s uses only its own keys, changes nothing, and is recorded with the next change',
  async (_what, adopt, stored, calls) => {
    const take = vi.fn<() => []>(() => []);
    const items = defineCollection({ key: 'items', schema: v.string(), adopt: { ...adopt, read: take } });
    const { world, read, reads, lists, writes, keys, setTotal } = createOldWorld(stored, [items]);

    const count = await read((state) => state.count(items));
    const { keys: own = [], prefix } = adopt as { readonly keys?: string[]; readonly prefix?: string };
    expect([count, take.mock.calls.length, writes()]).toEqual([0, calls, []]);
    expect(reads()).toEqual(['prepared/items', ...own].toSorted());
    expect(lists()).toEqual(['items/', ...(prefix === undefined ? [] : [prefix])]);
    await setTotal(1);
    await setTotal(2);

    expect(writes()).toEqual([['prepared/items', 'total'], ['total']]);
    expect(keys()).toEqual([...Object.keys(stored), 'prepared/items', 'total'].toSorted());
    expect(world.disk.read('prepared/items')).toBe(true);
  },
);

it('an adoption that an earlier background has recorded is not repeated', async () => {
  const items = adopting('items', ['old']);
  const { read } = createOldWorld({ old: 'left', 'prepared/items': true }, [items]);

  expect(await read((state) => state.read(items))).toBe('initial');
});

it('an adoption does not take values that a definition has stored, but any value under an earlier key', async () => {
  const stored = { items: { version: 1, data: 'mine' }, old: { version: 3, data: 'earlier' } };
  const take = vi.fn<(earlier: Stored) => Json>(() => 'taken');
  const items = adopting('items', ['items', 'old'], take);
  const { read, keys } = createOldWorld(stored, [items]);

  expect(await read((state) => state.read(items))).toBe('mine');
  expect(take.mock.calls).toEqual([[{ old: stored.old }]]);
  expect(keys()).toEqual(expect.arrayContaining(['items', 'old']));
});

it.each<[why: string, read: () => Json, cause: unknown]>([
  ['throws', fail, broken],
  [
    'returns data that does not fit',
    () => 5,
    expect.objectContaining({ message: expect.stringContaining('"part"') }),
  ],
])(
  'nothing of a value is adopted if one of two definitions %s, and the log has the reason',
  async (_why, take, cause) => {
    const whole = adopting('whole', ['first', 'shared']);
    const part = adopting('part', ['shared'], take);
    const stored = { first: 1, shared: 2 };
    const { read, keys, setTotal, failures } = createOldWorld(stored, [whole, part]);

    const seen = await read((state) => Promise.all([state.read(whole), state.read(part)]));
    await setTotal(1);

    expect([seen, keys()]).toEqual([
      ['initial', 'initial'],
      ['first', 'shared', 'total'],
    ]);
    expect(failures().map((error) => error.cause)).toEqual([undefined, cause]);
  },
);

it('a value that cannot be adopted stays under the key of its document, and not in the quarantine', async () => {
  const part = adopting('part', ['part'], fail);
  const { read, keys, setTotal } = createOldWorld({ part: 'eaten' }, [part]);

  const seen = await read((state) => state.read(part));
  await setTotal(1);

  expect([seen, keys()]).toEqual(['initial', ['part', 'total']]);
});

it('an adoption that fails is logged once, although a full disk makes each read try it again', async () => {
  const documents = [adopting('good', ['old']), adopting('bad', ['older'], fail)] as const;
  const { world, read, failures } = createOldWorld({ old: 1, older: 2 }, documents);
  world.disk.failWrites(new Error('The disk is full'));

  const seen = [await read((state) => state.read(documents[0]))];
  seen.push(await read((state) => state.read(documents[0])));

  expect([seen, failures().map((error) => error.cause)]).toEqual([['old', 'old'], [broken]]);
});

it('a store that cannot be read does not count as an adoption that failed', async () => {
  const [good, late] = [adopting('good', ['old']), adopting('late', ['older'])];
  let isBroken = true;
  const { read, failures } = createOldWorld({ old: 1, older: 2 }, [good, late], (disk) => ({
    read: async (keys) => {
      if (isBroken && keys.includes('late')) throw new Error('The disk is busy');
      return disk.read(keys);
    },
  }));

  const error = await rejectionOf(read((state) => state.read(good)));
  isBroken = false;

  expect([error.code, failures()]).toEqual(['NOT_READ', []]);
  expect(await read((state) => Promise.all([state.read(good), state.read(late)]))).toEqual(['old', 'older']);
});

it('keeps a value that a delayed adoption still needs, although a third definition has adopted it', async () => {
  let isBroken = true;
  const first = adopting('first', ['x'], () => (isBroken ? fail() : 'x'));
  const second = adopting('second', ['x', 'y']);
  const { read, change, world } = createNotesWorld({
    documents: [total, first, second, adopting('third', ['y'])],
  });
  world.disk.write('x', 1);
  world.disk.write('y', 2);
  await read((state) => state.read(second));
  await change((state) => state.write(total, 1));

  isBroken = false;
  world.killWorker();

  expect(await read((state) => state.read(second))).toBe('x,y');
});
