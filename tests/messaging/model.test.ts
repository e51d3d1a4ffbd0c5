import fc from 'fast-check';
import * as v from 'valibot';
import { afterEach, expect, it, vi } from 'vitest';

import { sleep } from '../../src/messaging/deadline.ts';
import { CallError, ProcedureError } from '../../src/messaging/errors.ts';
import { defineFeature } from '../../src/messaging/feature.ts';
import type { Json } from '../../src/messaging/json.ts';
import { proceduresFor } from '../../src/messaging/procedures.ts';
import { GROUP, parseGroup } from '../../src/messaging/queue/records.ts';
import { defineDocument } from '../../src/messaging/state/documents.ts';
import type { Entries } from '../../src/messaging/state/store.ts';
import { defineTask, runLater } from '../../src/messaging/state/tasks.ts';
import { eventsIn, quarantineIn } from '../support/counter-world.ts';
import { testCallers } from '../support/counter.ts';
import { createMemoryWorld } from '../support/memory-world.ts';
import { never } from '../support/promises.ts';

/**
 * Plays random histories of three pages, of events and of tasks in the memory world, and compares the outcome of each with
 * the stored state. `RUNS` is the number of histories, 1,500 in `npm run test:soak`. A failure prints a seed for `SEED`.
 */
const RUNS = Number(process.env['RUNS'] ?? 100);
const SEED = process.env['SEED'];

/** The fault of one disk operation. `failing late` has its effect, and fails. `stuck` lasts longer than the lock may be held. */
type Fault = 'none' | 'failing' | 'failing late' | 'hanging' | 'stuck';

/** Events with a key always have the number of that key. */
const NUMBERS = { a: 1_000_001, b: 1_000_002, c: 1_000_003 };

type Key = keyof typeof NUMBERS;

/** The course of a mutation. `flaky` fails three times. The ones after it never succeed. */
const COURSES = ['fine', 'slow', 'flaky', 'throws', 'not read', 'hangs', 'refused', 'dies'] as const;

type Course = (typeof COURSES)[number];

/** The course of a task. `flaky` fails twice, `later` asks twice to run later, and those after it never succeed. */
const TASKS = ['fine', 'slow', 'flaky', 'later', 'throws', 'hangs', 'broken done'] as const;

type TaskCourse = (typeof TASKS)[number];

const page = fc.integer({ min: 0, max: 2 });
const repeated = (...faults: readonly Fault[]): fc.Arbitrary<Fault[]> =>
  fc
    .tuple(fc.integer({ min: 1, max: 4 }), fc.constantFrom(...faults))
    .map(([length, fault]) => Array(length).fill(fault));
const what = <const Kind extends string>(...kinds: Kind[]) => fc.constantFrom(...kinds);
const often = <T>(weight: number, arbitrary: fc.Arbitrary<T>) => ({ weight, arbitrary });
const task = fc.option(fc.constantFrom(...TASKS), { freq: 2, nil: undefined });

/** One step of a history. `page` is the number of a page. `faults` are those of the next disk operations. */
const step = fc.oneof(
  often(
    12,
    fc.record({
      do: what('mutate'),
      page,
      timeout: fc.constantFrom(50, 10_000, 60_000),
      // A negative number means that the call is not aborted.
      abortAfter: fc.constantFrom(-1, -1, -1, 0, 3, 30),
      course: fc.constantFrom('fine', 'fine', 'fine', 'slow', 'hangs'),
      task,
    }),
  ),
  often(4, fc.record({ do: what('query'), page })),
  often(1, fc.record({ do: what('cancel'), page, nth: fc.integer({ min: 1, max: 100 }) })),
  often(
    8,
    fc.record({
      do: what('event'),
      key: fc.constantFrom(undefined, undefined, 'a', 'b', 'c'),
      course: fc.oneof({ weight: 5, arbitrary: fc.constant('fine' as const) }, fc.constantFrom(...COURSES)),
      task,
      isOlder: fc.boolean(),
    }),
  ),
  often(5, fc.record({ do: what('wait'), ms: fc.constantFrom(1, 20, 200, 600, 3_000, 20_000) })),
  often(8, fc.record({ do: what('turn'), turns: fc.integer({ min: 1, max: 60 }) })),
  often(1, fc.record({ do: what('jump'), hours: fc.constantFrom(-30, -2, 2, 30) })),
  often(5, fc.record({ do: what('kill', 'kill', 'detach', 'kill detached') })),
  often(
    2,
    fc.record({
      do: what('kill at'),
      point: fc.constantFrom('before-note', 'after-note', 'before-commit', 'after-commit', 'before-reply'),
    }),
  ),
  often(2, fc.record({ do: what('cache', 'close'), page })),
  often(1, fc.record({ do: what('quota'), size: fc.constantFrom(300, 600, Infinity, Infinity) })),
  often(
    4,
    fc.record({
      do: what('disk'),
      // Between faults, some operations succeed, so that the faults also meet the later operations of a call.
      faults: fc
        .array(fc.oneof(repeated('none'), repeated('failing', 'failing late', 'hanging', 'stuck')), {
          maxLength: 6,
        })
        .map((runs) => runs.flat()),
    }),
  ),
);

type Step = typeof step extends fc.Arbitrary<infer One> ? One : never;

interface History {
  /** Workers may continue without their ports while the next one runs. Then events have no common order. */
  readonly hasDetached: boolean;
  /** The clock may change. Then only events of one background have an order, if several have died before a start listed them. */
  readonly hasJumps: boolean;
  readonly steps: readonly Step[];
}

const histories: fc.Arbitrary<History> = fc.record({
  hasDetached: fc.boolean(),
  hasJumps: fc.boolean(),
  steps: fc.array(step, { minLength: 200, maxLength: 400 }),
});

/** A mutation of a page or of an event. Each adds its number to the list that the state holds. */
interface Made {
  readonly number: number;
  readonly key?: Key | undefined;
  readonly course: Course;
  readonly task: TaskCourse | undefined;
  /** The page, or the background if `isEvent`, that made it. */
  readonly by: unknown;
  readonly isEvent: boolean;
  /** Its outcome; `pending` if it has not settled. */
  outcome: 'answered' | 'pending' | CallError['delivery'];
  code?: string;
}

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

it(
  `a model of pages, events, tasks, dying workers, faulty disks and a clock that jumps holds in ${RUNS} random histories`,
  async () => {
    const sums = { histories: 0, calls: 0, events: 0, tasks: 0, deaths: 0, quarantined: 0 };
    await fc.assert(
      fc.asyncProperty(histories, async (history) => {
        const result = await play(history);
        expect(violationsOf(history, result)).toEqual([]);
        const events = result.made.filter(({ isEvent }) => isEvent).length;
        sums.histories += 1;
        sums.calls += result.made.length - events;
        sums.events += events;
        sums.tasks += result.settled.length;
        sums.deaths += result.deaths;
        sums.quarantined += result.quarantined.length;
      }),
      {
        numRuns: RUNS,
        // A failure that depends on time may not appear again in a smaller history, and shrinking would search for a while.
        endOnFailure: SEED === undefined,
        plugins: [fc.interruptAfterTimeLimit(RUNS * 5_000)],
        ...(SEED !== undefined && { seed: Number(SEED) }),
      },
    );
    console.log(`measured: model: ${JSON.stringify(sums)}`);
  },
  RUNS * 6_000,
);

type Result = Awaited<ReturnType<typeof play>>;

/** Returns all violations: duplicates, losses, what never ended, false outcomes, and changes in a wrong order. */
function violationsOf({ hasDetached, hasJumps }: History, result: Result): string[] {
  const { list, made, noted, overtaken, quarantined, left } = result;
  const violations: string[] = left.map((open) => `left: ${open}`);
  for (const number of new Set(made.map((call) => call.number))) {
    // Only an event with a key is made more than once.
    const calls = made.filter((call) => call.number === number);
    const count = list.filter((entry) => entry === number).length;
    const given = quarantined.filter((entry) => entry.number === number);
    const isEvent = calls.some((call) => call.isEvent);
    const isAnswered = calls.some(({ outcome }) => outcome === 'answered');
    const isOpen = calls.some(({ outcome, by }) => outcome === 'pending' && (!isEvent || by === result.last));
    const isFalse =
      isEvent &&
      given.length === 0 &&
      calls.some(({ outcome, code }) => outcome === 'handled' && code !== 'ALREADY_MADE');
    // A noted event takes effect, or is given up after its last attempt. A change of a page may be in doubt.
    const least = isEvent ? Number(noted.has(number) && given.length === 0) : Number(isAnswered);
    const most = isEvent
      ? least
      : Number(calls.some(({ outcome }) => outcome === 'answered' || outcome === 'unknown'));
    const isGivenUp =
      given.every(({ tries }) => tries >= 10) && (calls[0]?.key !== undefined || given.length <= 1);
    const isLost = isAnswered && count === 0;
    if (count < least || count > most || isOpen || isFalse || isLost || !isGivenUp) {
      const ends = calls.map(({ course, outcome, code = '' }) => `${course} ${outcome} ${code}`.trim());
      violations.push(
        `${number} took effect ${count} times, was ${noted.has(number) ? '' : 'not '}noted, ended in ${ends.join()}, quarantined: ${given.length}`,
      );
    }
  }
  const isInOrder = ({ key, number, outcome, isEvent }: Made): boolean =>
    key === undefined && outcome !== 'unknown' && !overtaken.has(number) && !(isEvent && hasDetached);
  const makerOf = ({ by, isEvent }: Made): unknown => (isEvent && !hasJumps ? 'events' : by);
  for (const maker of new Set(made.map(makerOf))) {
    const own = made.filter((call) => makerOf(call) === maker && isInOrder(call));
    const numbers = new Set(own.map(({ number }) => number));
    const taken = list.filter((number) => numbers.has(number));
    if (taken.some((number, index) => number < (taken[index - 1] ?? 0))) {
      violations.push(`order: ${taken.join()}`);
    }
  }
  return [...violations, ...taskViolationsOf(result)];
}

/** Returns violations of tasks: those that were not settled once, did not run, or ran under several keys. */
function taskViolationsOf({ list, made, settled, cancelled, runs, quarantined }: Result): string[] {
  const enqueued = made.filter(({ number, task: course }) => course !== undefined && list.includes(number));
  const known = new Set(enqueued.map(({ number }) => number));
  const strange = settled
    .filter(([number]) => !known.has(number))
    .map(([number]) => `task ${number} has no cause`);
  return [
    ...strange,
    ...enqueued.flatMap(({ number, task: course }) => {
      const ends = [
        ...settled.filter(([settling]) => settling === number).map(([, end]) => end),
        ...cancelled.filter((other) => other === number).map(() => 'cancelled'),
        ...quarantined.filter(({ task: other }) => other === number).map(() => 'quarantined'),
      ];
      const keys = runs.filter((run) => run.number === number).map(({ key }) => key);
      const [end = 'not settled'] = ends;
      const isRun = keys.length > 0 || end === 'cancelled' || end.includes('died');
      const isFalse = end === 'done' && TASKS.indexOf(course ?? 'fine') > TASKS.indexOf('later');
      if (ends.length === 1 && isRun && !isFalse && new Set(keys).size <= 1) return [];
      return [`task ${number} (${course}) ended in ${ends.join()}, and ran ${keys.length} times`];
    }),
  ];
}

const listed = defineDocument({ key: 'list', schema: v.array(v.number()), initial: [] });
const settledTasks = defineDocument({
  key: 'settled',
  schema: v.array(v.custom<Settled>(Array.isArray)),
  initial: [],
});
const cancelledTasks = defineDocument({ key: 'cancelled', schema: v.array(v.number()), initial: [] });
/** The disk refuses each write of this document. */
const refused = defineDocument({ key: 'refused', schema: v.number(), initial: 0 });

type Settled = readonly [number: number, end: string];

const settle = (all: Settled[], number: number, end: string): Settled[] => [...all, [number, end]];

const { query: defineQuery, mutation } = proceduresFor(testCallers);

interface Run {
  readonly number: number;
  readonly key: string;
}

/** Creates the feature of one worker. `die` ends that worker. */
function createFeature(runs: Run[], tried: Map<number, number>, die: () => void) {
  /** Counts how often something with this number was tried. */
  const countOf = (number: number): number => {
    tried.set(number, (tried.get(number) ?? 0) + 1);
    return tried.get(number) ?? 0;
  };
  const work = defineTask({
    name: 'work',
    data: v.object({ number: v.number(), course: v.picklist(TASKS) }),
    timeout: 3_000,
    attempts: 5,
    concurrency: 2,
    run: async ({ data: { number, course }, key }) => {
      runs.push({ number, key });
      const count = runs.filter((run) => run.number === number).length;
      if (course === 'slow') await sleep(300);
      if (course === 'throws' || (course === 'flaky' && count <= 2)) throw new Error('broken');
      if (course === 'later' && count <= 2) throw runLater(5_000);
      if (course === 'hangs') await never();
      return number;
    },
    done: async ({ data, result, state }) => {
      if (data.course === 'broken done') throw new Error('broken');
      await state.update(settledTasks, (all) => settle(all, result, 'done'));
    },
    failed: async ({ data, error, state }) => {
      await state.update(settledTasks, (all) => settle(all, data.number, `failed: ${String(error)}`));
    },
  });
  return defineFeature({
    documents: [listed, settledTasks, cancelledTasks, refused],
    tasks: [work],
    procedures: {
      'list.read': defineQuery({
        callers: ['options'],
        output: v.number(),
        handle: async ({ state }) => (await state.read(listed)).length,
      }),
      'list.add': mutation({
        callers: ['options', 'background'],
        input: v.object({
          number: v.number(),
          course: v.picklist(COURSES),
          task: v.nullable(v.picklist(TASKS)),
        }),
        output: v.number(),
        handle: async ({ input: { number, course, task: taskCourse }, state }) => {
          const list = await state.read(listed);
          state.write(listed, [...list, number]);
          if (taskCourse !== null) state.enqueue(work, { number, course: taskCourse });
          if (course === 'slow') await sleep(40);
          if (course === 'throws' || (course === 'flaky' && countOf(number) <= 3)) throw new Error('broken');
          if (course === 'not read') throw new ProcedureError({ code: 'NOT_READ' });
          if (course === 'refused') state.write(refused, number);
          if (course === 'dies') die();
          if (course === 'dies' || course === 'hangs') await never();
          return number;
        },
      }),
      'task.cancel': mutation({
        callers: ['options'],
        input: v.number(),
        handle: async ({ input, state }) => {
          const open = (await state.list(work)).filter(({ data: { number } }) => number === input);
          for (const { id } of open) state.cancel(work, id);
          await state.update(cancelledTasks, (all) => [...all, ...open.map(() => input)]);
        },
      }),
    },
  });
}

/** Hours that the clock may differ from the start. Keys of events are kept for a week, which is longer. */
const FURTHEST = 70;

const HOUR = 60 * 60 * 1_000;

async function play({ hasDetached, hasJumps, steps }: History) {
  // New fake timers drop the timers that the workers of earlier histories have left.
  vi.useFakeTimers({ now: Date.UTC(2026, 0) });
  // Ids decide about the order of events that were left at the same time. The same seed must play the same history.
  let ids = 0;
  vi.spyOn(crypto, 'randomUUID').mockImplementation(() => {
    const scrambled = Math.imul((ids += 1), 2_654_435_761) >>> 0;
    return `${scrambled.toString(16).padStart(8, '0')}-0000-4000-8000-000000000000`;
  });
  let faults: readonly Fault[] = [];
  let quota = Infinity;
  let turn: Promise<unknown> = Promise.resolve();

  /** Makes the operations of a store fail or hang. They run in the order of their calls. */
  function disturb<Arguments extends unknown[], T>(work: (...values: Arguments) => Promise<T>) {
    return async (...values: Arguments): Promise<T> => {
      const [fault] = faults;
      faults = faults.slice(1);
      if (fault === 'hanging') turn = turn.then(() => sleep(500));
      if (fault === 'stuck') turn = turn.then(() => sleep(8_000));
      await turn;
      if (fault === 'failing') throw new Error('The disk is full');
      const result = await work(...values);
      if (fault === 'failing late') throw new Error('The disk took it and says that it did not');
      return result;
    };
  }

  /** Numbers of the events that were stored, and of those that were given a pause. */
  const [noted, overtaken] = [new Set<number>(), new Set<number>()];

  function watchEvents(entries: Entries): void {
    for (const [key, value] of Object.entries(entries)) {
      // A dead worker writes nothing.
      if (!key.startsWith(GROUP) || value === null || world.disk.read(key) !== value) continue;
      for (const { input, wait } of parseGroup(value) ?? []) {
        const { number: stored } = input as { readonly number: number };
        noted.add(stored);
        if (wait > 0) overtaken.add(stored);
      }
    }
  }

  const [runs, tried] = [[] as Run[], new Map<number, number>()];
  const world = createMemoryWorld({
    callers: testCallers,
    features: () => {
      const start = world.starts();
      // No two workers start in the same millisecond.
      vi.setSystemTime(Date.now() + 1);
      const die = (): void => {
        if (start === world.starts()) world.killWorker();
      };
      return [createFeature(runs, tried, die)] as const;
    },
    patchStore: (store) => ({
      ...store,
      read: disturb(store.read),
      list: disturb(store.list),
      write: disturb((entries) => {
        if ('refused' in entries || JSON.stringify(entries).length > quota) throw new Error('QUOTA_BYTES');
        // The disk writes in the same turn.
        const writing = store.write(entries);
        watchEvents(entries);
        return writing;
      }),
    }),
  });
  const wakeBackground = () => world.fire((background) => background);
  const made: Made[] = [];
  const pages = [0, 1, 2].map(() => world.openPage('options'));
  let [number, hours, detachedKills] = [0, 0, 0];
  let older: ReturnType<typeof wakeBackground> | undefined;

  async function follow(call: Made, ending: Promise<unknown>): Promise<void> {
    made.push(call);
    try {
      await ending;
      call.outcome = 'answered';
    } catch (error) {
      if (error instanceof CallError) call.outcome = error.delivery;
      call.code = error instanceof CallError ? error.code : String(error);
    }
  }

  function mutate({
    page: on,
    timeout,
    abortAfter,
    course,
    task: work,
  }: Extract<Step, { do: 'mutate' }>): void {
    const { client } = pages[on] ?? world.openPage('options');
    const call: Made = {
      number: (number += 1),
      by: client,
      isEvent: false,
      course,
      task: work,
      outcome: 'pending',
    };
    const controller = new AbortController();
    if (abortAfter === 0) controller.abort();
    if (abortAfter > 0) setTimeout(() => controller.abort(), abortAfter);
    const input = { number: call.number, course, task: work ?? null };
    void follow(call, client.mutate('list.add', input, { timeout, signal: controller.signal }));
  }

  function fire({ key, course, task: work, isOlder }: Omit<Extract<Step, { do: 'event' }>, 'do'>): void {
    const by = (isOlder ? older : undefined) ?? wakeBackground();
    // Repeated events are equal.
    const own = key === undefined ? { course, task: work } : { course: 'fine' as const, task: undefined };
    const call: Made = {
      number: key === undefined ? (number += 1) : NUMBERS[key],
      key,
      by,
      isEvent: true,
      ...own,
      outcome: 'pending',
    };
    const input = { number: call.number, course: own.course, task: own.task ?? null };
    void follow(call, by.mutate('list.add', input, key === undefined ? {} : { key }));
  }

  const fireOne = (): void => fire({ key: undefined, course: 'fine', task: undefined, isOlder: false });

  function ignore(call: Promise<unknown> | undefined): void {
    call?.catch((error: unknown) => expect(error).toBeInstanceOf(CallError));
  }

  function killDetached(): void {
    if (older !== undefined) detachedKills += 1;
    older = undefined;
    world.killDetachedWorkers();
  }

  for (const played of steps) {
    switch (played.do) {
      case 'mutate':
        mutate(played);
        break;
      case 'query':
        ignore(pages[played.page]?.client.query('list.read'));
        break;
      case 'cancel':
        ignore(pages[played.page]?.client.mutate('task.cancel', Math.ceil((number * played.nth) / 100)));
        break;
      case 'event':
        fire(played);
        break;
      case 'wait':
        await vi.advanceTimersByTimeAsync(played.ms);
        break;
      case 'turn':
        for (let turns = 0; turns < played.turns; turns += 1) await Promise.resolve();
        break;
      case 'jump':
        if (!hasJumps || Math.abs(hours + played.hours) > FURTHEST) break;
        hours += played.hours;
        vi.setSystemTime(Date.now() + played.hours * HOUR);
        break;
      case 'kill':
        world.killWorker();
        break;
      case 'kill detached':
        killDetached();
        break;
      case 'kill at':
        world.killWorkerAt(played.point);
        break;
      case 'detach':
        if (!hasDetached || !world.isWorkerRunning()) break;
        older = wakeBackground();
        world.detachWorker();
        break;
      case 'cache':
        pages[played.page]?.enterCache();
        pages[played.page]?.client.reconnect();
        break;
      case 'close':
        pages[played.page]?.close();
        pages[played.page] = world.openPage('options');
        break;
      case 'quota':
        quota = played.size;
        break;
      case 'disk':
        faults = played.faults;
    }
  }
  [faults, quota] = [[], Infinity];
  // Operations of the disk that are stuck follow each other. Their timers must end before those of dead workers are cleared.
  let isFree = false;
  void turn.then(() => (isFree = true));
  while (!isFree) await vi.advanceTimersByTimeAsync(1_000);
  // After this, every deadline has passed.
  await vi.advanceTimersByTimeAsync(200_000);
  killDetached();
  // The next workers carry out what earlier ones have left. Some die because of an event. Others live longer than all pauses
  // together. After an hour, the first change of a worker starts a search for what is lost from view.
  for (let starts = 0; starts < 2 || (starts < 300 && leftIn(world.disk.keys()).length > 0); starts += 1) {
    world.killWorker();
    // Timers of dead workers do nothing, and all calls of pages have settled. This also resets the clock.
    const now = Date.now();
    vi.clearAllTimers();
    vi.setSystemTime(now + 2 * HOUR);
    fireOne();
    await vi.advanceTimersByTimeAsync(eventsIn(world).some(isDeadly) ? 10_000 : 5 * HOUR);
  }
  const last = wakeBackground();
  const dataOf = (key: string): unknown => world.disk.dataOf(key) ?? [];
  return {
    list: dataOf('list') as readonly number[],
    settled: dataOf('settled') as readonly Settled[],
    cancelled: dataOf('cancelled') as readonly number[],
    made,
    noted,
    overtaken,
    runs,
    last,
    left: leftIn(world.disk.keys()),
    quarantined: quarantineIn(world).map(parseQuarantined),
    deaths: world.starts() - 1 + detachedKills,
  };
}

/** Returns the keys of open events and tasks. */
const leftIn = (keys: readonly string[]): readonly string[] =>
  keys.filter((key) => /^queue\/(event\/|task)/u.test(key));

const isDeadly = ({ input }: { input?: Json | undefined }): boolean =>
  (input as { course: Course }).course === 'dies';

/** Returns the number of an event with its attempts, or that of a task. */
function parseQuarantined(text: string): { number?: number; task?: number; tries: number } {
  const parsed = JSON.parse(text) as
    | { data: { number: number }; tries: number }
    | { input: { number: number }; tries: number }[];
  if (!Array.isArray(parsed)) return { task: parsed.data.number, tries: parsed.tries };
  return { number: parsed[0]?.input.number ?? 0, tries: parsed[0]?.tries ?? 0 };
}
