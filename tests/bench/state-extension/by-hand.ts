import { Dexie, type EntityTable } from 'dexie';
import { type DBSchema, openDB } from 'idb';
import * as v from 'valibot';

import { copyJson } from '../../../src/messaging/json.ts';

/*
 * State as a careful engineer keeps it by hand: under a lock, each change reads the value, and writes it again. The same notes
 * are kept in `storage.local`, and in IndexedDB with idb and with Dexie.
 */

export interface Note {
  readonly id: string;
  readonly title: string;
  readonly text: string;
  readonly done: boolean;
  readonly at: number;
}

interface Schema extends DBSchema {
  notes: { key: string; value: Note };
  blobs: { key: string; value: string[] };
}

const { local } = chrome.storage;
const locked = <T>(work: () => Promise<T>): Promise<T> => navigator.locks.request('by hand', work);

let opening: ReturnType<typeof openDB<Schema>> | undefined;

/** Opens the database when it is first used, so that it does not delay the start of a worker. */
const idb = () =>
  (opening ??= openDB<Schema>('idb', 1, {
    upgrade: (database) => {
      database.createObjectStore('notes', { keyPath: 'id' });
      database.createObjectStore('blobs');
    },
  }));

const dexie = new Dexie('dexie') as Dexie & {
  notes: EntityTable<Note, 'id'>;
  blobs: EntityTable<{ id: string; lines: string[] }, 'id'>;
};
dexie.version(1).stores({ notes: 'id', blobs: 'id' });

const changed = (lines: readonly string[] = []): string[] => ['new', ...lines.slice(1)];

const Lines = v.array(v.string());
const Notes = v.array(
  v.object({ id: v.string(), title: v.string(), text: v.string(), done: v.boolean(), at: v.number() }),
);

/** Makes sure that damaged data is noticed when it is read, and that no data is written that could not be read again. */
const parse = <T>(schema: v.GenericSchema<unknown, T>, value: unknown): T => v.parse(schema, copyJson(value));

/** Returns the ids of a page without reading them, which only this benchmark can. */
const idsAfter = (id: string): string[] =>
  Array.from({ length: 100 }, (_, index) => String(Number(id) + 1 + index).padStart(6, '0'));

/** Calls of the page, by name. Each gets an id, or the number of notes, and returns what the page shows. */
export const byHand = {
  'local change': (id) =>
    locked(async () => {
      const key = `hand/${id}`;
      const { [key]: note } = await local.get(key);
      await local.set({ [key]: { ...(note as Note), done: true } });
    }),
  'local blob': () =>
    locked(async () => {
      const { handBlob } = await local.get('handBlob');
      await local.set({ handBlob: changed(handBlob as string[] | undefined) });
    }),
  'local page': async (id) => {
    const keys = (await local.getKeys()).filter((key) => key > `hand/${id}` && key.startsWith('hand/'));
    return Object.values(await local.get(keys.toSorted().slice(0, 100)));
  },
  'local known page': async (id) =>
    Object.values(await local.get(idsAfter(id).map((each) => `hand/${each}`))),
  'local all': async (count) => {
    const keys = Array.from(
      { length: Number(count) },
      (_, index) => `hand/${String(index).padStart(6, '0')}`,
    );
    return Object.values(await local.get(keys));
  },
  'idb change': async (id) => {
    const { store, done } = (await idb()).transaction('notes', 'readwrite');
    const note = await store.get(id);
    if (note !== undefined) await store.put({ ...note, done: true });
    await done;
  },
  'idb blob': async () => {
    const { store, done } = (await idb()).transaction('blobs', 'readwrite');
    await store.put(changed(await store.get('blob')), 'blob');
    await done;
  },
  'idb page': async (id) => (await idb()).getAll('notes', IDBKeyRange.lowerBound(id, true), 100),
  'idb all': async () => (await idb()).getAll('notes'),
  'checked all': async () => parse(Notes, await (await idb()).getAll('notes')),
  'checked blob': () =>
    locked(async () => {
      const database = await idb();
      const lines = parse(Lines, await database.get('blobs', 'blob'));
      await database.put('blobs', parse(Lines, changed(lines)), 'blob');
    }),
  'dexie change': (id) =>
    dexie.transaction('rw', dexie.notes, async () => {
      const note = await dexie.notes.get(id);
      if (note !== undefined) await dexie.notes.put({ ...note, done: true });
    }),
  'dexie blob': () =>
    dexie.transaction('rw', dexie.blobs, async () => {
      const lines = changed((await dexie.blobs.get('blob'))?.lines);
      await dexie.blobs.put({ id: 'blob', lines });
    }),
  'dexie page': (id) => dexie.notes.where('id').above(id).limit(100).toArray(),
  'dexie all': () => dexie.notes.toArray(),
} satisfies Readonly<Record<string, (argument: string) => Promise<unknown>>>;

/** Stores the same note under each of these ids, in each of the three. */
export async function fillByHand(ids: readonly string[], note: Omit<Note, 'id'>): Promise<void> {
  const notes = ids.map((id) => Object.assign({ id }, note));
  await local.set(Object.fromEntries(notes.map((each) => [`hand/${each.id}`, each])));
  const { store, done } = (await idb()).transaction('notes', 'readwrite');
  await Promise.all([...notes.map((each) => store.put(each)), done]);
  await dexie.notes.bulkPut(notes);
}

/** Stores the same large value in each of the three. */
export async function fillBlobByHand(lines: string[]): Promise<void> {
  await local.set({ handBlob: lines });
  await (await idb()).put('blobs', lines, 'blob');
  await dexie.blobs.put({ id: 'blob', lines });
}
