import * as v from 'valibot';

import { type ApiOf, defineFeature } from '../../../src/messaging/feature.ts';
import { proceduresFor } from '../../../src/messaging/procedures.ts';
import { defineCollection, defineDocument } from '../../../src/messaging/define/documents.ts';
import { startBackground } from '../../../src/platform/background.ts';
import { indexedDbStore } from '../../../src/platform/indexed-db-store.ts';
import { browserStore } from '../../../src/platform/store.ts';
import { testCallers } from '../../support/counter.ts';
import type { RawRequest } from '../raw-port.ts';
import { byHand } from './by-hand.ts';

const { query, mutation, subscription } = proceduresFor(testCallers);

const Note = v.object({ title: v.string(), text: v.string(), done: v.boolean(), at: v.number() });
const Item = v.object({ id: v.string(), data: Note });

const notes = defineCollection({ key: 'notes', schema: Note });
const blob = defineDocument({ key: 'blob', schema: v.array(v.string()), initial: [] });

const callers = ['options'] as const;
const maxSize = 20 * 1024 * 1024;

/** Notes, each under its own key, and a large document. */
const stateFeature = defineFeature({
  documents: [notes, blob],
  procedures: {
    'notes.change': mutation({
      callers,
      input: v.string(),
      handle: async ({ input: id, state }) => {
        const note = await state.get(notes, id);
        if (note !== undefined) state.set(notes, id, { ...note, done: true });
      },
    }),
    'notes.import': mutation({
      callers,
      input: v.array(Item),
      maxSize,
      handle: ({ input, state }) => {
        for (const { id, data } of input) state.set(notes, id, data);
      },
    }),
    'notes.page': query({
      callers,
      input: v.string(),
      output: v.array(Item),
      handle: ({ input: after, state }) => state.list(notes, { after, limit: 100 }),
    }),
    'notes.all': query({
      callers,
      output: v.array(Item),
      maxSize,
      handle: ({ state }) => state.list(notes),
    }),
    'notes.watch': subscription({
      callers,
      output: v.object({ isWhole: v.boolean(), items: v.array(Item), removed: v.array(v.string()) }),
      maxSize,
      handle: ({ state }) => state.watch(notes),
    }),
    'blob.change': mutation({
      callers,
      handle: ({ state }) => state.update(blob, (old) => ['new', ...old.slice(1)]),
    }),
    'blob.watch': subscription({
      callers,
      output: v.number(),
      handle: async function* ({ state }) {
        for await (const lines of state.watch(blob)) yield lines.length;
      },
    }),
  },
  start: () => {
    chrome.runtime.onConnect.addListener((port) => {
      if (port.name !== 'raw') return;
      port.onMessage.addListener((message) => {
        const { id, name, value } = message as RawRequest;
        const call = byHand[name as keyof typeof byHand];
        void call(String(value)).then((result) => port.postMessage({ id, result }));
      });
    });
  },
});

export type StateApi = ApiOf<readonly [typeof stateFeature]>;

startBackground(testCallers, [stateFeature], {
  store: typeof IS_INDEXED_DB === 'undefined' ? browserStore : indexedDbStore,
});
