import { afterEach, beforeEach, expect, it, vi } from 'vitest';

import type { Json } from '../../src/messaging/json.ts';
import type { Store } from '../../src/messaging/state/store.ts';
import type { IncomingPort } from '../../src/messaging/wire.ts';
import { createCounterWorld } from '../support/counter-world.ts';

type Patch = NonNullable<Parameters<typeof createCounterWorld>[1]>;

/** Describes how a promise is broken in a world with this patch. Returns `undefined` if it is kept. */
type Check = (patch: Patch) => Promise<string | undefined>;

type Entry = readonly [key: string, value: Json];
type Frame = Readonly<Record<string, unknown>>;

const isJournal = ([key]: Entry): boolean => key.startsWith('journal/');
const isEvent = (key: string): boolean => key.startsWith('queue/event/');

/**
 * Faults that are planted in the store and the ports of the core. Each breaks a promise, and the check of that promise must
 * notice it.
 */
const FAULTS: readonly [what: string, check: Check, patch: Patch][] = [
  ['state and journal are two writes', countsOnce, writing(inTwoWrites)],
  [
    'the journal is not written',
    countsOnce,
    writing((store, all) => store.write(Object.fromEntries(all.filter((entry) => !isJournal(entry))))),
  ],
  [
    'the answer is sent before the write',
    countsOnce,
    writing(async (store, all) => void setTimeout(() => void store.write(Object.fromEntries(all)), 5)),
  ],
  ['a journal entry is pruned too early', countsOnce, { patchStore: forgetting }],
  ['a mutation has another name when it is sent again', countsOnce, receiving((frame) => [renamed(frame)])],
  [
    'the lock is not taken',
    countsTogether,
    { patchStore: (store) => ({ ...store, lock: (work) => work() }) },
  ],
  ['an event is not noted', countsEventsOnce, writing(withoutEvents)],
  ['the effect of an event and its removal are two writes', countsEventsOnce, writing(eventsApart)],
  [
    'an acknowledgement is not delivered',
    forgetsOutcome,
    receiving((frame) => (frame['kind'] === 'ack' ? [] : [frame])),
  ],
];

// The timers of the workers that die end with the fake clock. Without it, they would run in the tests of other files.
beforeEach(() => void vi.useFakeTimers({ shouldAdvanceTime: true }));
afterEach(() => void vi.useRealTimers());

it.each(FAULTS)('a fault of the protocol is noticed: %s', async (_what, check, patch) => {
  expect(await check({})).toBeUndefined();
  expect(await check(patch)).toBeDefined();
});

/** Checks that a mutation counts once and is answered with the stored number, at whichever step the worker dies. */
async function countsOnce(patch: Patch): Promise<string | undefined> {
  for (let step = 0; step < 60; step += 1) {
    const world = createCounterWorld({}, patch);
    const answer = world.openPage('options').client.mutate('counter.add', 1);
    for (let turn = 0; turn < step; turn += 1) await Promise.resolve();
    world.killWorker();
    const counted = [await answer, world.disk.dataOf('counter')].join();
    world.killWorker();
    if (counted !== '1,1') return `killed at step ${step}: ${counted}`;
  }
  return undefined;
}

/** Checks that a noted event counts once, at whichever step the worker dies. */
async function countsEventsOnce(patch: Patch): Promise<string | undefined> {
  for (let step = 0; step < 160; step += 1) {
    const world = createCounterWorld({}, patch);
    const add = (count: number) =>
      world.fire(({ mutate }) => mutate('counter.add', count)).catch((error: unknown) => error);
    void add(1);
    for (let turn = 0; turn < step; turn += 1) await Promise.resolve();
    const isMade = world.disk.dataOf('counter') === 1 || world.disk.keys().some(isEvent);
    world.killWorker();
    const counted = String(await add(10));
    if (counted !== (isMade ? '11' : '10')) return `killed at step ${step}: ${counted}`;
  }
  return undefined;
}

/** Checks that two mutations at the same time add up. */
async function countsTogether(patch: Patch): Promise<string | undefined> {
  const world = createCounterWorld({}, patch);
  const pages = [world.openPage('options'), world.openPage('options')];
  const counts = await Promise.all(pages.map(({ client }) => client.mutate('counter.add', 1)));
  return counts.includes(1) && counts.includes(2) ? undefined : counts.join();
}

/** Checks that the journal drops an outcome soon after its page has received it. */
async function forgetsOutcome(patch: Patch): Promise<string | undefined> {
  const { disk, openPage } = createCounterWorld({}, patch);
  await openPage('options').client.mutate('counter.add', 1);
  await nextTasks();
  const text = JSON.stringify(disk.keys().map((key) => disk.read(key)));
  return text.includes('outcome') ? text : undefined;
}

/** Replaces the `write` of the store. */
function writing(write: (store: Store, entries: readonly Entry[]) => Promise<void>): Patch {
  return {
    patchStore: (store) => ({ ...store, write: (entries) => write(store, Object.entries(entries)) }),
  };
}

function withoutEvents(store: Store, entries: readonly Entry[]): Promise<void> {
  return store.write(Object.fromEntries(entries.filter(([key]) => !isEvent(key))));
}

async function eventsApart(store: Store, entries: readonly Entry[]): Promise<void> {
  const isQueue = ([key]: Entry): boolean => key.startsWith('queue/');
  await store.write(Object.fromEntries(entries.filter((entry) => !isQueue(entry))));
  await store.write(Object.fromEntries(entries.filter(isQueue)));
}

async function inTwoWrites(store: Store, entries: readonly Entry[]): Promise<void> {
  await store.write(Object.fromEntries(entries.filter((entry) => !isJournal(entry))));
  await store.write(Object.fromEntries(entries.filter(isJournal)));
}

/** Makes each worker start by removing all journal entries. */
function forgetting(store: Store): Store {
  const remove = async (): Promise<void> => {
    const keys = await store.list('journal/');
    await store.write(Object.fromEntries(keys.map((key) => [key, null])));
  };
  const removed = remove();
  return { ...store, lock: (work) => removed.then(() => store.lock(work)) };
}

/** Replaces each frame of a page before the worker receives it. */
function receiving(change: (frame: Frame) => readonly Frame[]): Patch {
  const patchPort = (port: IncomingPort): IncomingPort => ({
    ...port,
    onMessage: (listener) =>
      port.onMessage((message) => listener((message as readonly Frame[]).flatMap(change))),
  });
  return { patchPort };
}

const renamed = (frame: Frame): Frame => ({ ...frame, page: [frame['page'], frame['attempt']].join('/') });

async function nextTasks(): Promise<void> {
  for (let task = 0; task < 20; task += 1) await new Promise((resolve) => setTimeout(resolve));
}
