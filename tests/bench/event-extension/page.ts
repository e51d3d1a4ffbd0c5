import { createPageClient } from '../../../src/platform/port.ts';
import { createPageBench } from '../page-bench.ts';
import { askOverPort } from '../raw-port.ts';
import type { Burst, EventApi } from './worker.ts';

declare global {
  /** Makes events in the worker, and resolves when all are carried out. */
  // oxlint-disable-next-line no-var -- only `var` declares a property of the global object
  var makeEvents: (burst: Burst) => Promise<unknown>;
  /** Writes records directly into the store. */
  // oxlint-disable-next-line no-var -- only `var` declares a property of the global object
  var fillStore: (records: number) => Promise<void>;
  /** Repeats a call while events are carried out. Returns the durations of the calls in ms. */
  // oxlint-disable-next-line no-var -- only `var` declares a property of the global object
  var measureDuring: (call: string, burst: Burst) => Promise<number[]>;
}

const client = createPageClient<EventApi>();

globalThis.makeEvents = (burst) => chrome.runtime.sendMessage(burst);

globalThis.bench = createPageBench({
  event: () => makeEvents({ kind: 'core', count: 1, pause: 0 }),
  core: () => makeEvents({ kind: 'core', count: 2_000, pause: 0 }),
  raw: () => makeEvents({ kind: 'raw', count: 2_000, pause: 0 }),
  query: () => client.query('text.echo', 'x'),
  'raw query': () => askOverPort('echo', 'x'),
  mutation: () => client.mutate('counter.tick'),
  'raw mutation': () => askOverPort('add', 'x'),
});

globalThis.fillStore = async (records) => {
  const data = { title: 'A title of some words', text: 'x'.repeat(100), done: false };
  const entries = Array.from({ length: records }, (_, number) => [`notes/${number}`, { version: 1, data }]);
  await chrome.storage.local.set(Object.fromEntries(entries) as Record<string, unknown>);
};

globalThis.measureDuring = async (call, burst) => {
  let isOver = false;
  const made = makeEvents(burst).then(() => (isOver = true));
  const durations: number[] = [];
  while (!isOver) durations.push(...(await bench.measure(call, { bytes: 1, samples: 1 })));
  await made;
  return durations;
};

document.title = 'ready';
