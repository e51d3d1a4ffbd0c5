import { createClient } from '../../../src/messaging/client/client.ts';
import { createPageClient } from '../../../src/platform/browser-client.ts';
import { connectToBackground } from '../../../src/platform/port.ts';
import { idOf } from './by-hand.ts';
import { ask } from './raw-port.ts';
import type { BenchApi, Burst } from './worker.ts';

// The calls of the page, of which the scenarios are made.

export { ask };

export const { query, mutate } = createPageClient<BenchApi>();

export const echo = (text: string): Promise<string> => query('text.echo', text);

/** Records whose JSON text has about 1 MB. */
export const manyItems = Array.from({ length: 5_500 }, (_, number) => ({
  id: idOf(number),
  data: { title: `title ${number}`, text: 'x'.repeat(100), done: false, at: number },
}));

/** Makes a call 500 times, 64 of them at the same time. */
export async function inFlight(call: () => Promise<unknown>): Promise<void> {
  let left = 500;
  const lane = async (): Promise<void> => {
    while ((left -= 1) >= 0) await call();
  };
  await Promise.all(Array.from({ length: 64 }, lane));
}

let filled = 0;
let turn = 0;

/** Stores notes until there are `count`, through the core and by hand. */
export async function fill(count: number): Promise<void> {
  while (filled < count) {
    const some = { from: filled, to: Math.min(count, filled + 1_000) };
    await mutate('notes.fill', some);
    await ask('raw', 'fill', some);
    filled = some.to;
  }
}

/** Returns the id of another note each time. */
export function nextId(): string {
  turn = (turn + 7_919) % filled;
  return idOf(turn);
}

/** Repeats a call while events are carried out. Returns the 95th percentile of its durations in ms. */
export async function slowest(call: () => Promise<unknown>, burst: Burst): Promise<number> {
  let isOver = false;
  const made = ask('raw', 'makeEvents', burst).then(() => (isOver = true));
  const durations: number[] = [];
  while (!isOver) {
    const start = performance.now();
    await call();
    durations.push(performance.now() - start);
  }
  await made;
  return durations.toSorted((a, b) => a - b)[Math.floor(durations.length * 0.95)] ?? 0;
}

type Large = 'one' | 'two';

/** Numbers of subscribers, and of those that have not received the latest change. */
const subscribers = { one: 0, two: 0 };
const waiting = { one: 0, two: 0 };
let onAll = (): void => {};

/** Follows a document of 1 MB with more clients, until there are `count`. */
export async function follow(name: Large, count: number): Promise<void> {
  while (subscribers[name] < count) {
    subscribers[name] += 1;
    await new Promise<void>((resolve) => void followOnce(name, resolve));
  }
}

async function followOnce(name: Large, onFirst: () => void): Promise<void> {
  const { subscribe } = createClient<BenchApi>(connectToBackground);
  for await (const _ of subscribe('large.watch', name)) {
    onFirst();
    waiting[name] -= 1;
    if (waiting[name] === 0) onAll();
  }
}

/** Changes a document of 1 MB. Resolves when all its subscribers have received the change. */
export async function followedChange(name: Large): Promise<void> {
  waiting[name] = subscribers[name];
  const all = new Promise<void>((resolve) => (onAll = resolve));
  await mutate('large.change', name);
  await all;
}
