import type { Store } from '../../src/messaging/state/store.ts';
import {
  addToCounter,
  type CounterHandlers,
  createCounterWorld,
  type CounterWorldOptions,
  eventsIn,
  fireAdd,
  logOf,
  outcomeOf,
  quarantineIn,
} from './counter-world.ts';
import { createDeferred } from './promises.ts';
import { advance, SECOND } from './time.ts';

export const isGroup = (key: string): boolean => key.startsWith('queue/event/');

/** Returns `true` for a write that notes events. */
export const isNote = (entries: object): boolean => 'queue/noted' in entries;

/** Returns a patch for a store in which `note` makes the writes that note events. */
export const noting =
  (note: (write: () => Promise<void>) => Promise<void>) =>
  (store: Store): Store => ({
    ...store,
    write: (entries) => (isNote(entries) ? note(() => store.write(entries)) : store.write(entries)),
  });

/** The text of a group of events that another background has noted. Their inputs are 1, 2 and so on. */
export const groupOf = (...events: readonly object[]): string =>
  JSON.stringify(
    events.map((event, number) =>
      Object.assign({ name: 'counter.add', input: number + 1, number, version: '1' }, event),
    ),
  );

/**
 * Creates a world that records turns and attempts of events, for tests with fake timers. Its journal has just been pruned, so
 * that nothing else uses the store.
 */
export function createEventWorld(
  handle: CounterHandlers['counter.add'] = addToCounter,
  { patchStore = (store) => store, ...options }: Omit<CounterWorldOptions, 'observe'> = {},
) {
  const runs: { readonly input: number; readonly at: number }[] = [];
  const turns: number[][] = [];
  const reads: number[] = [];
  const written: number[] = [];
  const writes: string[] = [];
  const listed: string[] = [];
  const observed: string[] = [];
  let gate = Promise.resolve();
  const record = (store: Store): Store => ({
    ...store,
    read: (keys) => {
      const groups = keys.filter(isGroup);
      if (groups.length > 0) reads.push(groups.length);
      return store.read(keys);
    },
    list: (prefix) => {
      listed.push(prefix);
      return store.list(prefix);
    },
    write: async (entries) => {
      await store.write(entries);
      const groups = Object.keys(entries).filter(isGroup);
      if (isNote(entries) || groups.length === 0) return;
      written.push(groups.length);
      const left = eventsIn(world).map(({ tries }) => tries);
      writes.push(['counter' in entries ? 'changed' : 'counted', ...left].join(' '));
    },
    lock: async (work) => {
      await gate;
      return store.lock(() => {
        turns.push([]);
        return work();
      });
    },
  });
  const world = createCounterWorld(
    {
      'counter.add': (context) => {
        runs.push({ input: context.input, at: Date.now() });
        turns.at(-1)?.push(context.input);
        return handle(context);
      },
    },
    {
      ...options,
      observe:
        ({ attempts }) =>
        (outcome) =>
          observed.push(`${attempts} ${outcome}`),
      patchStore: (store) => patchStore(record(store)),
    },
  );
  const { disk } = world;
  disk.write('journal', Date.now());
  const start = async (): Promise<void> => {
    world.fire(() => {});
    await advance(SECOND);
  };
  return {
    world,
    /** The inputs of the events, in the order in which they ran. */
    order: () => runs.map(({ input }) => input),
    /** The times at which events with this input ran. */
    timesOf: (input: number) => runs.filter((run) => run.input === input).map(({ at }) => at),
    /** The inputs that ran in each holding of the lock. */
    turns: () => turns.filter((inputs) => inputs.length > 0),
    /** The numbers of groups that were read together. */
    reads,
    /** The numbers of groups that were written together. */
    written,
    /** Writes of groups: whether the counter has changed too, and the attempts of each event that was left. */
    writes,
    /** The prefixes of the keys that were listed. */
    listed,
    /** The attempts that an observer has seen: number and outcome. */
    observed,
    /** Fires an event, and resolves with its value or its error. */
    add: (input: number) => outcomeOf(fireAdd(world, input)),
    /** Notes events, and kills the background before it carries them out. */
    leave: async (...inputs: readonly number[]): Promise<void> => {
      world.killWorkerAt('after-note');
      for (const input of inputs) fireAdd(world, input).catch(() => {});
      await advance(1);
    },
    /** Stores what another background has left as groups of events. */
    leaveGroups: (...texts: readonly string[]): void => {
      for (const [index, text] of texts.entries()) disk.write(`queue/event/1-${index}-x-1`, text);
      disk.write('queue/noted', 'x:1');
    },
    /** Starts a background, unless one is running, and waits until it has carried out what earlier ones have left. */
    start,
    restart: (): Promise<void> => {
      world.killWorker();
      return start();
    },
    /** Keeps the lock from this background until the returned function is called. */
    holdLock: (): (() => void) => {
      const { promise, resolve } = createDeferred();
      gate = promise;
      return resolve;
    },
    count: () => disk.dataOf('counter'),
    /** The stored events that are not carried out, in the order of their keys. */
    left: () => eventsIn(world),
    /** The texts in the quarantine. */
    quarantined: () => quarantineIn(world),
    log: () => logOf(world),
  };
}
