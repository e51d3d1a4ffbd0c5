import type { Store } from '../../src/messaging/state/store.ts';
import { isJobKey, MARK, parseJob, type Job, jobKey, toMark, toText } from '../../src/messaging/state/job.ts';
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
import { isNote } from './memory-world.ts';
import { createDeferred } from './promises.ts';
import { advance, SECOND } from './time.ts';

/** Returns a patch for a store in which `note` makes the writes that note events. */
export const noting =
  (note: (write: () => Promise<void>) => Promise<void>) =>
  (store: Store): Store => ({
    ...store,
    write: (entries) => (isNote(entries) ? note(() => store.write(entries)) : store.write(entries)),
  });

/**
 * Creates a world that records turns and attempts of events, for tests with fake timers. Its journal has just been pruned, so
 * that nothing else uses the store.
 */
export function createEventWorld(
  handle: CounterHandlers['counter.add'] = addToCounter,
  { patchStore = (store) => store, ...options }: Omit<CounterWorldOptions, 'observe'> = {},
) {
  const runs: { readonly input: number; readonly at: number }[] = [];
  const turns: number[][] = [[]];
  const writes: string[] = [];
  const observed: string[] = [];
  let gate = Promise.resolve();
  const record = (store: Store): Store => ({
    ...store,
    write: async (entries) => {
      if (isNote(entries)) return store.write(entries);
      // Each turn ends with a write.
      turns.push([]);
      await store.write(entries);
      const records = Object.keys(entries).filter(isJobKey);
      const deaths = records.flatMap((key) => parseJob(entries[key])?.deaths ?? []);
      if (records.length > 0)
        writes.push(['counter' in entries ? 'changed' : 'counted', ...deaths].join(' '));
    },
  });
  const world = createCounterWorld(
    {
      'counter.add': (context) => {
        runs.push({ input: context.input, at: Date.now() });
        turns.at(-1)?.push(context.input);
        return handle(context);
      },
      'counter.tick': () => gate,
    },
    {
      ...options,
      observe:
        ({ name, attempts }) =>
        (outcome) => {
          if (name === 'counter.add') observed.push(`${attempts} ${outcome}`);
        },
      patchStore: (store) => record(patchStore(store)),
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
    /** The inputs that ran in each turn. */
    turns: () => turns.filter((inputs) => inputs.length > 0),
    /** Writes of records: whether the counter has changed too, and the deaths of each record that was stored again. */
    writes,
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
    /** Stores what an earlier background has left: texts, or parts of events. Their inputs are 1, 2 and so on. */
    leaveRecords: (...records: readonly (string | Partial<Job>)[]): void => {
      for (const [index, parts] of records.entries()) {
        const text = typeof parts === 'string' ? parts : eventText({ data: index + 1, ...parts });
        disk.write(jobKey(index + 1), text);
      }
      disk.write(MARK, toMark(records.length, false));
    },
    /** Starts a background, unless one is running, and waits until it has carried out what earlier ones have left. */
    start,
    restart: (): Promise<void> => {
      world.killWorker();
      return start();
    },
    /** Lets a page's mutation keep its turn until the returned function is called. */
    holdTurn: async (): Promise<() => void> => {
      const { promise, resolve } = createDeferred();
      gate = promise;
      world
        .openPage('options')
        .client.mutate('counter.tick')
        .catch(() => {});
      await advance(1);
      return resolve;
    },
    count: () => disk.dataOf('counter'),
    /** The stored events that are not carried out, in the order of their keys. */
    left: () => eventsIn(world),
    /** The mark of the queue. */
    mark: () => disk.read(MARK),
    /** The texts in the quarantine. */
    quarantined: () => quarantineIn(world),
    log: () => logOf(world),
  };
}

/** The text of an event that an earlier background has noted. */
const eventText = (parts: Partial<Job>): string =>
  toText({
    kind: 'event',
    name: 'counter.add',
    at: Date.now(),
    tries: 0,
    deaths: 0,
    due: 0,
    wait: 0,
    ...parts,
  });
