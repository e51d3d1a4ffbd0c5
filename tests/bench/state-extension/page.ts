import type { Runtime } from 'webextension-polyfill';

import { createClient } from '../../../src/messaging/client/client.ts';
import { connectToBackground, createPageClient } from '../../../src/platform/port.ts';
import { createPageBench } from '../page-bench.ts';
import type { RawRequest, StateApi } from './worker.ts';

declare global {
  /** Writes notes, a document of about `bytes` bytes and journal entries directly into the store. */
  // oxlint-disable-next-line no-var -- only `var` declares a property of the global object
  var fill: (notes: number, bytes: number, entries: number) => Promise<void>;
  /** Keeps a list of all notes up to date. Returns its length, and the ms that the page needs for each change. */
  // oxlint-disable-next-line no-var -- only `var` declares a property of the global object
  var list: () => Promise<{ readonly shown: number; readonly durations: number[] }>;
  /** Follows the document with `count` clients, each with its own port. */
  // oxlint-disable-next-line no-var -- only `var` declares a property of the global object
  var subscribe: (count: number) => Promise<void>;
}

const client = createPageClient<StateApi>();
const note = { title: 'A title of some words', text: 'x'.repeat(100), done: false, at: 1_700_000_000_000 };
const idOf = (number: number): string => String(number).padStart(6, '0');
const keyOf = (number: number): string => `notes/${idOf(number)}`;
const LINE = 'x'.repeat(97);

let filled = 0;
let turn = 0;
let heard = 0;
let onHeard = (): void => {};
let subscribers = 0;

/** Returns the number of another note each time. */
function nextNumber(): number {
  turn = (turn + 7_919) % Math.max(filled, 1);
  return turn;
}

globalThis.bench = createPageBench({
  'core set': () => client.mutate('notes.set', { id: idOf(nextNumber()), note }),
  'raw set': () => ask({ set: { [keyOf(nextNumber())]: { version: 1, data: note } } }),
  'IndexedDB put': () => ask({ put: { key: keyOf(nextNumber()), value: note } }),
  'core list': () => client.query('notes.count'),
  'raw list': () => ask({ get: Array.from({ length: filled }, (_, number) => keyOf(number)) }),
  'core page': () => client.query('notes.page', idOf(5_000)),
  'raw page': () => ask({ get: Array.from({ length: 100 }, (_, number) => keyOf(5_001 + number)) }),
  'core blob': () => client.mutate('blob.change', 'new'),
  'raw blob': () => ask({ change: 'blob' }),
  heard: async () => {
    heard = 0;
    const all = new Promise<void>((resolve) => (onHeard = resolve));
    await client.mutate('blob.change', 'new');
    await all;
  },
});

globalThis.list = async () => {
  const shown = new Map<string, string>();
  const durations: number[] = [];
  const changes = client.subscribe('notes.watch');
  const apply = async (): Promise<void> => {
    const { value } = await changes.next();
    if (value === undefined) return;
    const start = performance.now();
    if (value.isWhole) shown.clear();
    for (const { id, title } of value.items) shown.set(id, title);
    for (const id of value.removed) shown.delete(id);
    durations.push(performance.now() - start);
  };
  await apply();
  for (let change = 0; change < 50; change += 1) {
    const applied = apply();
    await client.mutate('notes.set', { id: idOf(nextNumber()), note });
    await applied;
  }
  await changes.return();
  return { shown: shown.size, durations: durations.slice(1) };
};

globalThis.fill = async (notes, bytes, entries) => {
  filled = notes;
  const { local } = chrome.storage;
  for (let start = 0; start < notes; start += 1_000) {
    const numbers = Array.from({ length: Math.min(1_000, notes - start) }, (_, index) => start + index);
    await local.set(Object.fromEntries(numbers.map((number) => [keyOf(number), { version: 1, data: note }])));
  }
  const lines = Array.from({ length: Math.round(bytes / 100) }, () => LINE);
  if (bytes > 0) await local.set({ blob: { version: 1, data: lines } });
  const entry = { id: 1, name: 'notes.set', at: Date.now() };
  const names = Array.from({ length: entries }, () => `journal/options/${crypto.randomUUID()}`);
  await local.set(Object.fromEntries(names.map((name) => [name, entry])));
};

globalThis.subscribe = async (count) => {
  while (subscribers < count) {
    subscribers += 1;
    await new Promise<void>((resolve) => void follow(resolve));
  }
};

async function follow(onFirst: () => void): Promise<void> {
  const { subscribe: watch } = createClient<StateApi>(connectToBackground);
  for await (const _ of watch('blob.watch')) {
    onFirst();
    heard += 1;
    if (heard === subscribers) onHeard();
  }
}

const waiting = new Map<number, (result: number) => void>();
let port: Runtime.Port | undefined;
let lastId = 0;

/** Uses the browser's own API in the worker, over a raw port with numbered messages. */
function ask(request: Omit<RawRequest, 'id'>): Promise<number> {
  return new Promise((resolve) => {
    port ??= openPort();
    lastId += 1;
    waiting.set(lastId, resolve);
    port.postMessage({ ...request, id: lastId });
  });
}

function openPort(): Runtime.Port {
  const opened = chrome.runtime.connect({ name: 'raw' });
  opened.onMessage.addListener((message) => {
    const { id, result } = message as { readonly id: number; readonly result: number };
    waiting.get(id)?.(result);
    waiting.delete(id);
  });
  opened.onDisconnect.addListener(() => {
    port = undefined;
  });
  return opened;
}

document.title = 'ready';
