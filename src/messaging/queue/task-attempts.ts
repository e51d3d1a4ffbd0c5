import { checkLimit, indexByName } from '../define/limits.ts';
import { GiveUp, RunLater } from '../define/task-errors.ts';
import { pauseAfter, type Task } from '../define/tasks.ts';
import type { Core } from '../server/call.ts';
import { BACKGROUND } from '../server/identify-caller.ts';
import { type Pause, type Job, toChange } from '../state/job.ts';
import { validate } from '../state/stored.ts';
import { copyJson, type Json } from '../wire/json.ts';
import { untilAborted } from '../wire/waiting.ts';
import { type JobEntry, quarantine } from './entry.ts';
import type { Queue } from './queue.ts';
import { pauseFor, pauseOffline } from './retry.ts';
import { CANCELLED, createTaskWrites } from './task-writes.ts';

/** The network, as the browser describes it. */
export interface Network {
  /** Returns `false` if there is no network. An attempt that fails then does not count. */
  readonly isOnline: () => boolean;
  /** Calls a listener when the network is back. */
  readonly onOnline: (listener: () => void) => void;
}

interface TaskAttemptsOptions {
  readonly tasks: readonly Task<never>[];
  readonly isOnline: Network['isOnline'];
}

/** The end of the work of a task. */
type End =
  | { readonly kind: 'value'; readonly value: Json }
  | { readonly kind: 'paused'; readonly error: unknown; readonly pause: TaskPause }
  | Failure;

interface Failure {
  readonly kind: 'failed';
  readonly error: unknown;
  /** No other attempt can succeed. */
  readonly isFinal: boolean;
}

/** The part of a task's job that describes its pause. */
type TaskPause = Pick<Job, 'due' | 'wait' | 'endsOnline' | 'pausesService'>;

export type TaskAttempts = ReturnType<typeof createTaskAttempts>;

/** Makes attempts at tasks: `run` outside of a turn, and `done` or `failed` in one. @throws TypeError for two tasks with one name */
export function createTaskAttempts(core: Core, queue: Queue, { tasks, isOnline }: TaskAttemptsOptions) {
  const { observe, log } = core;
  const { change, finish } = createTaskWrites(core, queue);
  const byName = indexByName(
    'tasks have the name',
    tasks.map((task) => [task.name, task]),
  );

  /** Returns the task of a job with its data, or `undefined` if the job does not fit this version. */
  async function parse({ job }: JobEntry) {
    const task = byName.get(job.name);
    try {
      return task && { task, data: await validate(`the task "${job.name}"`, task.data, job.data) };
    } catch {
      return undefined;
    }
  }

  /** Moves a task that does not fit this version to the quarantine. */
  async function onUnfit(entry: JobEntry): Promise<void> {
    const problem = `The task "${entry.job.name}" does not fit this version of the extension.`;
    log(new Error(`${problem} Its text is in the quarantine.`));
    await change(entry, (turn) => quarantine(turn, entry));
  }

  /** Makes one attempt, and stores what becomes of the task. */
  async function attempt(
    entry: JobEntry,
    controller: AbortController,
    onPause: (pause: Pause) => void,
  ): Promise<void> {
    const parsed = await parse(entry);
    if (parsed === undefined) return onUnfit(entry);
    const { task, data } = parsed;
    const { tries, deaths } = entry.job;
    const onEnd = observe({
      caller: BACKGROUND.info,
      kind: 'task',
      name: task.name,
      attempts: tries + deaths + 1,
    });
    let end = await run(core, task, controller, { data, key: entry.job.key })
      .catch((error: unknown) => endWith(error, task, entry.job, isOnline))
      // A revoked proxy that was thrown cannot be looked at.
      .catch(failed);
    // Other tasks wait from now on, whether this one is then stored, cancelled or given up.
    if (end.kind === 'paused' && end.pause.pausesService) onPause(end.pause);
    if (end.kind === 'paused' && isOld(task, entry.job)) end = failed(end.error);
    if (end.kind === 'value') {
      const error = await finish(entry, task, 'done', { data, result: end.value });
      if (error === undefined) return onEnd?.('value');
      end = failed(error);
    }
    const { job } = entry;
    const next =
      end.kind === 'paused' ? { ...job, ...end.pause, deaths: 0 } : afterFailure(task, job, end, log);
    const isOpen = await change(entry, ({ changes }) => next && changes.set(entry.key, toChange(next)));
    if (!isOpen) return onEnd?.('ABORTED');
    if (end.kind === 'paused') return onEnd?.('later');
    onEnd?.('INTERNAL', log(new Error(`The task "${task.name}" has failed.`, { cause: end.error })));
    return next === undefined ? giveUp(entry, task, data, end.error) : undefined;
  }

  /** Lets `failed` change state, and removes the job in the same write. If `failed` fails, the quarantine gets the job. */
  async function giveUp(entry: JobEntry, task: Task<never>, data: unknown, cause: unknown): Promise<void> {
    const { tries, deaths } = entry.job;
    const attempts = Math.max(tries + 1, deaths);
    log(new Error(`The task "${task.name}" was given up after ${attempts} attempts.`, { cause }));
    const error = await finish(entry, task, 'failed', { data, error: cause });
    if (error === undefined || error === CANCELLED) return;
    log(error);
    await change(entry, (turn) => quarantine(turn, entry));
  }

  return {
    /** Returns the task with a name. */
    find: (name: string): Task<never> | undefined => byName.get(name),

    /** Makes one attempt, and stores what becomes of the task. Calls `onPause` when the task pauses its service. */
    attempt: async (entry: JobEntry, onPause: (pause: Pause) => void): Promise<void> => {
      const controller = new AbortController();
      entry.running = controller;
      await attempt(entry, controller, onPause).finally(() => (entry.running = undefined));
    },

    /** Gives up a task that may be the reason why backgrounds have died. */
    condemn: async (entry: JobEntry): Promise<void> => {
      const parsed = await parse(entry);
      if (parsed === undefined) return onUnfit(entry);
      return giveUp(entry, parsed.task, parsed.data, new Error('The background died in each attempt.'));
    },
  };
}

const failed = (error: unknown): Failure => ({ kind: 'failed', error, isFinal: false });

/** Runs the work of a task, until it ends or the controller aborts it. */
async function run(
  { stayAwake }: Core,
  task: Task<never>,
  controller: AbortController,
  given: object,
): Promise<End> {
  const { run: work, timeout } = task;
  const { signal } = controller;
  const release = stayAwake();
  const onTimeout = (): void => controller.abort(new Error(`It did not end within ${timeout} ms.`));
  const timer = setTimeout(onTimeout, timeout);
  const context: object = { ...given, signal };
  try {
    const result = await untilAborted(signal, () => (work as (context: object) => unknown)(context));
    return { kind: 'value', value: result === undefined ? null : copyJson(result) };
  } finally {
    clearTimeout(timer);
    release();
  }
}

/** Returns the end of work that has thrown an error. */
function endWith(error: unknown, task: Task<never>, { wait }: Job, isOnline: Network['isOnline']): End {
  if (error instanceof RunLater) {
    const { pausesService } = error;
    return {
      kind: 'paused',
      error,
      pause: { ...pauseOf(task, error.wait), endsOnline: false, pausesService },
    };
  }
  if (error instanceof GiveUp) return { kind: 'failed', error, isFinal: true };
  if (isOnline()) return failed(error);
  const pause = { ...pauseOf(task, pauseOffline(wait)), endsOnline: true, pausesService: false };
  return { kind: 'paused', error, pause };
}

/** Returns the job after a failed attempt, or `undefined` if it was the last one. */
function afterFailure(
  task: Task<never>,
  job: Job,
  { isFinal }: Failure,
  log: (error: unknown) => void,
): Job | undefined {
  const tries = job.tries + 1;
  if (isFinal || tries >= task.attempts || isOld(task, job)) return undefined;
  const pause = pauseOf(task, waitAfter(task, tries, log));
  return { ...job, ...pause, tries, deaths: 0, endsOnline: true, pausesService: false };
}

/** Returns the milliseconds to wait after so many failed attempts. Instead of a `pause` that is not valid, the default one is used. */
function waitAfter({ name, pause }: Task<never>, tries: number, log: (error: unknown) => void): number {
  try {
    const wait = typeof pause === 'function' ? pause(tries) : pause;
    checkLimit(`\`pause\` of the task "${name}"`, wait, false);
    return wait;
  } catch (error) {
    log(error);
    return pauseAfter(tries);
  }
}

/** Returns a pause that lasts no longer than the age of the task. */
const pauseOf = ({ age }: Task<never>, wait: number): Pause => pauseFor(Math.min(wait, age));

const isOld = ({ age }: Task<never>, { at }: Job): boolean => Math.abs(Date.now() - at) > age;
