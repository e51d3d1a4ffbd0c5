import * as v from 'valibot';

import { type ApiOf, defineFeature } from '../../../src/messaging/feature.ts';
import { proceduresFor } from '../../../src/messaging/procedures.ts';
import { defineCollection, defineDocument } from '../../../src/messaging/state/documents.ts';
import { testCallers } from '../../support/counter.ts';
import { startBackground } from '../../support/start-background.ts';

const { query, mutation, subscription } = proceduresFor(testCallers);

const notes = defineCollection({
  key: 'notes',
  schema: v.looseObject({ title: v.string(), text: v.string(), done: v.boolean(), at: v.number() }),
});
const blob = defineDocument({ key: 'blob', schema: v.array(v.string()), initial: [] });

const callers = ['options'] as const;
const Note = v.object({ title: v.string(), text: v.string(), done: v.boolean(), at: v.number() });

/** Changes of the notes, for a page with a list of them. */
interface Changes {
  readonly isWhole: boolean;
  readonly items: { readonly id: string; readonly title: string }[];
  readonly removed: string[];
}

/** Notes, each under its own key, and a large document. Answers are small, so that only the state is measured. */
const stateFeature = defineFeature({
  documents: [notes, blob],
  procedures: {
    'notes.set': mutation({
      callers,
      input: v.object({ id: v.string(), note: Note }),
      output: v.null(),
      handle: ({ input, state }) => {
        state.set(notes, input.id, input.note);
        return null;
      },
    }),
    'notes.count': query({
      callers,
      output: v.number(),
      handle: async ({ state }) => (await state.list(notes)).length,
    }),
    'notes.page': query({
      callers,
      input: v.string(),
      output: v.number(),
      handle: async ({ input, state }) => (await state.list(notes, { after: input, limit: 100 })).length,
    }),
    'notes.watch': subscription({
      callers,
      output: v.custom<Changes>(() => true),
      handle: async function* ({ state }) {
        for await (const { isWhole, items, removed } of state.watch(notes)) {
          yield {
            isWhole,
            items: items.map(({ id, data: { title } }) => ({ id, title })),
            removed: [...removed],
          };
        }
      },
    }),
    'blob.change': mutation({
      callers,
      input: v.string(),
      output: v.number(),
      handle: async ({ input, state }) => {
        const lines = await state.update(blob, (old) => [input, ...old.slice(1)]);
        return lines.length;
      },
    }),
    'blob.watch': subscription({
      callers,
      output: v.number(),
      handle: async function* ({ state }) {
        for await (const lines of state.watch(blob)) yield lines.length;
      },
    }),
  },
});

export type StateApi = ApiOf<readonly [typeof stateFeature]>;

startBackground([stateFeature]);

/** A request of the page for the browser's own API, over a port with another name. */
export interface RawRequest {
  readonly id: number;
  readonly set?: Readonly<Record<string, unknown>>;
  readonly get?: readonly string[];
  /** Replaces the first line of this key's value. */
  readonly change?: string;
  readonly put?: { readonly key: string; readonly value: unknown };
}

chrome.runtime.onConnect.addListener((port) => {
  if (port.name !== 'raw') return;
  port.onMessage.addListener((message) => {
    const request = message as RawRequest;
    void answer(request).then((result) => port.postMessage({ id: request.id, result }));
  });
});

let database: Promise<IDBDatabase> | undefined;

async function answer({ set, get, change, put }: RawRequest): Promise<number> {
  const { local } = chrome.storage;
  if (set !== undefined) await local.set(set);
  if (get !== undefined) return Object.keys(await local.get([...get])).length;
  if (change !== undefined) {
    const { [change]: stored } = (await local.get(change)) as Record<string, { data: string[] }>;
    await local.set({ [change]: { version: 1, data: ['new', ...(stored?.data.slice(1) ?? [])] } });
  }
  if (put !== undefined) await putRecord(put.key, put.value);
  return 0;
}

async function putRecord(key: string, value: unknown): Promise<void> {
  database ??= openDatabase();
  const transaction = (await database).transaction('records', 'readwrite');
  transaction.objectStore('records').put(value, key);
  await new Promise((resolve, reject) => {
    transaction.addEventListener('complete', resolve);
    transaction.addEventListener('error', () => reject(transaction.error ?? new Error('IndexedDB failed')));
  });
}

function openDatabase(): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const opening = indexedDB.open('bench', 1);
    opening.addEventListener('upgradeneeded', () => opening.result.createObjectStore('records'));
    opening.addEventListener('success', () => resolve(opening.result));
    opening.addEventListener('error', () => reject(opening.error ?? new Error('IndexedDB failed')));
  });
}
