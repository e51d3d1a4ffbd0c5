// It must come before the core, which calls the functions that it wraps.
import { countStorageCalls } from './count-storage.ts';

import * as v from 'valibot';

import { type ApiOf, defineFeature } from '../../../src/messaging/feature.ts';
import { proceduresFor } from '../../../src/messaging/procedures.ts';
import { defineCollection, defineDocument } from '../../../src/messaging/state/documents.ts';
import { damageOf } from '../../../src/messaging/state/quarantine.ts';
import { defineTask, runLater } from '../../../src/messaging/state/tasks.ts';
import { startBackground } from '../../../src/platform/background.ts';
import { counterFeature, testCallers } from '../counter.ts';

const Settled = v.object({ done: v.number(), failed: v.number() });

/** Number of times that each request was settled, by its name. */
const settled = defineCollection({ key: 'settled', schema: Settled });

/** Lines that events have appended. */
const lines = defineDocument({ key: 'lines', schema: v.array(v.string()), initial: [] });

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

const { query, mutation } = proceduresFor(testCallers);
const callers = ['options'] as const;

let append: (line: string) => Promise<unknown>;

const taskFeature = defineFeature({
  documents: [settled, lines],
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
    'line.append': mutation({
      callers: ['background'],
      input: v.string(),
      handle: ({ input, state }) => state.update(lines, (all) => [...all, input]),
    }),
    'line.list': query({ callers, output: v.array(v.string()), handle: ({ state }) => state.read(lines) }),
    /** Appends lines as events of the browser do, all at once. */
    'event.make': query({
      callers,
      input: v.array(v.string()),
      output: v.null(),
      handle: ({ input }) => {
        for (const line of input) void append(line);
        return null;
      },
    }),
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
  start: ({ background }) => {
    append = (line) => background.mutate('line.append', line);
  },
});

export type TaskApi = ApiOf<readonly [typeof counterFeature, typeof taskFeature]>;

startBackground(testCallers, [counterFeature, taskFeature], {
  // Errors of a background that has died can still be read.
  log: (incident, error) => void chrome.storage.session.set({ [`log/${incident}`]: String(error) }),
});
