import * as v from 'valibot';
import { describe, expect, it } from 'vitest';

import type { Json } from '../../../src/messaging/wire/json.ts';
import { defineCollection, defineDocument } from '../../../src/messaging/define/documents.ts';
import { createOldWorld } from '../../support/old-world.ts';
import { rejectionOf } from '../../support/promises.ts';

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

const old = { settings: { theme: 'dark', sites: ['a.test', 'b.test'] }, 'clip-1': 'one', 'clip-2': 'two' };

const openOldWorld = () => createOldWorld(old, [settings, sites, clips]);

const adopted = [
  { theme: 'dark', size: 2 },
  ['a.test', 'b.test'],
  [
    { id: '1', data: { text: 'one' } },
    { id: '2', data: { text: 'two' } },
  ],
];

describe('data of an earlier extension', () => {
  it('is seen by the first query, and has then replaced the old keys', async () => {
    const { world, read, keys, written } = openOldWorld();

    const look = () =>
      read((state) => Promise.all([state.read(settings), state.ids(sites), state.list(clips)]));
    const first = await look();
    await written();
    world.killWorker();

    expect([first, await look()]).toEqual([adopted, adopted]);
    expect(keys()).toEqual(['clips/1', 'clips/2', 'settings', 'sites/a.test', 'sites/b.test']);
    expect(world.disk.read('settings')).toEqual({ version: 1, data: { theme: 'dark' } });
    expect([...world.logged.values()]).toEqual([]);
  });

  it('is written in one write with the first change, at whichever step the worker dies', async () => {
    let isOver = false;
    for (let step = 0; !isOver; step += 1) {
      const { world, change, keys } = openOldWorld();
      const answer = change((state) => state.set(sites, 'c.test', { on: false })).then(() => (isOver = true));
      for (let settled = 0; settled < step; settled += 1) await Promise.resolve();

      const before = keys();
      world.killWorker();
      const isWritten = before.includes('clips/1');
      expect([before.includes('clip-1'), before.includes('sites/c.test')]).toEqual([!isWritten, isWritten]);
      await answer;
      const left = keys().filter((key) => /^(sites|clip)/.test(key));
      expect(left.join()).toBe('clips/1,clips/2,sites/a.test,sites/b.test,sites/c.test');
    }
  });

  it('can be changed and removed before it is written, and stays so', async () => {
    const { world, read, change } = openOldWorld();

    await change(async (state) => {
      await state.update(settings, (data) => ({ ...data, size: 9 }));
      state.remove(clips, '1');
    });
    world.killWorker();

    expect(await read((state) => state.read(settings))).toEqual({ theme: 'dark', size: 9 });
    expect(await read((state) => state.ids(clips))).toEqual(['2']);
  });

  it('stays under its keys if the definition keeps it, and is not adopted again', async () => {
    const counter = defineDocument({
      key: 'count',
      schema: v.number(),
      initial: 0,
      adopt: { keys: ['counter'], keep: true, read: (stored) => stored['counter'] as number },
    });
    const { world, read, change } = createOldWorld({ counter: 7 }, [counter]);

    await change((state) => state.update(counter, (count) => count + 1));
    world.disk.write('count', null);
    world.killWorker();

    expect([await read((state) => state.read(counter)), world.disk.read('counter')]).toEqual([0, 7]);
  });

  it('is shown while the disk is full, and written when there is room', async () => {
    const { world, read, change, keys } = openOldWorld();
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

  it('reaches watchers', async () => {
    const { watch } = openOldWorld();
    const document = (await watch((state) => state.watch(settings)).next()).value;
    const records = (await watch((state) => state.watch(clips)).next()).value;

    expect(document).toEqual(adopted[0]);
    expect(records).toMatchObject({ isWhole: true, items: adopted[2] });
  });

  it('is not reported as unreadable or lost', async () => {
    const { inspect } = openOldWorld();

    const condition = await inspect();

    expect(condition).toMatchObject({ isEmpty: false, absent: ['total'], readOnly: [], unreadable: [] });
  });
});
