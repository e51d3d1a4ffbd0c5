import * as v from 'valibot';
import { describe, expect, it, vi } from 'vitest';

import type { Json } from '../../../src/messaging/json.ts';
import {
  defineCollection,
  defineDocument,
  type Definition,
  type DocumentDefinition,
} from '../../../src/messaging/state/documents.ts';
import { quarantineIn } from '../../support/counter-world.ts';
import { createNotesWorld, total } from '../../support/notes-world.ts';
import { rejectionOf } from '../../support/promises.ts';
import { doubt, recordStore } from '../../support/store-faults.ts';

type Old = Readonly<Record<string, Json>>;

/** Settings that an earlier extension kept in one object, under the key of the document. */
const settings = defineDocument({
  key: 'settings',
  schema: v.object({ theme: v.string(), size: v.number() }),
  initial: { theme: 'light', size: 1 },
  // Added after the adoption was written.
  migrations: [(data) => ({ ...(data as Old), size: 2 })],
  adopt: { keys: ['settings'], read: ({ settings: old }) => ({ theme: (old as Old)['theme'] ?? 'light' }) },
});

/** A list that it kept in an array of the same object. */
const sites = defineCollection({
  key: 'sites',
  schema: v.object({ on: v.boolean() }),
  adopt: {
    keys: ['settings'],
    read: ({ settings: old }) =>
      ((old as Old)['sites'] as readonly string[]).map((site) => [site, { on: true }] as const),
  },
});

/** Items that it kept each under its own key. */
const clips = defineCollection({
  key: 'clips',
  schema: v.object({ text: v.string() }),
  adopt: {
    prefix: 'clip-',
    read: (stored) =>
      Object.entries(stored).map(([key, text]) => [key.slice(5), { text: text as string }] as const),
  },
});

/** A number that it kept under another key, or in another shape. */
const countShape = { key: 'count', schema: v.number(), initial: 0 };

const old = { settings: { theme: 'dark', sites: ['a.test', 'b.test'] }, 'clip-1': 'one', 'clip-2': 'two' };

function createOldWorld(
  stored: Readonly<Record<string, Json>> = old,
  documents: readonly Definition<unknown>[] = [settings, sites, clips],
) {
  const created = createNotesWorld({ documents });
  for (const [key, value] of Object.entries(stored)) created.world.disk.write(key, value);
  const keys = (): readonly string[] =>
    created.world.disk
      .keys()
      .filter((key) => !key.startsWith('journal'))
      .toSorted();
  return { ...created, keys };
}

const adopted = [
  { theme: 'dark', size: 2 },
  ['a.test', 'b.test'],
  [
    { id: '1', data: { text: 'one' } },
    { id: '2', data: { text: 'two' } },
  ],
];

describe('data of an earlier extension', () => {
  it('is seen by the first query, is written once, and replaces the old keys', async () => {
    const { world, read, keys } = createOldWorld();

    const look = () =>
      read((state) => Promise.all([state.read(settings), state.ids(sites), state.list(clips)]));
    const first = await look();
    await vi.waitFor(() => expect(keys()).not.toContain('clip-1'));
    world.killWorker();

    expect([first, await look()]).toEqual([adopted, adopted]);
    expect(keys()).toEqual([
      'clips/1',
      'clips/2',
      'prepared/clips',
      'prepared/settings',
      'prepared/sites',
      'settings',
      'sites/a.test',
      'sites/b.test',
    ]);
    expect(world.disk.read('settings')).toEqual({ version: 1, data: { theme: 'dark' } });
    expect([...world.logged.values()]).toEqual([]);
  });

  it('is written with the first change, at whichever step the worker dies', async () => {
    let isOver = false;
    for (let step = 0; !isOver; step += 1) {
      const { world, change, keys } = createOldWorld();
      const answer = change((state) => state.set(sites, 'c.test', { on: false })).then(() => (isOver = true));
      for (let settled = 0; settled < step; settled += 1) await Promise.resolve();

      const before = keys();
      world.killWorker();
      expect(before.includes('clip-1')).toBe(!before.includes('clips/1'));
      expect(before.includes('sites/c.test')).toBe(before.includes('prepared/sites'));
      await answer;
      expect(
        keys()
          .filter((key) => /^(sites|clip)/.test(key))
          .join(),
      ).toBe('clips/1,clips/2,sites/a.test,sites/b.test,sites/c.test');
    }
  });

  it('can be changed and removed before it is written, and stays so', async () => {
    const { world, read, change } = createOldWorld();

    await change(async (state) => {
      await state.update(settings, (data) => ({ ...data, size: 9 }));
      state.remove(clips, '1');
    });
    world.killWorker();

    expect(await read((state) => state.read(settings))).toEqual({ theme: 'dark', size: 9 });
    expect(await read((state) => state.ids(clips))).toEqual(['2']);
  });

  it('is read once, also by two queries at the same time', async () => {
    const reader = vi.fn<(stored: Readonly<Record<string, unknown>>) => Json>(() => 7);
    const counter = defineDocument({ ...countShape, adopt: { keys: ['counter'], read: reader } });
    const { world, read, change, keys } = createOldWorld({ counter: 7 }, [counter]);

    const seen = await read((state) => Promise.all([state.read(counter), state.read(counter)]));
    await vi.waitFor(() => expect(keys()).toEqual(['count', 'prepared/count']));
    await change((state) => state.update(counter, (count) => count + 1));
    world.killWorker();

    expect([seen, await read((state) => state.read(counter))]).toEqual([[7, 7], 8]);
    expect(reader.mock.calls).toEqual([[{ counter: 7 }]]);
  });

  it('stays under its keys if the definition keeps it, and is not adopted again', async () => {
    const counter = defineDocument({
      ...countShape,
      adopt: { keys: ['counter'], keep: true, read: (stored) => stored['counter'] as number },
    });
    const { world, read, change } = createOldWorld({ counter: 7 }, [counter]);

    await change((state) => state.update(counter, (count) => count + 1));
    world.disk.write('count', null);
    world.killWorker();

    expect([await read((state) => state.read(counter)), world.disk.read('counter')]).toEqual([0, 7]);
  });

  it('does not replace what this extension has stored', async () => {
    const { read } = createOldWorld({
      ...old,
      'clips/1': { version: 1, data: { text: 'new' } },
    });

    expect(await read((state) => state.list(clips))).toEqual([
      { id: '1', data: { text: 'new' } },
      { id: '2', data: { text: 'two' } },
    ]);
  });

  it('is shown while the disk is full, and written when there is room', async () => {
    const { world, read, change, keys } = createOldWorld();
    world.disk.failWrites(new Error('The disk is full'));

    const seen = [await read((state) => state.read(settings))];
    const error = await rejectionOf(change((state) => state.set(clips, '3', { text: 'three' })));
    seen.push(await read((state) => state.read(settings)));
    const before = keys();
    world.disk.failWrites(undefined);
    await change((state) => state.set(clips, '3', { text: 'three' }));

    expect([...seen, error.code]).toEqual([adopted[0], adopted[0], 'NOT_STORED']);
    expect(before).toEqual(['clip-1', 'clip-2', 'settings']);
    expect(keys()).toContain('clips/3');
    expect(await read((state) => state.count(clips))).toBe(3);
  });

  it.each([true, false])(
    'is read again if it is unknown whether it was written (it was: %s)',
    async (wasWritten) => {
      const { patchStore, recover } = doubt({
        isMade: wasWritten,
        isMeant: (entries) => 'clips/1' in entries,
      });
      const { world, read, change } = createNotesWorld({ documents: [clips], patchStore });
      world.disk.write('clip-1', 'one');

      const error = await rejectionOf(change((state) => state.set(clips, '2', { text: 'two' })));
      recover();
      if (wasWritten) world.disk.write('clips/1', { version: 1, data: { text: 'changed' } });

      expect(error.code).toBe('IN_DOUBT');
      const text = wasWritten ? 'changed' : 'one';
      expect(await read((state) => state.get(clips, '1'))).toEqual({ text });
    },
  );

  it('does not change when a handler changes what it got', async () => {
    const Settings = v.custom<{ theme: string }>(() => true);
    const mutable = defineDocument({
      key: 'mutable',
      schema: Settings,
      initial: { theme: 'light' },
      adopt: { keys: ['settings'], read: ({ settings: earlier }) => earlier as Json },
    });
    const { world, read } = createOldWorld({ settings: { theme: 'dark' } }, [mutable]);
    world.disk.failWrites(new Error('The disk is full'));

    await read(async (state) => void ((await state.read(mutable)).theme = 'broken'));

    expect(await read((state) => state.read(mutable))).toEqual({ theme: 'dark' });
  });

  it('reaches watchers', async () => {
    const { watch } = createOldWorld();
    const document = (await watch((state) => state.watch(settings)).next()).value;
    const records = (await watch((state) => state.watch(clips)).next()).value;

    expect(document).toEqual(adopted[0]);
    expect(records).toMatchObject({ isWhole: true, items: adopted[2] });
  });

  it('is not reported as unreadable or lost', async () => {
    const { inspect } = createOldWorld();

    expect(await inspect()).toMatchObject({
      isEmpty: false,
      absent: [],
      readOnly: [],
      unreadable: [],
    });
  });
});

describe('data that cannot be adopted', () => {
  it.each<[why: string, earlier: Json]>([
    ['the function throws', { theme: 'dark' }],
    ['it does not fit the schema', { theme: 5, sites: [] }],
  ])('stays as it was if %s, and the log and the unreadable data name it', async (_why, earlier) => {
    const stored = { settings: earlier, 'clip-1': 'one' };
    const { world, read, keys, inspect } = createOldWorld(stored);

    const seen = await read((state) =>
      Promise.all([state.read(settings), state.ids(sites), state.ids(clips)]),
    );
    const { unreadable } = await inspect();
    await vi.waitFor(() => expect(keys()).toContain('clips/1'));

    expect(seen).toEqual([settings.initial, [], ['1']]);
    expect(world.disk.read('settings')).toEqual(stored.settings);
    expect(unreadable).toMatchObject([{ key: 'settings', at: 0 }]);
    expect([...world.logged.values()].map(String)).toEqual([
      'Error: The earlier data of "settings" was not adopted. It is unchanged.',
      'Error: The earlier data of "sites" was not adopted. It is unchanged.',
    ]);
  });

  it('is kept in the quarantine when it is replaced', async () => {
    const { world, read, change } = createOldWorld({ settings: 'eaten' });

    await change((state) => state.write(settings, { theme: 'new', size: 3 }));

    expect(quarantineIn(world)).toEqual(['"eaten"']);
    expect(await read((state) => state.read(settings))).toEqual({ theme: 'new', size: 3 });
  });

  it('is adopted by a later version of the extension', async () => {
    let isFixed = false;
    const counter = defineDocument({
      ...countShape,
      adopt: { keys: ['count'], read: ({ count }) => (isFixed ? Number(count) : 'broken') },
    });
    const { world, read } = createOldWorld({ count: '7' }, [counter]);

    const before = await read((state) => state.read(counter));
    world.killWorker();
    isFixed = true;

    expect([before, await read((state) => state.read(counter))]).toEqual([0, 7]);
  });
});

it.each<[what: string, define: () => unknown]>([
  [
    'data of a session',
    () =>
      defineDocument({
        key: 'a',
        schema: v.number(),
        initial: 0,
        lifetime: 'session',
        adopt: { keys: ['a'], read: () => 1 },
      }),
  ],
  [
    'all keys',
    () => defineCollection({ key: 'a', schema: v.number(), adopt: { prefix: '', read: () => [] } }),
  ],
])('refuses to adopt %s', (what, define) => {
  expect(define).toThrow(new TypeError(`"a" cannot adopt ${what}.`));
});

it('costs one read of the proofs, at the time of the first read, once everything is adopted', async () => {
  const { patchStore, reads } = recordStore();
  const { world, read } = createNotesWorld({ documents: [settings, sites, clips], patchStore });
  for (const [key, value] of Object.entries(old)) world.disk.write(key, value);
  await read((state) => state.read(settings));
  await vi.waitFor(() => expect(world.disk.keys()).toContain('clips/1'));
  world.killWorker();
  reads.length = 0;

  await read((state) => state.read(settings));
  await read((state) => state.read(settings));

  const proofs = ['prepared/settings', 'prepared/sites', 'prepared/clips'];
  expect(reads.filter((keys) => !/^(journal|queue|inbox)/.test(keys.join()))).toEqual([
    ['settings'],
    proofs,
    ['settings'],
  ]);
});

it('a prefix takes neither the records of another definition nor those of the core', async () => {
  const cards = defineCollection({ key: 'cards', schema: v.string() });
  const jobs = defineDocument({
    key: 'jobs',
    schema: v.array(v.string()),
    initial: [],
    adopt: { prefix: '-', read: (stored) => Object.keys(stored) },
  });
  for (const prefix of ['card', 'j']) {
    const adopting = { ...jobs, adopt: jobs.adopt && { ...jobs.adopt, prefix } };
    const { world, change, read } = createNotesWorld({ documents: [cards, adopting] });
    world.disk.write(`${prefix}1`, 'earlier');
    await change((state) => state.set(cards, 'a', 'mine'));
    const before = world.disk.keys();

    expect(await read((state) => state.read(adopting))).toEqual([`${prefix}1`]);
    await change((state) => state.set(cards, 'b', 'mine'));

    const left = before.filter((key) => world.disk.keys().includes(key));
    expect(left).toEqual(before.filter((key) => key !== `${prefix}1`));
  }
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
  const { world, read } = createNotesWorld({ documents: [kept, taken] });
  world.disk.write('options', 'dark');

  expect(await read(async (state) => [await state.read(kept), await state.read(taken)])).toEqual([
    'dark',
    'dark',
  ]);

  await vi.waitFor(() => expect(world.disk.dataOf('taken')).toBe('dark'));
  expect(world.disk.read('options')).toBe('dark');
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
    const { world, change, read } = createNotesWorld({ documents: [total, mails] });
    world.disk.write(key, ['a', 'b']);

    // The first changes also look for events and prune the journal.
    await change((state) => state.write(total, 1));
    await vi.waitFor(() => expect(world.disk.read('journal')).toEqual(expect.any(Number)));
    await world.fire(({ mutate }) => mutate('test.change'));

    expect(await read((state) => state.read(mails))).toEqual(['a', 'b']);
  },
);
