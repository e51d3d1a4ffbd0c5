import { openDB } from 'idb';

import { store } from '../../support/core-extension/store.ts';
import { localStore } from '../../../src/platform/local-store.ts';

/** Values as a careful engineer stores them without the core. The ids of notes are digits. */
export interface ByHand {
  readonly get: (id: string) => Promise<unknown>;
  readonly put: (entries: Readonly<Record<string, unknown>>) => Promise<void>;
  /** Changes one value, so that no change is lost. */
  readonly update: (id: string, change: (value: unknown) => unknown) => Promise<void>;
  /** Returns the notes that follow an id. */
  readonly list: (after: string, count: number) => Promise<readonly unknown[]>;
}

export const idOf = (number: number): string => String(number).padStart(6, '0');

/** Returns ids without reading them, which only this benchmark can. */
const idsAfter = (id: string, count: number): string[] =>
  Array.from({ length: count }, (_, index) => idOf((id === '' ? 0 : Number(id) + 1) + index));

const { local } = chrome.storage;
const keyOf = (id: string): string => `hand/${id}`;

/** Each change takes a Web Lock, and reads the value. */
const inLocal: ByHand = {
  get: async (id) => (await local.get(keyOf(id)))[keyOf(id)],
  put: (entries) =>
    local.set(Object.fromEntries(Object.entries(entries).map(([id, value]) => [keyOf(id), value]))),
  update: (id, change) =>
    navigator.locks.request('by hand', async () => inLocal.put({ [id]: change(await inLocal.get(id)) })),
  list: async (after, count) => Object.values(await local.get(idsAfter(after, count).map(keyOf))),
};

let opening: ReturnType<typeof openDB> | undefined;

/** Opens the database when it is first used, so that it does not delay the start of the background. */
const idb = () =>
  (opening ??= openDB('by-hand', 1, { upgrade: (database) => void database.createObjectStore('values') }));

/** Each change is a transaction. */
const inIdb: ByHand = {
  get: async (id) => (await idb()).get('values', id),
  put: async (entries) => {
    const { store: values, done } = (await idb()).transaction('values', 'readwrite');
    await Promise.all([...Object.entries(entries).map(([id, value]) => values.put(value, id)), done]);
  },
  update: async (id, change) => {
    const { store: values, done } = (await idb()).transaction('values', 'readwrite');
    await values.put(change(await values.get(id)), id);
    await done;
  },
  list: async (after, count) => (await idb()).getAll('values', IDBKeyRange.lowerBound(after, true), count),
};

export const byHand = store === localStore ? inLocal : inIdb;

const cache = new Map<string, unknown>();

/** Keeps all that was read or written in memory. A change needs neither a lock nor a read then, because it is made at once. */
export const cached: ByHand = {
  get: async (id) => {
    const value = cache.get(id) ?? (await byHand.get(id));
    if (!cache.has(id)) cache.set(id, value);
    return cache.get(id);
  },
  put: byHand.put,
  update: async (id, change) => {
    if (!cache.has(id)) await cached.get(id);
    const value = change(cache.get(id));
    cache.set(id, value);
    await byHand.put({ [id]: value });
  },
  list: async (after, count) => {
    const ids = idsAfter(after, count);
    if (!ids.every((id) => cache.has(id))) {
      const notes = await byHand.list(after, count);
      for (const [index, note] of notes.entries()) cache.set(ids[index] ?? '', note);
    }
    return ids.map((id) => cache.get(id));
  },
};
