import { createClient } from '../../../src/messaging/client/client.ts';
import { indexedDbStore } from '../../../src/platform/indexed-db-store.ts';
import { connectToBackground, createPageClient } from '../../../src/platform/port.ts';
import { browserStore } from '../../../src/platform/store.ts';
import { createPageBench } from '../page-bench.ts';
import { askOverPort } from '../raw-port.ts';
import { byHand, fillBlobByHand, fillByHand } from './by-hand.ts';
import type { StateApi } from './worker.ts';

declare global {
  /** Writes notes and a document of about `bytes` bytes directly into the store, and by hand. */
  // oxlint-disable-next-line no-var -- only `var` declares a property of the global object
  var fill: (notes: number, bytes: number, isByHand: boolean) => Promise<void>;
  /** Keeps a list of all notes up to date. Returns its length, and the ms that the page needs for each change. */
  // oxlint-disable-next-line no-var -- only `var` declares a property of the global object
  var list: () => Promise<{ readonly shown: number; readonly durations: number[] }>;
  /** Imports this number of notes in one transaction. Returns the ms that it took. */
  // oxlint-disable-next-line no-var -- only `var` declares a property of the global object
  var importNotes: (count: number) => Promise<number>;
  /** Follows the document with `count` clients, each with its own port. */
  // oxlint-disable-next-line no-var -- only `var` declares a property of the global object
  var subscribe: (count: number) => Promise<void>;
}

const client = createPageClient<StateApi>();
const note = { title: 'A title of some words', text: 'x'.repeat(100), done: false, at: 1_700_000_000_000 };
const idOf = (number: number): string => String(number).padStart(6, '0');
const LINE = 'x'.repeat(97);

let filled = 0;
let turn = 0;
let heard = 0;
let onHeard = (): void => {};
let subscribers = 0;

/** Returns the id of another note each time. */
function nextId(): string {
  turn = (turn + 7_919) % Math.max(filled, 1);
  return idOf(turn);
}

const names = Object.keys(byHand) as (keyof typeof byHand)[];
/** The page begins in the middle. */
const argumentOf = (name: string): string =>
  name.endsWith('change') ? nextId() : name.endsWith('page') ? idOf(filled / 2) : String(filled);

globalThis.bench = createPageBench({
  'core change': () => client.mutate('notes.change', nextId()),
  'core page': () => client.query('notes.page', idOf(filled / 2)),
  'core all': () => client.query('notes.all'),
  'core blob': () => client.mutate('blob.change'),
  heard: async () => {
    heard = 0;
    const all = new Promise<void>((resolve) => (onHeard = resolve));
    await client.mutate('blob.change');
    await all;
  },
  ...Object.fromEntries(names.map((name) => [name, () => askOverPort(name, argumentOf(name))])),
});

globalThis.list = async () => {
  const shown = new Map<string, unknown>();
  const durations: number[] = [];
  const changes = client.subscribe('notes.watch');
  const apply = async (): Promise<void> => {
    const { value } = await changes.next();
    if (value === undefined) return;
    const start = performance.now();
    if (value.isWhole) shown.clear();
    for (const { id, data } of value.items) shown.set(id, data);
    for (const id of value.removed) shown.delete(id);
    durations.push(performance.now() - start);
  };
  await apply();
  for (let change = 0; change < 50; change += 1) {
    const applied = apply();
    await client.mutate('notes.change', nextId());
    await applied;
  }
  await changes.return();
  return { shown: shown.size, durations: durations.slice(1) };
};

globalThis.importNotes = async (count) => {
  const items = Array.from({ length: count }, (_, number) => ({
    id: `${count}-${idOf(number)}`,
    data: note,
  }));
  const start = performance.now();
  await client.mutate('notes.import', items);
  return performance.now() - start;
};

globalThis.fill = async (notes, bytes, isByHand) => {
  filled = notes;
  const store = typeof IS_INDEXED_DB === 'undefined' ? browserStore : indexedDbStore;
  for (let start = 0; start < notes; start += 1_000) {
    const ids = Array.from({ length: Math.min(1_000, notes - start) }, (_, index) => idOf(start + index));
    await store.write(Object.fromEntries(ids.map((id) => [`notes/${id}`, { version: 1, data: note }])));
    if (isByHand) await fillByHand(ids, note);
  }
  const lines = Array.from({ length: Math.round(bytes / 100) }, () => LINE);
  if (bytes > 0) await store.write({ blob: { version: 1, data: lines } });
  if (isByHand) await fillBlobByHand(lines);
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

document.title = 'ready';
