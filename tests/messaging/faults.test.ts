import { expect, it, onTestFinished, vi } from 'vitest';

import type { Json } from '../../src/messaging/json.ts';
import type { Store } from '../../src/messaging/server/state.ts';
import type { IncomingPort } from '../../src/messaging/wire.ts';
import { createCounterWorld } from '../support/counter-world.ts';
import { identifyOwnPage, senderOf } from '../support/memory-world.ts';
import { callOf, outcomeOf } from '../support/raw-calls.ts';

type Patch = NonNullable<Parameters<typeof createCounterWorld>[1]>;

/** Returns how a promise is broken in a world with this patch, or `undefined` while it is kept. */
type Check = (patch: Patch) => Promise<string | undefined>;

type Entry = readonly [key: string, value: Json];
type Frame = Readonly<Record<string, unknown>>;

const isJournal = ([key]: Entry): boolean => key.startsWith('journal/');

/**
 * Faults of the protocol, planted through what the core is given: its store, its ports, its way to identify a caller. Each
 * breaks a promise, and the check of that promise has to notice.
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
  ['the journal is not looked up', countsOnce, { patchStore: forgetful }],
  ['a journal entry is pruned too early', countsOnce, { patchStore: ageing }],
  ['a mutation has another name when it is sent again', countsOnce, receiving((frame) => [renamed(frame)])],
  [
    'the lock is not taken',
    countsTogether,
    { patchStore: (store) => ({ ...store, lock: (work) => work() }) },
  ],
  [
    'a sender without an origin is accepted',
    refusesStrangers,
    { identify: (sender) => identifyOwnPage({ ...sender, origin: senderOf('options').origin }) },
  ],
  ['a sender is what it says', refusesStrangers, { identify: ({ url = '' } = {}) => url.split('/')[4] }],
  [
    'an abort is not delivered',
    abortsHandler,
    receiving((frame) => (frame['kind'] === 'abort' ? [] : [frame])),
  ],
  [
    'an acknowledgement is not delivered',
    forgetsOutcome,
    receiving((frame) => (frame['kind'] === 'ack' ? [] : [frame])),
  ],
  ['READY is not sent', waitsForSlowHandler, { patchPort: withoutReady }],
  ['values are sent that the page did not ask for', pacesHandler, { patchPort: pullingTwice }],
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

/** A sender of which something is missing, or that has another origin, gets no answer. */
async function refusesStrangers(patch: Patch): Promise<string | undefined> {
  const { openPage } = createCounterWorld({}, patch);
  const script = { origin: 'https://example.org', url: 'https://example.org/src/options/' };
  for (const changed of [{ origin: undefined }, script]) {
    const outcome = await outcomeOf(openPage({ ...senderOf('options'), ...changed }), callOf('counter.read'));
    if (outcome !== 'closed') return outcome;
  }
  return undefined;
}

/** A handler's signal is aborted soon after its caller's. */
async function abortsHandler(patch: Patch): Promise<string | undefined> {
  const controller = new AbortController();
  let signal: AbortSignal | undefined;
  const handler = (context: { readonly signal: AbortSignal }): Promise<number> => {
    ({ signal } = context);
    return new Promise(() => {});
  };
  const { query } = createCounterWorld({ 'counter.read': handler }, patch).openPage('popup').client;
  const asked = query('counter.read', undefined, { signal: controller.signal }).catch(() => {});
  await vi.waitFor(() => expect(signal).toBeDefined());
  controller.abort();
  await asked;
  await nextTasks();
  return signal?.aborted === true ? undefined : 'not aborted';
}

/** An outcome that its page has received is not in the journal for long. */
async function forgetsOutcome(patch: Patch): Promise<string | undefined> {
  const { disk, openPage } = createCounterWorld({}, patch);
  await openPage('options').client.mutate('counter.add', 1);
  await nextTasks();
  const text = JSON.stringify(disk.keys().map((key) => disk.read(key)));
  return text.includes('outcome') ? text : undefined;
}

/** A background whose handler takes its time is awake, not silent. */
async function waitsForSlowHandler(patch: Patch): Promise<string | undefined> {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const world = createCounterWorld({ 'counter.read': () => new Promise(() => {}) }, patch);
  const { query, connection } = world.openPage('popup').client;
  query('counter.read').catch(() => {});
  await vi.advanceTimersByTimeAsync(5_500);
  const { status } = connection.state();
  return status === 'awake' ? undefined : status;
}

/** A generator runs only as far as its values are taken. */
async function pacesHandler(patch: Patch): Promise<string | undefined> {
  let produced = 0;
  const handler = async function* () {
    for (;;) yield (produced += 1);
  };
  const { client } = createCounterWorld({ 'counter.watch': handler }, patch).openPage('popup');
  const values = client.subscribe('counter.watch');
  for (let taken = 1; taken <= 5; taken += 1) {
    await values.next();
    await nextTasks();
  }
  await values.return();
  return produced <= 5 ? undefined : `${produced} produced, 5 taken`;
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

function forgetful(store: Store): Store {
  return { ...store, read: async (key) => (key.startsWith('journal/') ? undefined : store.read(key)) };
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

function pullingTwice(port: IncomingPort): IncomingPort {
  return {
    ...port,
    onMessage: (listener) =>
      port.onMessage((message) => {
        listener(message);
        for (const { kind, id } of message as readonly Frame[]) {
          if (kind === 'subscription') setTimeout(() => listener([{ kind: 'pull', id }]));
        }
      }),
  };
}

function withoutReady(port: IncomingPort): IncomingPort {
  const isReady = (message: unknown): boolean => (message as readonly Frame[])[0]?.['kind'] === 'ready';
  return { ...port, post: (message) => isReady(message) || port.post(message) };
}

async function nextTasks(): Promise<void> {
  for (let task = 0; task < 20; task += 1) await new Promise((resolve) => setTimeout(resolve));
}
