import { expect, vi } from 'vitest';

import { sleep } from '../../../src/messaging/wire/waiting.ts';
import { CallError } from '../../../src/messaging/wire/errors.ts';
import type { Json } from '../../../src/messaging/wire/json.ts';
import { isJobKey, parseJob } from '../../../src/messaging/state/job.ts';
import type { Entries } from '../../../src/messaging/state/store.ts';
import { eventsIn, quarantineIn } from '../../support/counter-world.ts';
import { testCallers } from '../../support/counter.ts';
import { createMemoryWorld } from '../../support/memory-world.ts';
import { advance, HOUR } from '../../support/time.ts';
import {
  type Course,
  type Fault,
  type History,
  type Key,
  NUMBERS,
  type Step,
  type TaskCourse,
} from './histories.ts';
import { createListFeature, type Run, type Settled } from './list-feature.ts';

/** A mutation of a page or of an event. Each adds its number to the list that the state holds. */
export interface Made {
  readonly number: number;
  readonly key?: Key | undefined;
  readonly course: Course;
  readonly task: TaskCourse | null;
  /** The page, or the background if `isEvent`, that made it. */
  readonly by: unknown;
  readonly isEvent: boolean;
  /** Its outcome; `pending` if it has not settled. */
  outcome: 'answered' | 'pending' | CallError['delivery'];
  code?: string;
}

type StepOf<Kind> = Extract<Step, { do: Kind }>;

export type Result = Awaited<ReturnType<typeof play>>;

/** Hours that the clock may differ from the start. Keys of events are kept for a week, which is longer. */
const FURTHEST = 70;

export async function play({ hasJumps, steps }: History) {
  // New fake timers drop the timers that the workers of earlier histories have left.
  vi.useFakeTimers({ now: Date.UTC(2026, 0) });
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
      return work(...values);
    };
  }

  /** Numbers of the events that were stored, and of those that others may overtake. */
  const [noted, overtaken] = [new Set<number>(), new Set<number>()];
  let newestKey = '';

  function watchEvents(entries: Entries): void {
    for (const [key, value] of Object.entries(entries)) {
      // A dead worker writes nothing.
      if (!isJobKey(key) || value === null || world.disk.read(key) !== value) continue;
      const { kind, data, wait } = parseJob(value) ?? {};
      if (kind !== 'event') continue;
      const { number: stored } = data as { readonly number: number };
      // It was paused, or its first note was refused.
      if (wait !== 0 || (!noted.has(stored) && key < newestKey)) overtaken.add(stored);
      noted.add(stored);
      if (key > newestKey) newestKey = key;
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
      return [createListFeature(runs, tried, die)] as const;
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
  let [number, hours] = [0, 0];

  /** Makes a change of the list, and follows it. */
  async function make(
    call: Omit<Made, 'outcome'>,
    send: (input: Pick<Made, 'number' | 'course' | 'task'>) => Promise<unknown>,
  ): Promise<void> {
    const { number: own, course, task } = call;
    const followed: Made = { ...call, outcome: 'pending' };
    made.push(followed);
    try {
      await send({ number: own, course, task });
      followed.outcome = 'answered';
    } catch (error) {
      if (error instanceof CallError) followed.outcome = error.delivery;
      followed.code = error instanceof CallError ? error.code : String(error);
    }
  }

  function mutate({ page, timeout, abortAfter, course, task }: StepOf<'mutate'>): void {
    const { client } = pages[page] ?? world.openPage('options');
    const controller = new AbortController();
    if (abortAfter === 0) controller.abort();
    if (abortAfter > 0) setTimeout(() => controller.abort(), abortAfter);
    number += 1;
    void make({ number, by: client, isEvent: false, course, task }, (input) =>
      client.mutate('list.add', input, { timeout, signal: controller.signal }),
    );
  }

  function fire({ key, course, task }: Omit<StepOf<'event'>, 'do'>): void {
    const by = wakeBackground();
    number += 1;
    // Repeated events are equal.
    const call =
      key === undefined
        ? { number, course, task }
        : { number: NUMBERS[key], key, course: 'fine' as const, task: null };
    void make({ ...call, by, isEvent: true }, (input) =>
      by.mutate('list.add', input, key === undefined ? {} : { key }),
    );
  }

  const fireOne = (): void => fire({ key: undefined, course: 'fine', task: null });

  /** Follows a call of which only the kind of error is known. */
  function ignore(call: Promise<unknown> | undefined): void {
    call?.catch((error: unknown) => expect(error).toBeInstanceOf(CallError));
  }

  const actions: { readonly [Kind in Step['do']]: (played: StepOf<Kind>) => unknown } = {
    mutate,
    event: fire,
    query: ({ page }) => ignore(pages[page]?.client.query('list.read')),
    cancel: ({ page, nth }) =>
      ignore(pages[page]?.client.mutate('task.cancel', Math.ceil((number * nth) / 100))),
    wait: ({ ms }) => advance(ms),
    turn: async ({ turns }) => {
      for (let count = 0; count < turns; count += 1) await Promise.resolve();
    },
    jump: ({ hours: by }) => {
      if (!hasJumps || Math.abs(hours + by) > FURTHEST) return;
      hours += by;
      vi.setSystemTime(Date.now() + by * HOUR);
    },
    kill: world.killWorker,
    'kill at': ({ point }) => world.killWorkerAt(point),
    cache: ({ page }) => {
      pages[page]?.enterCache();
      pages[page]?.client.reconnect();
    },
    close: ({ page }) => {
      pages[page]?.close();
      pages[page] = world.openPage('options');
    },
    quota: ({ size }) => (quota = size),
    disk: (played) => (faults = played.faults),
  };
  for (const played of steps) {
    const ending = actions[played.do](played as never);
    // The next step follows in the same turn, unless time is to pass.
    if (ending instanceof Promise) await ending;
  }
  [faults, quota] = [[], Infinity];
  // Operations of the disk that are stuck follow each other. Their timers must end before those of dead workers are cleared.
  let isFree = false;
  void turn.then(() => (isFree = true));
  while (!isFree) await advance(1_000);
  // After this, every deadline has passed.
  await advance(200_000);
  // The next workers carry out what earlier ones have left. Some die because of an event. Others live longer than all pauses
  // together.
  for (let starts = 0; starts < 2 || (starts < 300 && leftIn(world.disk.keys()).length > 0); starts += 1) {
    world.killWorker();
    // Timers of dead workers do nothing, and all calls of pages have settled. This also resets the clock.
    const now = Date.now();
    vi.clearAllTimers();
    vi.setSystemTime(now + 2 * HOUR);
    fireOne();
    await advance(eventsIn(world).some(isDeadly) ? 10_000 : 5 * HOUR);
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
    deaths: world.starts() - 1,
  };
}

/** Returns the keys of open events and tasks. */
const leftIn = (keys: readonly string[]): readonly string[] => keys.filter(isJobKey);

const isDeadly = ({ data }: { data?: Json | undefined }): boolean =>
  (data as { course: Course }).course === 'dies';

/** Returns the number of an event with its failed attempts and deaths, or that of a task. */
function parseQuarantined(text: string): { number?: number; task?: number; ends: number } {
  const { kind, data, tries = 0, deaths = 0 } = parseJob(text) ?? {};
  const { number } = data as { readonly number: number };
  // The last attempt is not counted in the text.
  return { [kind === 'event' ? 'number' : 'task']: number, ends: Math.max(tries + 1, deaths) };
}
