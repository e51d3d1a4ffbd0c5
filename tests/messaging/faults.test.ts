import { expect, it } from 'vitest';

import type { Json } from '../../src/messaging/json.ts';
import type { Store } from '../../src/messaging/server/state.ts';
import type { IncomingPort } from '../../src/messaging/wire.ts';
import { createCounterWorld } from '../support/counter-world.ts';

type Patch = NonNullable<Parameters<typeof createCounterWorld>[1]>;

/** Returns how a promise is broken in a world with this patch, or `undefined` while it is kept. */
type Check = (patch: Patch) => Promise<string | undefined>;

type Entry = readonly [key: string, value: Json];
type Frame = Readonly<Record<string, unknown>>;

const isJournal = ([key]: Entry): boolean => key.startsWith('journal/');

/**
 * Faults of the protocol, planted through what the core is given: its store and its ports. Each breaks a promise, and the
 * check of that promise must notice it.
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
  ['a journal entry is pruned too early', countsOnce, { patchStore: ageing }],
  ['a mutation has another name when it is sent again', countsOnce, receiving((frame) => [renamed(frame)])],
  [
    'the lock is not taken',
    countsTogether,
    { patchStore: (store) => ({ ...store, lock: (work) => work() }) },
  ],
  [
    'an acknowledgement is not delivered',
    forgetsOutcome,
    receiving((frame) => (frame['kind'] === 'ack' ? [] : [frame])),
  ],
];

it.each(FAULTS)('a fault of the protocol is noticed: %s', async (_what, check, patch) => {
  expect(await check({})).toBeUndefined();
  expect(await check(patch)).toBeDefined();
});

/** A mutation counts once and is answered with what is on the disk, whichever of its steps the worker dies at. */
async function countsOnce(patch: Patch): Promise<string | undefined> {
  for (let step = 0; step < 60; step += 1) {
    const world = createCounterWorld({}, patch);
    const answer = world.openPage('options').client.mutate('counter.add', 1);
    for (let turn = 0; turn < step; turn += 1) await Promise.resolve();
    world.killWorker();
    const counted = [await answer, world.disk.read('counter')].join();
    world.killWorker();
    if (counted !== '1,1') return `killed at step ${step}: ${counted}`;
  }
  return undefined;
}

/** Of two mutations made at the same time, each sees what the other has done. */
async function countsTogether(patch: Patch): Promise<string | undefined> {
  const world = createCounterWorld({}, patch);
  const pages = [world.openPage('options'), world.openPage('options')];
  const counts = await Promise.all(pages.map(({ client }) => client.mutate('counter.add', 1)));
  return counts.includes(1) && counts.includes(2) ? undefined : counts.join();
}

/** An outcome that its page has received is not in the journal for long. */
async function forgetsOutcome(patch: Patch): Promise<string | undefined> {
  const { disk, openPage } = createCounterWorld({}, patch);
  await openPage('options').client.mutate('counter.add', 1);
  await nextTasks();
  const text = JSON.stringify(disk.keys().map((key) => disk.read(key)));
  return text.includes('outcome') ? text : undefined;
}

/** Replaces how entries are written. */
function writing(write: (store: Store, entries: readonly Entry[]) => Promise<void>): Patch {
  return {
    patchStore: (store) => ({ ...store, write: (entries) => write(store, Object.entries(entries)) }),
  };
}

async function inTwoWrites(store: Store, entries: readonly Entry[]): Promise<void> {
  await store.write(Object.fromEntries(entries.filter((entry) => !isJournal(entry))));
  await store.write(Object.fromEntries(entries.filter(isJournal)));
}

function ageing(store: Store): Store {
  const aged = (entry: Entry): Entry => (isJournal(entry) ? [entry[0], { at: 0 }] : entry);
  return {
    ...store,
    readAll: async () => Object.fromEntries(Object.entries(await store.readAll()).map(aged)),
  };
}

/** Replaces each frame of a page by others before it arrives. */
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
