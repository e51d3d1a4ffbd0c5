import fc from 'fast-check';
import * as v from 'valibot';
import { afterEach, expect, it, vi } from 'vitest';

import { CallError } from '../../src/messaging/errors.ts';
import { defineDocument } from '../../src/messaging/state/documents.ts';
import type { Store } from '../../src/messaging/state/store.ts';
import { withHandlers } from '../support/handlers.ts';
import { counterFeature, testCallers } from '../support/counter.ts';
import { createMemoryWorld, type DeathPoint } from '../support/memory-world.ts';

/**
 * Plays random histories of three pages and of events in the memory world, and compares the outcome of each call with the
 * stored state. `RUNS` is the number of histories, 1,500 in `npm run test:soak`. A failure prints a seed for `SEED`.
 */
const RUNS = Number(process.env['RUNS'] ?? 100);
const SEED = process.env['SEED'];

/** The fault of one disk operation. `failing late` has its effect, and fails. */
type Fault = 'none' | 'failing' | 'failing late' | 'hanging';

/** Events with a key always add the number of that key. */
const NUMBERS = { a: 1_000_001, b: 1_000_002, c: 1_000_003 };

type Key = keyof typeof NUMBERS;

/** One step of a history. `page` is the number of a page. `faults` are those of the next disk operations. */
type Step =
  | { readonly do: 'mutate'; readonly page: number; readonly timeout: number; readonly abortAfter: number }
  | { readonly do: 'query' | 'cache' | 'close'; readonly page: number }
  | { readonly do: 'event'; readonly key: Key | undefined }
  | { readonly do: 'wait'; readonly ms: number }
  | { readonly do: 'turn'; readonly turns: number }
  | { readonly do: 'jump'; readonly hours: number }
  | { readonly do: 'kill' | 'detach' }
  | { readonly do: 'kill at'; readonly point: DeathPoint }
  | { readonly do: 'disk'; readonly faults: readonly Fault[] };

const page = fc.integer({ min: 0, max: 2 });
const repeated = (...faults: readonly Fault[]): fc.Arbitrary<Fault[]> =>
  fc
    .tuple(fc.integer({ min: 1, max: 4 }), fc.constantFrom(...faults))
    .map(([length, fault]) => Array(length).fill(fault));
const what = <const K extends Step['do']>(...kinds: K[]) => fc.constantFrom(...kinds);
const often = (weight: number, arbitrary: fc.Arbitrary<Step>) => ({ weight, arbitrary });

const step: fc.Arbitrary<Step> = fc.oneof(
  often(
    12,
    fc.record({
      do: what('mutate'),
      page,
      timeout: fc.constantFrom(50, 10_000, 60_000),
      // A negative number means that the call is not aborted.
      abortAfter: fc.constantFrom(-1, -1, -1, 0, 3, 30),
    }),
  ),
  often(4, fc.record({ do: what('query'), page })),
  often(6, fc.record({ do: what('event'), key: fc.constantFrom(undefined, undefined, 'a', 'b', 'c') })),
  often(5, fc.record({ do: what('wait'), ms: fc.constantFrom(1, 20, 200, 600, 3_000) })),
  often(8, fc.record({ do: what('turn'), turns: fc.integer({ min: 1, max: 60 }) })),
  often(1, fc.record({ do: what('jump'), hours: fc.constantFrom(-30, -2, 2, 30) })),
  often(5, fc.record({ do: what('kill', 'detach') })),
  often(
    2,
    fc.record({
      do: what('kill at'),
      point: fc.constantFrom('before-note', 'after-note', 'before-commit', 'after-commit', 'before-reply'),
    }),
  ),
  often(2, fc.record({ do: what('cache', 'close'), page })),
  often(
    4,
    fc.record({
      do: what('disk'),
      // Between faults, some operations succeed, so that the faults also meet the later operations of a call.
      faults: fc
        .array(fc.oneof(repeated('none'), repeated('failing', 'failing late', 'hanging')), { maxLength: 6 })
        .map((runs) => runs.flat()),
    }),
  ),
);

/**
 * One history. The core assumes that one background runs at a time, and events rely on that. So a history has either events,
 * or workers that continue without their ports while the next one runs.
 */
interface History {
  readonly hasEvents: boolean;
  readonly steps: readonly Step[];
  /** The call or event that starts the last background. */
  readonly end: 'page' | 'event';
}

const histories: fc.Arbitrary<History> = fc.record({
  hasEvents: fc.boolean(),
  steps: fc.array(step, { minLength: 200, maxLength: 400 }),
  end: fc.constantFrom('page', 'event'),
});

/** A mutation of a page or of an event. Each adds its number to the list that the state holds. */
interface Made {
  readonly number: number;
  readonly key?: Key | undefined;
  /** The page or the background that made it. */
  by: unknown;
  /** `kept` if its note was stored, and then `dropped` if the note was removed without the change. */
  note?: 'kept' | 'dropped';
  /** Its outcome; `lost` if the background died before that. */
  outcome: 'answered' | 'lost' | CallError['delivery'];
  code?: string;
}

afterEach(() => void vi.useRealTimers());

it(
  `a model of pages, events, dying workers, faulty disks and a clock that jumps holds in ${RUNS} random histories`,
  async () => {
    let calls = 0;
    await fc.assert(
      fc.asyncProperty(histories, async (history) => {
        const { list, made } = await play(history);
        calls += made.length;
        expect(violationsOf(list, made)).toEqual([]);
      }),
      {
        numRuns: RUNS,
        // To shrink a history takes longer than the test may, so only a run with a `SEED` shrinks it for a while.
        endOnFailure: SEED === undefined,
        plugins: [fc.interruptAfterTimeLimit(RUNS * 5_000)],
        ...(SEED !== undefined && { seed: Number(SEED) }),
      },
    );
    console.log(`measured: model: ${JSON.stringify({ runs: RUNS, calls })}`);
  },
  RUNS * 6_000,
);

/** Returns all violations: duplicates, losses, calls that never ended, wrong deliveries, and changes in a wrong order. */
function violationsOf(list: readonly number[], made: readonly Made[]): string[] {
  const violations: string[] = [];
  for (const number of new Set(made.map((call) => call.number))) {
    // Only an event with a key is made more than once.
    const calls = made.filter((call) => call.number === number);
    const isStuck = ({ outcome, by, code }: Made): boolean =>
      outcome === 'lost' && (isPage(by) || code !== undefined);
    const count = list.filter((entry) => entry === number).length;
    const least = calls.some(isDone) ? 1 : 0;
    const most = calls.some((call) => isDone(call) || call.outcome === 'unknown') ? 1 : 0;
    if (count < least || count > most || calls.some(isStuck)) {
      const ends = calls.map(({ outcome, code = '' }) => `${outcome} ${code}`.trim());
      violations.push(`${number} took effect ${count} times and ended in ${ends.join()}`);
    }
  }
  for (const maker of new Set(made.map(({ by }) => by))) {
    const own = made.filter(
      ({ by, key, outcome }) => by === maker && key === undefined && outcome !== 'unknown',
    );
    const numbers = new Set(own.map(({ number }) => number));
    const taken = list.filter((number) => numbers.has(number));
    if (taken.some((number, index) => number < (taken[index - 1] ?? 0))) {
      violations.push(`order: ${taken.join()}`);
    }
  }
  return violations;
}

/** Returns `true` for a page, which lives until its calls have settled. */
const isPage = (maker: unknown): boolean =>
  typeof maker === 'object' && maker !== null && 'connection' in maker;

/**
 * Returns `true` for a change that must have taken effect. A noted event is carried out even if its background dies, and it
 * is tried again when the store could not be read.
 */
function isDone({ outcome, note, code = '' }: Made): boolean {
  if (outcome === 'answered') return true;
  if (note === 'dropped') return ['NOT_READ', 'DISCONNECTED'].includes(code);
  return note === 'kept' && (outcome === 'lost' || outcome === 'unknown');
}

const listed = defineDocument({ key: 'list', schema: v.array(v.number()), initial: [] });

/** Hours that the clock may differ from the start. Keys and notes of events are kept for a week, which is longer. */
const FURTHEST = 80;

async function play({ hasEvents, steps, end }: History) {
  // New fake timers drop the timers that the workers of earlier histories have left.
  vi.useFakeTimers({ now: Date.UTC(2026, 0) });
  let faults: readonly Fault[] = [];
  let turn: Promise<unknown> = Promise.resolve();

  /** Makes the operations of a store fail or hang. They run in the order of their calls. */
  function disturb<Arguments extends unknown[], T>(work: (...values: Arguments) => Promise<T>) {
    return async (...values: Arguments): Promise<T> => {
      const [fault] = faults;
      faults = faults.slice(1);
      if (fault === 'hanging') turn = turn.then(() => sleep(500));
      await turn;
      if (fault === 'failing') throw new Error('The disk is full');
      const result = await work(...values);
      if (fault === 'failing late') throw new Error('The disk took it and says that it did not');
      return result;
    };
  }

  const made: Made[] = [];
  let firing: Made | undefined;

  /** Wraps the writes of one worker, and marks events as noted while their notes are in the store. */
  function watchNotes(write: Store['write']): Store['write'] {
    const notes = new Map<string, Made>();
    const work = disturb<[Parameters<Store['write']>[0]], void>((entries) => {
      const isStored = (key: string): boolean => world.disk.read(key) !== undefined;
      const before = [...notes.keys()].filter(isStored);
      const writing = write(entries);
      for (const [key, event] of notes) {
        if (isStored(key)) event.note = 'kept';
        else if (before.includes(key) && entries['list'] === undefined) event.note = 'dropped';
      }
      return writing;
    });
    return (entries) => {
      for (const [key, value] of Object.entries(entries)) {
        // The write of a note begins in the same turn as its call, so it is the note of the event that is firing.
        if (firing !== undefined && key.startsWith('inbox/') && value !== null) notes.set(key, firing);
      }
      return work(entries);
    };
  }

  const procedures = withHandlers(counterFeature.procedures, {
    'counter.read': async ({ state }) => (await state.read(listed)).length,
    'counter.add': async ({ input, state }) => {
      const list = await state.read(listed);
      // Every fifth change is slow.
      if (input % 5 === 0) await sleep(40);
      state.write(listed, [...list, input]);
      return input;
    },
  });
  const world = createMemoryWorld({
    callers: testCallers,
    features: [{ ...counterFeature, procedures, documents: [listed] }],
    patchStore: (store) => ({
      ...store,
      read: disturb(store.read),
      list: disturb(store.list),
      write: watchNotes(store.write),
    }),
  });
  const pages = [0, 1, 2].map(() => world.openPage('options'));
  let number = 0;
  let hours = 0;

  async function follow(call: Made, ending: Promise<unknown>, isAlive = () => true): Promise<void> {
    made.push(call);
    try {
      await ending;
      if (isAlive()) call.outcome = 'answered';
    } catch (error) {
      if (!isAlive()) return;
      if (error instanceof CallError) call.outcome = error.delivery;
      call.code = error instanceof CallError ? error.code : String(error);
    }
  }

  function mutate(on: number, timeout: number, abortAfter: number): void {
    const { client } = pages[on] ?? world.openPage('options');
    const call: Made = { number: (number += 1), by: client, outcome: 'lost' };
    const controller = new AbortController();
    if (abortAfter === 0) controller.abort();
    if (abortAfter > 0) setTimeout(() => controller.abort(), abortAfter);
    const ending = client.mutate('counter.add', call.number, { timeout, signal: controller.signal });
    void follow(call, ending);
  }

  function fire(key?: Key): void {
    const call: Made = {
      number: key === undefined ? (number += 1) : NUMBERS[key],
      key,
      by: undefined,
      outcome: 'lost',
    };
    firing = call;
    const ending = world.fire((background) => {
      call.by = background;
      return background.mutate('counter.add', call.number, key === undefined ? {} : { key });
    });
    firing = undefined;
    const worker = world.starts();
    // In the memory world, the code of a dead worker continues to run without a store. Its outcome does not count.
    const isAlive = (): boolean => worker === world.starts() && world.isWorkerRunning();
    void follow(call, ending, isAlive);
  }

  function query(on: number): void {
    pages[on]?.client
      .query('counter.read')
      .catch((error: unknown) => expect(error).toBeInstanceOf(CallError));
  }

  for (const played of steps) {
    switch (played.do) {
      case 'mutate':
        mutate(played.page, played.timeout, played.abortAfter);
        break;
      case 'query':
        query(played.page);
        break;
      case 'event':
        if (hasEvents) fire(played.key);
        break;
      case 'wait':
        await vi.advanceTimersByTimeAsync(played.ms);
        break;
      case 'turn':
        for (let turns = 0; turns < played.turns; turns += 1) await Promise.resolve();
        break;
      case 'jump':
        if (Math.abs(hours + played.hours) > FURTHEST) break;
        hours += played.hours;
        vi.setSystemTime(Date.now() + played.hours * 60 * 60 * 1_000);
        break;
      case 'kill':
        world.killWorker();
        break;
      case 'kill at':
        world.killWorkerAt(played.point);
        break;
      case 'detach':
        if (!hasEvents) world.detachWorker();
        break;
      case 'cache':
        pages[played.page]?.enterCache();
        pages[played.page]?.client.reconnect();
        break;
      case 'close':
        pages[played.page]?.close();
        pages[played.page] = world.openPage('options');
        break;
      case 'disk':
        faults = played.faults;
    }
  }
  faults = [];
  // After this, every deadline has passed.
  await vi.advanceTimersByTimeAsync(200_000);
  // A new worker carries out the notes of earlier ones. Two are started, because the first may die at an earlier `kill at`.
  for (let starts = 0; starts < 2; starts += 1) {
    world.killWorker();
    if (end === 'page' || !hasEvents) query(0);
    else fire();
    await vi.advanceTimersByTimeAsync(60_000);
  }
  return { list: (world.disk.dataOf('list') as readonly number[] | undefined) ?? [], made };
}

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
