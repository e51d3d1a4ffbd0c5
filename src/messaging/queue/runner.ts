import { describe, toQuarantine } from '../state/damage.ts';
import type { Core } from '../server/call.ts';
import { choose } from './choice.ts';
import { once } from '../wire/waiting.ts';
import type { JobEntry } from './entry.ts';
import type { EventAttempts } from './event-attempts.ts';
import { createPace } from './pace.ts';
import type { Queue } from './queue.ts';
import { type Pause, toChange } from '../state/job.ts';
import { createTimer, pauseOfStore, timeLeft } from './retry.ts';
import type { TaskAttempts } from './task-attempts.ts';

interface RunnerOptions {
  readonly events: EventAttempts;
  readonly tasks: TaskAttempts;
  /** Called with the time at which the background must run for the next job, in ms since 1970, or `Infinity`. */
  readonly wakeAt: (time: number) => void;
}

const MINUTE = 60_000;

/** Attempts the jobs that are due, and sets the timer for the next one. */
export function createRunner(core: Core, queue: Queue, { events, tasks, wakeAt }: RunnerOptions) {
  const { log } = core;
  const { pauseLeft, pauseService, resumePauses, onStart, withinLimits } = createPace(tasks.find);
  let isRunning = false;
  /** `run` was called since it last looked at the jobs. */
  let isWanted = false;
  let failures = 0;
  let wakeTime = Infinity;
  const runAt = createTimer(() => void run());
  queue.listen(() => void run());

  const load = once(async () => {
    await queue.load();
    resumePauses(queue.entries.values());
  });

  async function run(): Promise<void> {
    isWanted = true;
    if (isRunning) return;
    isRunning = true;
    let pause = 0;
    try {
      while (isWanted) {
        isWanted = false;
        await load();
        await tidy(core, queue);
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

  /** Makes the next attempts. Returns `true` if others may be possible at once. A task calls `run` when its attempt has ended. */
  async function step(): Promise<boolean> {
    const entries = [...queue.entries.values()];
    const running = entries.filter((entry) => entry.running !== undefined);
    const usable = entries.filter(({ job }) => pauseLeft(job) === 0);
    const next = choose(usable, running, (due) => withinLimits(due, running));
    if (next.condemned !== undefined) {
      await (next.condemned.job.kind === 'event' ? events : tasks).condemn(next.condemned);
      return true;
    }
    if (next.uncounted.length > 0) {
      await countDeaths(core, queue, next.uncounted);
      return true;
    }
    for (const entry of next.tasks) startTask(entry);
    if (next.events.length > 0) await events.carryOut(next.events);
    return next.events.length > 0;
  }

  function startTask(entry: JobEntry): void {
    onStart(entry.job);
    const onPause = (pause: Pause): void => pauseService(entry.job, pause);
    void tasks
      .attempt(entry, onPause)
      .catch(log)
      .finally(() => void run());
  }

  /** @param pause milliseconds until the store is tried again */
  function setTimers(pause: number): void {
    const now = Date.now();
    let time = pause > 0 ? now + pause : Infinity;
    for (const { job, skipsPause } of pause > 0 ? [] : queue.entries.values()) {
      const wait = Math.max(skipsPause ? 0 : timeLeft(job), pauseLeft(job));
      // A job that is due runs already, or waits for an attempt that is under way.
      if (wait > 0) time = Math.min(time, now + wait);
    }
    runAt(time);
    for (const { job, running } of queue.entries.values()) {
      if (running === undefined) continue;
      // If the background dies during an attempt, the browser starts the next one soon after the attempt would have ended. In
      // whole minutes, so that the alarm is seldom set again.
      const timeout = tasks.find(job.name)?.timeout ?? 0;
      const end = Math.ceil((now + timeout) / MINUTE) * MINUTE;
      time = Math.min(time, end);
    }
    if (time !== wakeTime) wakeAt(time);
    wakeTime = time;
  }

  return {
    run: (): void => void run(),

    /** Ends the pauses of tasks that have failed. Called when the network is back. */
    runFailed: (): void => {
      for (const entry of queue.entries.values()) if (entry.job.endsOnline === true) entry.skipsPause = true;
      void run();
    },
  };
}

/** Quarantines what cannot be read, and corrects the mark. */
async function tidy({ state, log }: Core, queue: Queue): Promise<void> {
  if (queue.unreadable.size === 0 && !queue.isMarkWrong()) return;
  await state.inTurn(async ({ changes }) => {
    for (const [key, stored] of queue.unreadable) {
      // Jobs are stored as text.
      const text = typeof stored === 'string' ? stored : describe(stored);
      changes.set(key, { stored: null }).set(...toQuarantine('queue', text));
      log(new Error('An event or a task could not be read. Its text is in the quarantine.'));
    }
  });
}

/**
 * Counts a death, in case this background dies in the attempt. It counts once in the life of a background, so that a browser that
 * is closed often gives nothing up.
 */
async function countDeaths({ state }: Core, queue: Queue, entries: readonly JobEntry[]): Promise<void> {
  await state.inTurn(async ({ changes }) => {
    for (const { key, job } of entries) {
      // A task may have been cancelled meanwhile.
      if (queue.entries.has(key)) changes.set(key, toChange({ ...job, deaths: job.deaths + 1 }));
    }
  });
}
