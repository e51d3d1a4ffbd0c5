import { storage } from 'webextension-polyfill';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';

import type { Store } from '../../src/messaging/state/store.ts';
import { sleep } from '../support/promises.ts';

const { local } = storage;
const broken = new Error('The disk is full');

/** An area that keeps `null`, as those of the browsers do. The fake browser's own area drops it. */
function createArea() {
  const stored = new Map<string, unknown>();
  return {
    get: async (names: unknown) => {
      const wanted = names === null ? [...stored.keys()] : ([names].flat() as string[]);
      return Object.fromEntries(
        wanted.filter((name) => stored.has(name)).map((name) => [name, stored.get(name)]),
      );
    },
    getKeys: async () => [...stored.keys()],
    set: async (entries: object) => {
      for (const [name, value] of Object.entries(entries)) stored.set(name, value);
    },
    remove: async (names: readonly string[]) => {
      for (const name of names) stored.delete(name);
    },
  };
}

let area: ReturnType<typeof createArea>;

beforeEach(() => {
  vi.useFakeTimers();
  area = createArea();
  Object.assign(local, area);
});
afterEach(() => void vi.useRealTimers());

/** Starts a background with its own store. */
async function start(): Promise<Store> {
  vi.resetModules();
  return (await import('../../src/platform/local-store.ts')).localStore;
}

/** Waits until removed keys are no longer stored. */
const tidy = (): Promise<unknown> => vi.advanceTimersByTimeAsync(1_500);

const namesIn = async (): Promise<readonly string[]> =>
  (await area.getKeys()).filter((name) => name.startsWith('notes/'));

it('does not list a key that was removed, although it could not be written again', async () => {
  const store = await start();
  await store.write({ 'notes/a': 1 });
  await store.write({ 'notes/a': null });
  vi.spyOn(local, 'set').mockRejectedValueOnce(broken);

  await expect(store.write({ 'notes/a': 2 })).rejects.toThrow(broken);

  expect(await store.list('notes/')).toEqual([]);
  await tidy();
  expect(await namesIn()).toEqual([]);
});

it.each([
  ['took place', true, []],
  ['did not take place', false, ['notes/a']],
])('lists what is stored after a removal that was reported as failed and %s', async (_what, isMade, left) => {
  const store = await start();
  await store.write({ 'notes/a': 1 });
  vi.spyOn(local, 'set').mockImplementationOnce(async (entries) => {
    if (isMade) await area.set(entries);
    throw broken;
  });

  await expect(store.write({ 'notes/a': null })).rejects.toThrow(broken);

  expect(await store.list('notes/')).toEqual(left);
  await tidy();
  expect([await store.list('notes/'), await namesIn()]).toEqual([left, left]);
});

it('does not list a removed key that the browser could not delete, and deletes it later', async () => {
  const store = await start();
  vi.spyOn(local, 'remove').mockRejectedValueOnce(broken);
  await store.write({ 'notes/a': null });
  await tidy();

  const listed = await store.list('notes/');
  await store.write({ 'notes/b': 1 });
  await tidy();

  expect([listed, await namesIn()]).toEqual([[], ['notes/b']]);
});

it('does not list a key whose removal ends while the keys are listed', async () => {
  const store = await start();
  await store.write({ 'notes/a': null });
  Object.assign(local, {
    getKeys: async () => {
      const names = await area.getKeys();
      await tidy();
      return names;
    },
  });

  expect(await store.list('notes/')).toEqual([]);
});

it('deletes what an earlier background has removed, although its lists could not be read at first', async () => {
  const earlier = await start();
  await earlier.write({ 'notes/a': null });
  await earlier.write({ 'notes/b': null });
  vi.clearAllTimers();
  const store = await start();
  vi.spyOn(local, 'get').mockRejectedValueOnce(broken);
  await expect(store.list('notes/')).rejects.toThrow(broken);

  await store.write({ 'notes/c': null });

  expect(await store.list('notes/')).toEqual([]);
  await tidy();
  expect(await area.getKeys()).toEqual([]);
});

it('stores few removed keys although each background dies before it would delete its own', async () => {
  for (let background = 0; background < 100; background += 1) {
    const store = await start();
    await store.write({ [`notes/${background}`]: null });
    await store.list('notes/');
    await vi.advanceTimersByTimeAsync(500);
    vi.clearAllTimers();
  }

  expect((await namesIn()).length).toBeLessThan(65);
});

it('keeps a key that is written again while removed keys are deleted', async () => {
  const store = await start();
  await store.write({ 'notes/a': null, 'notes/b': null });
  vi.spyOn(local, 'get').mockImplementationOnce(async (names) => {
    void store.write({ 'notes/a': 2 });
    return area.get(names);
  });

  await tidy();

  expect(await namesIn()).toEqual(['notes/a']);
});

it('writes other keys at once while removed keys are deleted', async () => {
  const store = await start();
  await store.write({ 'notes/a': null });
  let end = (): void => {};
  vi.spyOn(local, 'get').mockImplementationOnce(() => new Promise((resolve) => (end = () => resolve({}))));
  await vi.advanceTimersByTimeAsync(1_500);

  await store.write({ 'notes/b': 1 });

  expect(await namesIn()).toEqual(['notes/a', 'notes/b']);
  end();
  await tidy();
  expect(await namesIn()).toEqual(['notes/b']);
});

it('deletes removed keys while one write follows another', async () => {
  const store = await start();
  vi.spyOn(local, 'set').mockImplementation(async (entries) => {
    await sleep(5);
    await area.set(entries);
  });
  let isOver = false;
  async function writeOn(): Promise<void> {
    for (let id = 0; !isOver; id += 1) await store.write({ [`notes/${id}`]: null });
  }

  void writeOn();
  await vi.advanceTimersByTimeAsync(5_000);
  isOver = true;

  // A second of writes, and those that began while keys were deleted.
  expect((await namesIn()).length).toBeLessThan(300);
});

it('deletes a removed key that no list names, after it was read', async () => {
  await area.set({ 'notes/a': null, 'notes/b': 1 });
  const store = await start();

  const seen = await store.read(['notes/a', 'notes/b']);

  expect([seen, await store.list('notes/')]).toEqual([{ 'notes/b': 1 }, ['notes/b']]);
  await tidy();
  expect(await namesIn()).toEqual(['notes/b']);
});

it('deletes the keys of a burst together', async () => {
  const store = await start();
  const remove = vi.spyOn(local, 'remove');

  for (let id = 0; id < 50; id += 1) {
    await store.write({ [`notes/${id}`]: null });
    await vi.advanceTimersByTimeAsync(10);
  }
  await tidy();

  expect(remove).toHaveBeenCalledTimes(1);
});
