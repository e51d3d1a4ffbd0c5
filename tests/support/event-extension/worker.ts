import * as v from 'valibot';
import { alarms, contextMenus, runtime, storage } from 'webextension-polyfill';

import { type ApiOf, defineFeature } from '../../../src/messaging/feature.ts';
import { proceduresFor } from '../../../src/messaging/procedures.ts';
import { defineCollection } from '../../../src/messaging/state/documents.ts';
import { startBackground } from '../../../src/platform/background.ts';
import { browserStore } from '../../../src/platform/store.ts';
import { counter, testCallers } from '../counter.ts';
import { indexedDbStore } from '../../../src/platform/indexed-db-store.ts';
import { reportLateListeners } from '../../../src/platform/listeners.ts';

const { query, mutation, subscription } = proceduresFor(testCallers);

const proofs = new BroadcastChannel('proofs');

/** Number of times that each change took effect, by name. */
const changes = defineCollection({ key: 'changes', schema: v.number() });

const Change = v.strictObject({ name: v.string(), times: v.number() });

const eventFeature = defineFeature({
  documents: [changes, counter],
  procedures: {
    'change.make': mutation({
      callers: ['options', 'background'],
      input: v.string(),
      output: v.number(),
      handle: async ({ input: name, state }) => {
        state.set(changes, name, ((await state.get(changes, name)) ?? 0) + 1);
        return state.update(counter, (count) => count + 1);
      },
    }),
    // A declared error is final. After any other error, the event would be tried again.
    'change.fail': mutation({
      callers: ['background'],
      errors: { refused: v.strictObject({}) },
      handle: ({ fail }) => {
        throw fail('refused', {});
      },
    }),
    'change.list': query({
      callers: ['options'],
      output: v.strictObject({ count: v.number(), changes: v.array(Change) }),
      handle: async ({ state }) => {
        const items = await state.list(changes);
        return {
          count: await state.read(counter),
          changes: items.map(({ id, data }) => ({ name: id, times: data })),
        };
      },
    }),
    'counter.watch': subscription({
      callers: ['options', 'popup'],
      output: v.number(),
      handle: ({ state }) => state.watch(counter),
    }),
    /** Registers a listener after the first turn of the background. */
    'listener.add': query({
      callers: ['options'],
      output: v.null(),
      handle: () => {
        alarms.onAlarm.addListener(() => {});
        return null;
      },
    }),
  },
  start: ({ background }) => {
    // An alarm makes the change that it is named after. `#` and a number make several alarms for one change, and `#free`
    // makes the change without a key.
    alarms.onAlarm.addListener(({ name }) => {
      const [change = '', copy] = name.split('#');
      witness(name, () => {
        if (name === 'fail') void background.mutate('change.fail');
        else void background.mutate('change.make', change, copy === 'free' ? {} : { key: change });
      });
    });

    contextMenus.onClicked.addListener(({ selectionText: change = '' }) => {
      witness(change, () => void background.mutate('change.make', change));
    });

    runtime.onInstalled.addListener(() => {
      contextMenus.create({ id: 'change', title: 'Change', contexts: ['all'] });
    });
  },
});

export type EventApi = ApiOf<readonly [typeof eventFeature]>;

reportLateListeners();
startBackground(testCallers, [eventFeature], {
  store: typeof IS_INDEXED_DB === 'undefined' ? browserStore : indexedDbStore,
  log: (incident, error) => console.error(incident, error),
});

/** Runs a listener between a plain write, as a listener without the core makes it, and a message to the open pages. */
function witness(name: string, listener: () => void): void {
  void storage.local.set({ [`written/${name}`]: true });
  listener();
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has none
  proofs.postMessage(name);
}
