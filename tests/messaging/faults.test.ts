import { describe, expect, it, vi } from 'vitest';

import type { Store } from '../../src/messaging/server/state.ts';
import type { IncomingPort, Sender } from '../../src/messaging/wire.ts';
import { createCounterWorld } from '../support/counter-world.ts';
import { identifyOwnPage, senderOf } from '../support/memory-world.ts';

type Patch = NonNullable<Parameters<typeof createCounterWorld>[1]>;

/** Says how a promise is broken in a world with this patch; nothing while it is kept. */
type Check = (patch: Patch) => Promise<string | undefined>;

/**
 * Faults of the protocol, planted through what the core is given: its store, its ports, its way to identify a caller. Each
 * breaks a promise, and the check of that promise has to notice.
 */
const FAULTS: readonly [what: string, check: Check, patch: Patch][] = [
  ['state and journal are two writes', countsOnce, { patchStore: inTwoWrites }],
  ['the journal is not written', countsOnce, { patchStore: withoutJournal }],
  ['the journal is not looked up', countsOnce, { patchStore: forgetful }],
  ['the answer is sent before the write', countsOnce, { patchStore: writingLate }],
  ['a journal entry is pruned too early', countsOnce, { patchStore: ageing }],
  ['a mutation has another name when it is sent again', countsOnce, { patchPort: renaming }],
  [
    'the lock is not taken',
    countsTogether,
    { patchStore: (store) => ({ ...store, lock: (work) => work() }) },
  ],
  ['a sender without an origin is accepted', refusesStrangers, { identify: withoutOrigin }],
  ['a sender is what it says', refusesStrangers, { identify: ({ url = '' } = {}) => url.split('/')[4] }],
  ['an abort is not delivered', abortsHandler, { patchPort: without('abort') }],
  ['an acknowledgement is not delivered', forgetsOutcome, { patchPort: without('ack') }],
  ['READY is not sent', waitsForSlowHandler, { patchPort: withoutReady }],
  ['values are sent that the page did not ask for', pacesHandler, { patchPort: pullingTwice }],
];

describe('a fault of the protocol is noticed', () => {
  it.each(FAULTS)('%s', async (_what, check, patch) => {
    expect(await check({})).toBeUndefined();
    expect(await check(patch)).toBeDefined();
  });
});

/** A mutation counts once and is answered with what is on the disk, whichever of its steps the worker dies at. */
async function countsOnce(patch: Patch): Promise<string | undefined> {
  for (let step = 0; step < 60; step += 1) {
    const world = createCounterWorld({}, patch);
    const { mutate } = world.openPage('options').client;
    const answer = mutate('counter.add', 1);
    for (let turn = 0; turn < step; turn += 1) await Promise.resolve();
    world.killWorker();
    const counted = [await answer, world.disk.read('counter')];
    world.killWorker();
    if (counted.join() !== '1,1') return `killed at step ${step}: ${counted.join()}`;
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
  const { origin: _, ...withoutItsOrigin } = senderOf('options');
  const script = {
    ...senderOf('options'),
    origin: 'https://example.org',
    url: 'https://example.org/src/options/',
  };
  for (const sender of [withoutItsOrigin, script]) {
    const port = createCounterWorld({}, patch).openPage(sender).openRawPort();
    port.post({ kind: 'query', id: 1, name: 'counter.read', attempt: 1, timeout: 9_000 });
    await vi.waitFor(() => expect(port.isClosed() || port.received.length > 0).toBe(true));
    if (!port.isClosed()) return JSON.stringify([sender, port.received]);
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
  const entries = disk.keys().filter((key) => key.startsWith('journal/'));
  const text = JSON.stringify(entries.map((key) => disk.read(key)));
  return text.includes('outcome') ? text : undefined;
}

/** A background whose handler takes its time is awake, not silent. */
async function waitsForSlowHandler(patch: Patch): Promise<string | undefined> {
  vi.useFakeTimers();
  const world = createCounterWorld({ 'counter.read': () => new Promise(() => {}) }, patch);
  const { query, connection } = world.openPage('popup').client;
  const asked = query('counter.read', undefined, { timeout: 6_000 }).catch(() => {});
  await vi.advanceTimersByTimeAsync(5_500);
  const { status } = connection.state();
  await vi.advanceTimersByTimeAsync(1_000);
  await asked;
  vi.useRealTimers();
  return status === 'awake' ? undefined : status;
}

/** A generator runs only as far as its values are taken. */
async function pacesHandler(patch: Patch): Promise<string | undefined> {
  let produced = 0;
  const handlers = {
    'counter.watch': async function* () {
      for (;;) yield (produced += 1);
    },
  };
  const values = createCounterWorld(handlers, patch).openPage('popup').client.subscribe('counter.watch');
  for (let taken = 1; taken <= 5; taken += 1) {
    await values.next();
    await nextTasks();
  }
  await values.return();
  return produced <= 5 ? undefined : `${produced} produced, 5 taken`;
}

function inTwoWrites(store: Store): Store {
  return {
    ...store,
    write: async (entries) => {
      const isJournal = ([key]: readonly [string, unknown]): boolean => key.startsWith('journal/');
      const all = Object.entries(entries);
      await store.write(Object.fromEntries(all.filter((entry) => !isJournal(entry))));
      await store.write(Object.fromEntries(all.filter(isJournal)));
    },
  };
}

function withoutJournal(store: Store): Store {
  const isState = ([key]: readonly [string, unknown]): boolean => !key.startsWith('journal/');
  return {
    ...store,
    write: (entries) => store.write(Object.fromEntries(Object.entries(entries).filter(isState))),
  };
}

function forgetful(store: Store): Store {
  return { ...store, read: async (key) => (key.startsWith('journal/') ? undefined : store.read(key)) };
}

function writingLate(store: Store): Store {
  return {
    ...store,
    write: async (entries) => {
      setTimeout(() => void store.write(entries), 5);
    },
  };
}

function ageing(store: Store): Store {
  return {
    ...store,
    readAll: async () => {
      const all = Object.entries(await store.readAll());
      return Object.fromEntries(
        all.map(([key, value]) => [key, key.startsWith('journal/') ? { at: 0 } : value]),
      );
    },
  };
}

type Frame = Readonly<Record<string, unknown>>;

/** A port on which the frames of a page are others when they arrive. */
function changing(port: IncomingPort, change: (frames: readonly Frame[]) => readonly Frame[]): IncomingPort {
  return {
    ...port,
    onMessage: (listener) => port.onMessage((message) => listener(change(message as readonly Frame[]))),
  };
}

function renaming(port: IncomingPort): IncomingPort {
  return changing(port, (frames) =>
    frames.map((frame) => ({ ...frame, page: [frame['page'], frame['attempt']].join('/') })),
  );
}

function without(kind: string): (port: IncomingPort) => IncomingPort {
  return (port) => changing(port, (frames) => frames.filter((frame) => frame['kind'] !== kind));
}

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
  return {
    ...port,
    post: (message) =>
      (message as readonly Frame[]).some(({ kind }) => kind === 'ready') || port.post(message),
  };
}

function withoutOrigin(sender: Sender | undefined): string | undefined {
  return identifyOwnPage({ ...sender, origin: senderOf('options').origin });
}

async function nextTasks(): Promise<void> {
  for (let task = 0; task < 20; task += 1) await new Promise((resolve) => setTimeout(resolve));
}
