import type { Runtime } from 'webextension-polyfill';
import * as v from 'valibot';

import { defineCollection, defineDocument } from '../../../src/messaging/define/documents.ts';
import { type ApiOf, defineFeature } from '../../../src/messaging/define/feature.ts';
import { proceduresFor } from '../../../src/messaging/define/declare.ts';
import { startBackground } from '../../../src/platform/start.ts';
import { store } from '../../support/core-extension/store.ts';
import { testCallers } from '../../support/counter.ts';
import { type ByHand, byHand, cached, idOf } from './by-hand.ts';

const { query, mutation, subscription } = proceduresFor(testCallers);

const Note = v.object({ title: v.string(), text: v.string(), done: v.boolean(), at: v.number() });
const Item = v.object({ id: v.string(), data: Note });
const Lines = v.array(v.string());
const notes = defineCollection({ key: 'notes', schema: Note });
const total = defineDocument({ key: 'total', schema: v.number(), initial: 0 });

/** A note of about 180 bytes. */
const note = { title: 'A title of some words', text: 'x'.repeat(100), done: false, at: 1_700_000_000_000 };
/** Two documents of 1 MB, which have different numbers of subscribers. */
const large = {
  one: defineDocument({ key: 'one', schema: Lines, initial: [] }),
  two: defineDocument({ key: 'two', schema: Lines, initial: [] }),
};

// Chromium does not write a value that is stored already, so each change of this benchmark leads to another value.
const toggle = (old: typeof note): typeof note => ({ ...old, done: !old.done });

/** Changes a value of about 1 MB. It is created by the first change, so that it does not delay the start of the background. */
const changeLines = ([, ...rest]: readonly string[]): string[] => [
  String(Math.random()),
  ...(rest.length > 0 ? rest : Array.from({ length: 10_000 }, () => 'x'.repeat(97))),
];

/** A schema that costs nothing, so that only the core is measured. */
const AnyItems = v.custom<v.InferOutput<typeof Item>[]>(() => true);

const callers = ['options'] as const;
const maxSize = 20 * 1024 * 1024;

const benchFeature = defineFeature({
  documents: [notes, total, large.one, large.two],
  procedures: {
    'text.echo': query({ callers, input: v.string(), output: v.string(), handle: ({ input }) => input }),
    'items.echo': query({ callers, input: AnyItems, output: AnyItems, handle: ({ input }) => input }),
    'total.add': mutation({
      callers: ['options', 'background'],
      output: v.number(),
      handle: ({ state }) => state.update(total, (count) => count + 1),
    }),
    'notes.change': mutation({
      callers,
      input: v.string(),
      handle: async ({ input: id, state }) => {
        const old = await state.get(notes, id);
        if (old !== undefined) state.set(notes, id, toggle(old));
      },
    }),
    'notes.fill': mutation({
      callers,
      input: v.object({ from: v.number(), to: v.number() }),
      handle: ({ input: { from, to }, state }) => {
        for (let number = from; number < to; number += 1) state.set(notes, idOf(number), note);
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
    'notes.load': query({
      callers,
      output: v.number(),
      handle: async ({ state }) => (await state.list(notes)).length,
    }),
    'large.change': mutation({
      callers,
      input: v.picklist(['one', 'two']),
      handle: ({ input: name, state }) => state.update(large[name], changeLines),
    }),
    'large.watch': subscription({
      callers,
      input: v.picklist(['one', 'two']),
      output: v.number(),
      handle: async function* ({ input: name, state }) {
        for await (const { length } of state.watch(large[name])) yield length;
      },
    }),
  },
  start: ({ background }) => {
    add.ours = () => background.mutate('total.add');
  },
});

export type BenchApi = ApiOf<readonly [typeof benchFeature]>;

const addTo = (way: ByHand) => () => way.update('count', (count) => Number(count ?? 0) + 1);
const add = { ours: () => Promise.resolve<unknown>(undefined), byHand: addTo(byHand), cached: addTo(cached) };

/** Events to make. They are carried out in one of the ways, or not at all (`nothing`). */
export interface Burst {
  readonly way: keyof typeof add | 'nothing';
  readonly count: number;
  /** Milliseconds between two events, 0 to make all at once, or `in turn` to make each after the one before has ended. */
  readonly pause: number | 'in turn';
}

async function makeEvents({ way, count, pause }: Burst): Promise<void> {
  const events: Promise<unknown>[] = [];
  for (let made = 0; made < count; made += 1) {
    if (way !== 'nothing') events.push(add[way]());
    if (pause === 'in turn') await events.at(-1);
    else if (pause > 0) await new Promise((resolve) => setTimeout(resolve, pause));
  }
  await Promise.all(events);
}

const callsOf = (way: ByHand) => ({
  change: (id: string) => way.update(id, (old) => toggle(old as typeof note)),
  changeLines: () => way.update('lines', (old) => changeLines((old ?? []) as readonly string[])),
  list: ({ after, count }: { readonly after: string; readonly count: number }) => way.list(after, count),
});

/** The calls without the core, by way and name. */
const calls = {
  raw: {
    echo: async (value: unknown) => value,
    set: () => chrome.storage.local.set({ value: Math.random() }),
    add: addTo(byHand),
    makeEvents,
    fill: ({ from, to }: { readonly from: number; readonly to: number }) => {
      const ids = Array.from({ length: to - from }, (_, index) => idOf(from + index));
      return byHand.put(Object.fromEntries(ids.map((id) => [id, note])));
    },
  },
  byHand: callsOf(byHand),
  cached: callsOf(cached),
};

export type RawCalls = typeof calls;

/** A request over the browser's own port. The answer has the same id, and the result. */
export interface RawRequest {
  readonly id: number;
  readonly way: keyof RawCalls;
  readonly name: string;
  readonly input: unknown;
}

startBackground(testCallers, [benchFeature], { store });

chrome.runtime.onConnect.addListener((port: Runtime.Port) => {
  if (port.name !== 'raw') return;
  port.onMessage.addListener((message) => {
    const { id, way, name, input } = message as RawRequest;
    const call = (calls[way] as Record<string, (value: never) => Promise<unknown>>)[name];
    void call?.(input as never).then(
      (result) => port.postMessage({ id, result }),
      (error: unknown) => port.postMessage({ id, error: String(error) }),
    );
  });
});

chrome.runtime.onMessage.addListener(
  (message: unknown, _sender: unknown, respond: (answer: unknown) => void) => {
    respond(message);
    return true;
  },
);
