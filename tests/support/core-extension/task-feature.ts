import * as v from 'valibot';

import { defineFeature } from '../../../src/messaging/define/feature.ts';
import { proceduresFor } from '../../../src/messaging/define/declare.ts';
import { defineCollection } from '../../../src/messaging/define/documents.ts';
import { pauseService } from '../../../src/messaging/define/task-errors.ts';
import { defineTask } from '../../../src/messaging/define/tasks.ts';
import { testCallers } from '../counter.ts';

const { query, mutation } = proceduresFor(testCallers);
const callers = ['options'] as const;

const Settled = v.object({ done: v.number(), failed: v.number() });

/** Number of times that each request was settled, by its name. */
const settled = defineCollection({ key: 'settled', schema: Settled });

const Request = v.object({ name: v.string(), address: v.pipe(v.string(), v.url()) });

const request = defineTask({
  name: 'request',
  data: Request,
  timeout: 120_000,
  run: async ({ data: { name, address }, key, signal }) => {
    const response = await fetch(`${address}?${new URLSearchParams({ name, key }).toString()}`, { signal });
    if (response.status === 429) throw pauseService(response.headers.get('retry-after'));
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

export const taskFeature = defineFeature({
  documents: [settled],
  tasks: [request],
  procedures: {
    'request.send': mutation({
      callers,
      input: v.object({ ...Request.entries, delay: v.number() }),
      handle: ({ input: { name, address, delay }, state }) =>
        state.enqueue(request, { name, address }, { delay }),
    }),
    /** Sends a request without a task. */
    'request.ask': query({
      callers,
      input: v.pipe(v.string(), v.url()),
      output: v.string(),
      handle: async ({ input, signal }) => (await fetch(`${input}?name=asked&key=`, { signal })).text(),
    }),
    /** The number of requests that are not done. */
    'request.open': query({
      callers,
      output: v.number(),
      handle: async ({ state }) => (await state.list(request)).length,
    }),
    'request.settled': query({
      callers,
      output: v.record(v.string(), Settled),
      handle: async ({ state }) =>
        Object.fromEntries((await state.list(settled)).map(({ id, data }) => [id, data])),
    }),
  },
});
