import type { Task } from '../define/tasks.ts';
import type { State } from '../state/state.ts';
import { quarantineValue } from '../state/damage.ts';
import { stage } from '../state/turn.ts';
import { BATCH, type Events } from './events.ts';
import { type Queue, toChange } from './queue.ts';
import type { QueueRecord } from './record.ts';
import { createTimer, pauseOfStore, timeLeft } from './retry.ts';
import type { TaskAttempts } from './task-attempts.ts';

interface RunnerOptions {
  readonly queue: Queue;
  readonly state: State;
  readonly events: Pick<Events, 'carryOut' | 'condemn'>;
  readonly tasks: TaskAttempts;
  /** Called with the time at which the background must run for the next record, in ms since 1970, or `Infinity`. */
  readonly wakeAt: (time: number) => void;
  readonly log: (error: unknown) => void;
}

const MINUTE = 60_000;

/** A record that is not done, with its key. */
type Open = readonly [key: string, record: QueueRecord];

/**
 * Attempts the records that are due, in this order:
 *
 * 1. events of earlier backgrounds, and those that may have ended a background first and one at a time
 * 2. events of this background
 * 3. tasks of this background, which wait for nothing
 * 4. tasks of earlier backgrounds, after all events of earlier backgrounds
 */
export function createRunner({ queue, state, events, tasks, wakeAt, log }: RunnerOptions) {
  /** Tasks that are being attempted, by key. */
  const running = new Map<string, AbortController>();
  /** Time at which the next task of a name may start, in ms since 1970. */
  const nextStart = new Map<string, number>();
  /** Keys of tasks whose pause ended early, because the network is back. */
  const early = new Set<string>();
  let isRunning = false;
  /** `run` was called since it last looked at the records. */
  let isWanted = false;
  let failures = 0;
  let wakeTime = Infinity;
  const runAt = createTimer(() => void run());

  queue.onRecord((key, record) => {
    // A death is counted before an attempt, which must not end what made it due.
    if ((record?.deaths ?? 0) === 0) early.delete(key);
    if (record === undefined) running.get(key)?.abort(new Error('The task was cancelled.'));
    if (!running.has(key)) void run();
  });

  /** Attempts all records that are due, and sets the timer for the next one. */
  async function run(): Promise<void> {
    isWanted = true;
    if (isRunning) return;
    isRunning = true;
    let pause = 0;
    try {
      while (isWanted) {
        isWanted = false;
        await tidy();
        if (await step()) isWanted = true;
        failures = 0;
      }
    } catch (error) {
      log(error);
      failures += 1;
      pause = pauseOfStore(failures);
    }
    isRunning = false;
    setTimers(pause);
  }

  /** Lists what earlier backgrounds have left, once. Quarantines what cannot be read, and corrects the mark. */
  async function tidy(): Promise<void> {
    await queue.load();
    if (queue.unreadable.size === 0 && !queue.isMarkWrong()) return;
    await state.inTurn(async (turn) => {
      for (const [key, stored] of queue.unreadable) {
        stage(turn, { [key]: null, ...quarantineValue('queue', stored) });
        log(new Error('An event or a task could not be read. Its text is in the quarantine.'));
      }
    });
  }

  /** Makes the next attempts. Returns `false` if nothing is due. */
  async function step(): Promise<boolean> {
    const due = [...queue.open].filter(([key, record]) => isDue(key, record));
    const condemned = due.find(([key]) => queue.isCondemned(key));
    if (condemned !== undefined) {
      const [key, { kind }] = condemned;
      await (kind === 'event' ? events : tasks).condemn(key);
      return true;
    }
    const isAlone = [...running.keys()].some(queue.isSuspect);
    const foundEvents = select(due, 'event', true);
    const dueEvents =
      foundEvents.length === 0 ? select(due, 'event', false) : isAlone ? [] : alone(foundEvents);
    // No more deaths are counted than attempts can be made in one turn, because each makes a record a suspect.
    const nextEvents = dueEvents.slice(0, BATCH);
    const foundTasks = foundEvents.length > 0 || isAlone ? [] : alone(select(due, 'task', true));
    const nextTasks = withinLimits([...foundTasks, ...select(due, 'task', false)]);
    const uncounted = [...nextEvents, ...nextTasks].filter(([key]) => queue.isUncounted(key));
    if (uncounted.length > 0) {
      await count(uncounted);
      return true;
    }
    for (const [key, { name }] of nextTasks) startTask(key, name);
    if (nextEvents.length > 0) await events.carryOut(nextEvents.map(([key]) => key));
    return nextEvents.length > 0;
  }

  function isDue(key: string, record: QueueRecord): boolean {
    if (running.has(key) || queue.isHeld(key)) return false;
    return early.has(key) || timeLeft(record) === 0;
  }

  const select = (due: readonly Open[], kind: QueueRecord['kind'], isFound: boolean): readonly Open[] =>
    due.filter(([key, record]) => record.kind === kind && queue.isFound(key) === isFound);

  /** Returns the first record that may have ended a background, or all records if none has. */
  function alone(records: readonly Open[]): readonly Open[] {
    const suspect = records.find(([key]) => queue.isSuspect(key));
    return suspect === undefined ? records : [suspect];
  }

  /** Returns the tasks that may start now. */
  function withinLimits(due: readonly Open[]): readonly Open[] {
    const started = new Map<string, number>();
    for (const key of running.keys()) addTo(started, queue.open.get(key)?.name);
    const paced = new Set<string>();
    return due.filter(([, { name }]) => {
      const { concurrency, perSecond } = limitsOf(name);
      if ((started.get(name) ?? 0) >= concurrency || gapLeft(name) > 0 || paced.has(name)) return false;
      addTo(started, name);
      if (perSecond !== Infinity) paced.add(name);
      return true;
    });
  }

  const limitsOf = (name: string): Pick<Task<never>, 'concurrency' | 'perSecond' | 'timeout'> =>
    tasks.find(name) ?? { concurrency: Infinity, perSecond: Infinity, timeout: 0 };

  /** Returns the milliseconds until the next task of a name may start. */
  const gapLeft = (name: string): number =>
    timeLeft({ due: nextStart.get(name) ?? 0, wait: 1_000 / limitsOf(name).perSecond });

  /**
   * Counts a death, in case this background dies in the attempt. It counts once in the life of a background, so that a browser
   * that is closed often gives nothing up.
   */
  async function count(records: readonly Open[]): Promise<void> {
    await state.inTurn(async ({ changes }) => {
      for (const [key] of records) {
        const record = queue.open.get(key);
        if (record !== undefined) changes.set(key, toChange({ ...record, deaths: record.deaths + 1 }));
      }
    });
  }

  function startTask(key: string, name: string): void {
    const controller = new AbortController();
    running.set(key, controller);
    nextStart.set(name, Date.now() + 1_000 / limitsOf(name).perSecond);
    const end = (): void => {
      running.delete(key);
      void run();
    };
    tasks.attempt(key, controller).catch(log).finally(end);
  }

  /** @param pause milliseconds until the store is tried again */
  function setTimers(pause: number): void {
    const now = Date.now();
    let time = pause > 0 ? now + pause : Infinity;
    for (const [key, record] of queue.open) {
      if (pause > 0 || running.has(key) || queue.isHeld(key)) continue;
      const wait = Math.max(early.has(key) ? 0 : timeLeft(record), gapLeft(record.name));
      // What is due and does not run waits for an attempt that is under way.
      if (wait > 0) time = Math.min(time, now + wait);
    }
    runAt(time);
    for (const key of running.keys()) {
      const end = now + limitsOf(queue.open.get(key)?.name ?? '').timeout;
      // If the background dies during an attempt, the browser starts the next one soon after the attempt would have ended. In
      // whole minutes, so that the alarm is seldom set again.
      time = Math.min(time, Math.ceil(end / MINUTE) * MINUTE);
    }
    if (time !== wakeTime) wakeAt(time);
    wakeTime = time;
  }

  return {
    run: (): void => void run(),

    /** Ends the pauses of tasks that have failed. Called when the network is back. */
    runFailed: (): void => {
      for (const [key, { endsOnline }] of queue.open) if (endsOnline === true) early.add(key);
      void run();
    },
  };
}

function addTo(counts: Map<string, number>, name = ''): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}
