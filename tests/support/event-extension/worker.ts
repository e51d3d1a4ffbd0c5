import * as v from 'valibot';
import { alarms, contextMenus, runtime, storage } from 'webextension-polyfill';

import { type ApiOf, defineFeature } from '../../../src/messaging/feature.ts';
import { proceduresFor } from '../../../src/messaging/procedures.ts';
import { defineCollection, defineDocument } from '../../../src/messaging/state/documents.ts';
import { startBackground } from '../../../src/platform/background.ts';
import { browserStore } from '../../../src/platform/store.ts';
import { counter, testCallers } from '../counter.ts';
import { indexedDbStore } from '../../../src/platform/indexed-db-store.ts';
import { reportLateListeners } from '../../../src/platform/listeners.ts';

const { query, mutation, subscription } = proceduresFor(testCallers);

const proofs = new BroadcastChannel('proofs');

const DAY = 24 * 60 * 60 * 1_000;

/** Number of times that each change took effect, by name. */
const changes = defineCollection({ key: 'changes', schema: v.number() });

/** The time of day for tidying, and the last day that was tidied. */
const tidying = defineDocument({
  key: 'tidying',
  schema: v.looseObject({
    /** The first time, in ms since 1970. The alarm repeats every day. `null` means never. */
    at: v.nullable(v.number()),
    /** Days since 1970. */
    lastDay: v.number(),
  }),
  initial: { at: null, lastDay: 0 },
});

const Change = v.strictObject({ name: v.string(), times: v.number() });

const eventFeature = defineFeature({
  documents: [changes, counter, tidying],
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
    'tidying.set': mutation({
      callers: ['options'],
      input: v.strictObject({ at: v.number(), lastDay: v.number() }),
      handle: ({ input, state }) => state.write(tidying, input),
    }),
    'tidying.lastDay': query({
      callers: ['background'],
      output: v.number(),
      handle: async ({ state }) => (await state.read(tidying)).lastDay,
    }),
    'day.tidy': mutation({
      callers: ['background'],
      input: v.number(),
      handle: async ({ input: day, state }) => {
        const name = `tidied ${day}`;
        state.set(changes, name, ((await state.get(changes, name)) ?? 0) + 1);
        await state.update(tidying, (old) => ({ ...old, lastDay: Math.max(old.lastDay, day) }));
      },
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
        if (name === 'tidy') void tidyDays();
        else if (name === 'fail') void background.mutate('change.fail');
        else void background.mutate('change.make', change, copy === 'free' ? {} : { key: change });
      });
    });

    contextMenus.onClicked.addListener(({ selectionText: change = '' }) => {
      witness(change, () => void background.mutate('change.make', change));
    });

    runtime.onInstalled.addListener(() => {
      contextMenus.create({ id: 'change', title: 'Change', contexts: ['all'] });
    });
    // Firefox starts the background together with the browser only if it has a listener for this event.
    runtime.onStartup.addListener(() => {});

    // Firefox loses its alarms when it is closed, so each start of the background compares the alarm with the state.
    background.watch(tidying, async ({ at }) => {
      if (at === null) return;
      const alarm = (await alarms.getAll()).find(({ name }) => name === 'tidy');
      const isSet = alarm !== undefined && (alarm.scheduledTime - at) % DAY === 0;
      if (!isSet) await alarms.create('tidy', { when: at, periodInMinutes: 24 * 60 });
    });

    /** Tidies today and each day that was missed. The day is the key of its mutation, so that no day is tidied twice. */
    async function tidyDays(): Promise<void> {
      const today = Math.floor(Date.now() / DAY);
      const lastDay = await background.query('tidying.lastDay');
      for (let day = lastDay + 1; day <= today; day += 1) {
        await background.mutate('day.tidy', day, { key: String(day) });
      }
    }
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
