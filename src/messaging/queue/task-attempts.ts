import { BACKGROUND } from '../server/identify-caller.ts';
import { sleep, untilAborted } from '../wire/waiting.ts';
import { GiveUp, RunLater } from '../define/task-errors.ts';
import type { Task } from '../define/tasks.ts';
import { ProcedureError } from '../wire/errors.ts';
import { copyJson, type Json } from '../wire/json.ts';
import type { CallServer } from '../server/call.ts';
import type { State } from '../state/state.ts';
import type { Turn } from '../state/turn.ts';
import { type Entry, quarantine } from './entry.ts';
import type { Queue } from './queue.ts';
import { type Pause, type QueueRecord, toChange } from '../state/queue-record.ts';
import { isNewer, pauseFor, pauseOffline, pauseOfStore } from './retry.ts';

/** The network, as the browser describes it. */
export interface Network {
  /** Returns `false` if there is no network. An attempt that fails then does not count. */
  readonly isOnline: () => boolean;
  /** Calls a listener when the network is back. */
  readonly onOnline: (listener: () => void) => void;
}

interface TaskAttemptsOptions {
  readonly tasks: readonly Task<never>[];
  /** Version of the extension. */
  readonly version: string;
  /** Keeps the background awake until the returned function is called. */
  readonly stayAwake: () => () => void;
  readonly isOnline: Network['isOnline'];
}

/** What an attempt has led to. */
type End =
  | { readonly kind: 'result'; readonly value: Json }
  | { readonly kind: 'later'; readonly error: unknown; readonly pause: TaskPause }
  | {
      readonly kind: 'failure';
      readonly error: unknown;
      readonly isFinal?: boolean;
      readonly result?: QueueRecord['result'] | undefined;
    };

/** The part of a task's record that describes its pause. */
type TaskPause = Pick<QueueRecord, 'due' | 'wait' | 'endsOnline' | 'pausesService'>;

export type TaskAttempts = ReturnType<typeof createTaskAttempts>;

/** Makes attempts at tasks: `run` outside of a turn, and `done` or `failed` in one. @throws TypeError for two tasks with one name */
export function createTaskAttempts(
  { state, observe, log }: CallServer,
  queue: Queue,
  { tasks, version, stayAwake, isOnline }: TaskAttemptsOptions,
) {
  const byName = new Map(tasks.map((task) => [task.name, task]));
  const hidden = tasks.find((task) => byName.get(task.name) !== task);
  if (hidden !== undefined) throw new TypeError(`Two tasks have the name "${hidden.name}".`);
  const change = createChange(queue, state, log);

  /** Returns the task of a record with its data, or `undefined` if the record does not fit this version. */
  async function parse({ record }: Entry) {
    const task = byName.get(record.name);
    const parsed = task && (await parseData(task, record.data));
    return task && parsed && { task, data: parsed.data };
  }

  /** Moves a task that does not fit this version to the quarantine. A task of a newer version waits for that version. */
  async function onStrange(entry: Entry): Promise<void> {
    const { name, version: from } = entry.record;
    if (isNewer(from, version)) {
      entry.isHeld = true;
      await change(entry, async () => ({ ...entry.record, deaths: 0 }));
      return;
    }
    const problem = `The task "${name}" does not fit this version of the extension.`;
    log(new Error(`${problem} Its text is in the quarantine.`));
    await change(entry, async (turn) => quarantine(turn, entry));
  }

  /** Lets `failed` change state, and removes the record in the same write. If `failed` fails, the quarantine gets the record. */
  async function giveUp(entry: Entry, task: Task<never>, data: unknown, error: unknown): Promise<void> {
    const { tries, deaths } = entry.record;
    const attempts = Math.max(tries + 1, deaths);
    log(new Error(`The task "${task.name}" was given up after ${attempts} attempts.`, { cause: error }));
    let failure: unknown;
    const toNext: Change = async (turn) => {
      failure ??= await runHandler(turn, task, 'failed', { data, error });
      return failure === undefined ? null : quarantine(turn, entry);
    };
    await change(entry, toNext, (refusal) => (failure = refusal));
    if (failure !== undefined) log(failure);
  }

  return {
    /** Returns the task with a name. */
    find: (name: string): Task<never> | undefined => byName.get(name),

    /** Makes one attempt, and stores what becomes of the task. Calls `onPause` when the task pauses its service. */
    attempt: async (
      entry: Entry,
      controller: AbortController,
      onPause: (pause: Pause) => void,
    ): Promise<void> => {
      const { record } = entry;
      const parsed = await parse(entry);
      if (parsed === undefined) return onStrange(entry);
      const { task, data } = parsed;
      const attempts = record.tries + record.deaths + 1;
      const onEnd = observe({ caller: BACKGROUND.info, kind: 'task', name: task.name, attempts });
      const { result } = record;
      const given: End = result
        ? { kind: 'result', ...result }
        : await run(task, data, record, controller, { stayAwake, isOnline });
      // Other tasks wait from now on, whether this one is then stored, cancelled or given up.
      if (given.kind === 'later' && given.pause.pausesService) onPause(given.pause);
      const { end, isOver } = await settle(change, log, entry, { task, data, given });
      if (end === undefined) onEnd?.('ABORTED');
      else if (end.kind === 'failure') {
        onEnd?.('INTERNAL', log(new Error(`The task "${task.name}" has failed.`, { cause: end.error })));
      } else onEnd?.(end.kind === 'later' ? 'later' : 'value');
      return isOver && end?.kind === 'failure' ? giveUp(entry, task, data, end.error) : undefined;
    },

    /** Gives up a task that may be the reason why backgrounds have died. */
    condemn: async (entry: Entry): Promise<void> => {
      const parsed = await parse(entry);
      if (parsed === undefined) return onStrange(entry);
      return giveUp(entry, parsed.task, parsed.data, new Error('The background died in each attempt.'));
    },
  };
}

/**
 * Stores what becomes of a task after an attempt. Returns how it ended, or `undefined` if the task was cancelled, and whether it
 * must be given up.
 */
async function settle(
  change: ReturnType<typeof createChange>,
  log: (error: unknown) => void,
  entry: Entry,
  attempt: { readonly task: Task<never>; readonly data: unknown; readonly given: End },
) {
  const { task, data } = attempt;
  let end = attempt.given;
  let isOver = false;
  const toNext: Change = async (turn) => {
    const { record } = entry;
    if (end.kind === 'later') {
      if (!isOld(task, record)) return { ...record, ...end.pause, deaths: 0 };
      end = { kind: 'failure', error: end.error };
    }
    if (end.kind === 'result') {
      const result = { value: end.value };
      const error = await runHandler(turn, task, 'done', { data, result: result.value });
      if (error === undefined) return null;
      end = { kind: 'failure', error, result };
    }
    const next = end.isFinal ? undefined : afterFailure(task, record, end.result);
    isOver = next === undefined;
    return next;
  };
  const onRefused = (error: unknown): void => {
    if (end.kind === 'result') {
      end = { kind: 'failure', error, result: { value: end.value } };
      return;
    }
    log(error);
    // The result may be too large for the store. The next attempt runs again.
    if (end.kind === 'failure') end = { ...end, result: undefined };
  };
  const isOpen = await change(entry, toNext, onRefused);
  return { end: isOpen ? end : undefined, isOver };
}

/** Runs the work of a task, until it ends or the controller aborts it. */
async function run(
  task: Task<never>,
  data: unknown,
  { key, wait }: QueueRecord,
  controller: AbortController,
  { stayAwake, isOnline }: Pick<TaskAttemptsOptions, 'stayAwake' | 'isOnline'>,
): Promise<End> {
  const { run: work, timeout } = task;
  const { signal } = controller;
  const release = stayAwake();
  const onTimeout = (): void => controller.abort(new Error(`It did not end within ${timeout} ms.`));
  const timer = setTimeout(onTimeout, timeout);
  try {
    const context: object = { data, key, signal };
    const result = await untilAborted(signal, () => (work as (context: object) => unknown)(context));
    return { kind: 'result', value: result === undefined ? null : copyJson(result) };
  } catch (error) {
    if (isA(RunLater, error)) {
      return { kind: 'later', error, pause: pauseOf(task, error.wait, false, error.pausesService) };
    }
    if (isA(GiveUp, error)) return { kind: 'failure', error, isFinal: true };
    if (isOnline()) return { kind: 'failure', error };
    return { kind: 'later', error, pause: pauseOf(task, pauseOffline(wait), true) };
  } finally {
    clearTimeout(timer);
    release();
  }
}

/** Returns the data of a task, or `undefined` if it does not fit the schema. */
async function parseData({ data: schema }: Task<never>, data: unknown) {
  try {
    const parsed = await schema['~standard'].validate(data);
    return parsed.issues === undefined ? { data: parsed.value } : undefined;
  } catch {
    return undefined;
  }
}

/** Returns the record after a failed attempt, or `undefined` if it was the last one. */
function afterFailure(
  task: Task<never>,
  record: QueueRecord,
  result: QueueRecord['result'],
): QueueRecord | undefined {
  const tries = record.tries + 1;
  if (tries >= task.attempts || isOld(task, record)) return undefined;
  const wait = typeof task.pause === 'function' ? task.pause(tries) : task.pause;
  return { ...record, ...pauseOf(task, wait, true), tries, deaths: 0, result };
}

/** Returns a pause that lasts no longer than the age of the task. */
const pauseOf = (
  { age }: Task<never>,
  wait: number,
  endsOnline: boolean,
  pausesService = false,
): TaskPause => ({ ...pauseFor(Math.min(wait, age)), endsOnline, pausesService });

/** Runs `done` or `failed`. Its changes join the turn, unless it fails or takes too long. */
async function runHandler(
  { signal, open }: Turn,
  task: Task<never>,
  handler: 'done' | 'failed',
  given: object,
): Promise<Error | undefined> {
  const { state, merge, close } = open();
  try {
    await untilAborted(signal, async () => {
      await (task[handler] as (context: object) => unknown)({ ...given, state });
      await merge(signal);
    });
    return undefined;
  } catch (cause) {
    return new Error(`\`${handler}\` of the task "${task.name}" has failed.`, { cause });
  } finally {
    close();
  }
}

/** Stages the changes that come with an attempt, and returns the next record: `null` removes it, `undefined` changes nothing. */
type Change = (turn: Turn) => Promise<QueueRecord | null | void>;

/**
 * Returns a function that changes a task in one write, unless the task is gone. It tries again until the store works, and returns
 * `false` if the task is gone. It calls `onRefused` if the store works, but cannot store these changes.
 */
function createChange(queue: Queue, { inTurn }: State, log: (error: unknown) => void) {
  return async (entry: Entry, toNext: Change, onRefused = log): Promise<boolean> => {
    for (let failures = 1; ; failures += 1) {
      try {
        return await inTurn(async (turn) => {
          if (!queue.entries.has(entry.key)) return false;
          const next = await toNext(turn);
          if (next === null) turn.changes.set(entry.key, { stored: null });
          else if (next !== undefined) turn.changes.set(entry.key, toChange(next));
          return true;
        });
      } catch (error) {
        const isRefused = error instanceof ProcedureError && error.report.code === 'NOT_STORED';
        (isRefused ? onRefused : log)(error);
      }
      await sleep(pauseOfStore(failures));
    }
  };
}

const isOld = ({ age }: Task<never>, { at }: QueueRecord): boolean => Math.abs(Date.now() - at) > age;

function isA<E extends Error>(type: new (...args: never) => E, error: unknown): error is E {
  try {
    return error instanceof type;
  } catch {
    // A revoked proxy was thrown.
    return false;
  }
}
