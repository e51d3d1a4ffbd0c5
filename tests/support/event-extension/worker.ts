// It must come before the core, which calls the functions that it wraps.
import { countStorageCalls } from './count-storage.ts';

import * as v from 'valibot';
import { alarms, contextMenus, runtime, storage } from 'webextension-polyfill';

import { type ApiOf, defineFeature } from '../../../src/messaging/feature.ts';
import { proceduresFor } from '../../../src/messaging/procedures.ts';
import { defineCollection } from '../../../src/messaging/state/documents.ts';
import { damageOf } from '../../../src/messaging/state/quarantine.ts';
import { defineTask, runLater } from '../../../src/messaging/state/tasks.ts';
import { startBackground } from '../../../src/platform/background.ts';
import { browserStore } from '../../../src/platform/store.ts';
import { counter, counterFeature, testCallers } from '../counter.ts';
import { indexedDbStore } from '../../../src/platform/indexed-db-store.ts';
import { reportLateListeners } from '../../../src/platform/listeners.ts';

const { query, mutation } = proceduresFor(testCallers);
const callers = ['options'] as const;

const proofs = new BroadcastChannel('proofs');

/** Number of times that each change took effect, by name. */
const changes = defineCollection({ key: 'changes', schema: v.number() });

const Change = v.strictObject({ name: v.string(), times: v.number() });

let add: () => Promise<unknown>;

const eventFeature = defineFeature({
  documents: [changes],
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
    'event.add': mutation({
      callers: ['background'],
      handle: ({ state }) => state.update(counter, (count) => count + 1),
    }),
    /** Adds to the counter as events of the browser do, all at once. */
    'event.make': query({
      callers,
      input: v.number(),
      output: v.null(),
      handle: ({ input }) => {
        for (let made = 0; made < input; made += 1) void add();
        return null;
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
    add = () => background.mutate('event.add');

    // An alarm makes the change that it is named after. `#` and a number make several alarms for one change, and `#free`
    // makes the change without a key.
    alarms.onAlarm.addListener(({ name }) => {
      // The core has set this one.
      if (name === 'messaging') return;
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

const Settled = v.object({ done: v.number(), failed: v.number() });

/** Number of times that each request was settled, by its name. */
const settled = defineCollection({ key: 'settled', schema: Settled });

const Request = v.object({ name: v.string(), address: v.pipe(v.string(), v.url()) });

const request = defineTask({
  name: 'request',
  data: Request,
  // Of the tasks that run when the background dies, each loses one attempt.
  attempts: 100,
  timeout: 120_000,
  run: async ({ data: { name, address }, key, signal }) => {
    const response = await fetch(`${address}?${new URLSearchParams({ name, key }).toString()}`, { signal });
    if (response.status === 429) throw runLater(response.headers.get('retry-after'));
    if (!response.ok) throw new Error(`The service answered ${response.status}.`);
    return response.text();
  },
  done: async ({ data: { name }, state }) => {
    const { done = 0, failed = 0 } = (await state.get(settled, name)) ?? {};
    state.set(settled, name, { done: done + 1, failed });
  },
  failed: async ({ data: { name }, state }) => {
    const { done = 0, failed = 0 } = (await state.get(settled, name)) ?? {};
    state.set(settled, name, { done, failed: failed + 1 });
  },
});

/** Does nothing, so that only the core uses the store. */
const rest = defineTask({ name: 'rest', data: v.null(), run: async () => null });

const taskFeature = defineFeature({
  documents: [settled],
  tasks: [request, rest],
  procedures: {
    'request.send': mutation({
      callers,
      input: v.object({ ...Request.entries, delay: v.number() }),
      output: v.string(),
      handle: ({ input: { name, address, delay }, state }) =>
        state.enqueue(request, { name, address }, { delay }),
    }),
    'request.cancel': mutation({
      callers,
      input: v.string(),
      handle: ({ input, state }) => state.cancel(request, input),
    }),
    'request.open': query({
      callers,
      output: v.array(v.object({ name: v.string(), tries: v.number(), due: v.number() })),
      handle: async ({ state }) =>
        (await state.list(request)).map(({ data, tries, due }) => ({ name: data.name, tries, due })),
    }),
    'request.settled': query({
      callers,
      output: v.record(v.string(), Settled),
      handle: async ({ state }) =>
        Object.fromEntries((await state.list(settled)).map(({ id, data }) => [id, data])),
    }),
    'rest.start': mutation({ callers, handle: ({ state }) => state.enqueue(rest, null) }),
    /** Returns the number of calls of each function of `storage.local` since this background started. */
    'storage.calls': query({
      callers,
      output: v.record(v.string(), v.number()),
      handle: countStorageCalls,
    }),
    /** Returns how many of 1,000 reads, each of which is issued just before a write, see the value before it. */
    'storage.order': query({
      callers,
      output: v.number(),
      handle: async () => {
        const { local } = chrome.storage;
        let early = 0;
        await local.set({ order: -1 });
        for (let turn = 0; turn < 1_000; turn += 1) {
          const [{ order }] = await Promise.all([local.get('order'), local.set({ order: turn })]);
          early += Number(order === turn - 1);
        }
        return early;
      },
    }),
    'unreadable.texts': query({
      callers,
      output: v.array(v.string()),
      handle: async ({ state }) => {
        const { unreadable } = await damageOf(state).inspect();
        return Promise.all(unreadable.map(async ({ id }) => (await damageOf(state).readText(id)) ?? ''));
      },
    }),
  },
});

export type EventApi = ApiOf<readonly [typeof counterFeature, typeof eventFeature, typeof taskFeature]>;

reportLateListeners();
startBackground(testCallers, [counterFeature, eventFeature, taskFeature], {
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
