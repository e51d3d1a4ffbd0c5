import { BACKGROUND } from '../callers.ts';
import { sleep, untilAborted } from '../deadline.ts';
import { ProcedureError } from '../errors.ts';
import { copyJson, type Json } from '../json.ts';
import type { CallServer } from '../server/call.ts';
import { PRUNED_AT } from '../state/journal.ts';
import { quarantineText, quarantineValue } from '../state/quarantine.ts';
import {
  NEWEST_TASK,
  NO_OWNER,
  parseTask,
  TASK,
  type TaskRecord,
  toRecordText,
} from '../state/task-records.ts';
import { RunLater, type Task } from '../state/tasks.ts';
import type { Turn } from '../state/turn.ts';
import { NO_END } from './records.ts';
import { createTimer, isNewer, pauseAfter, pauseFor, pauseOfStore, timeLeft } from './retry.ts';

interface TaskRunnerOptions {
  readonly tasks: readonly Task<never>[];
  readonly version: string;
  /** Identifies this background. */
  readonly owner: string;
  /** Called with the time at which the background must run for the next task, in ms since 1970, or `Infinity`. */
  readonly wakeAt: (time: number) => void;
  /** Keeps the background awake until the returned function is called. */
  readonly stayAwake: () => () => void;
}

const MINUTE = 60_000;

/** Changes state in a turn, and returns the next record of a task, or `undefined` to remove it. */
type Change = (turn: Turn, record: TaskRecord) => TaskRecord | undefined | Promise<TaskRecord | undefined>;

/** The error of an attempt, or of a handler. */
interface Failure {
  readonly error: unknown;
}

/**
 * Runs the tasks that mutations have enqueued.
 *
 * ```
 *   enqueue ─▶ record ─▶ run ─┬─ result ─▶ done ─┬─ one write: changes of `done`, and the record is gone
 *                ▲            │                  └─ error ─▶ one write: the record keeps the result ───────┐
 *                │            ├─ error ─▶ one write: the record gets a pause ──────────────────────────────┤
 *                │            │           after its last attempt: changes of `failed`, and the record is gone│
 *                │            └─ the background dies ─▶ the next one counts the attempt ───────────────────┤
 *                └────────────────────────────────────────────────────────────────────────────────────────┘
 * ```
 *
 * @throws TypeError for two tasks with one name
 */
export function createTaskRunner(
  { state, observe, log }: CallServer,
  { tasks, version, owner, wakeAt, stayAwake }: TaskRunnerOptions,
) {
  const byName = new Map(tasks.map((task) => [task.name, task]));
  const hidden = tasks.find((task) => byName.get(task.name) !== task);
  if (hidden !== undefined) throw new TypeError(`Two tasks have the name "${hidden.name}".`);
  /** The records of open tasks by id, in the order in which they run. */
  const open = new Map<string, TaskRecord>();
  const running = new Map<string, AbortController>();
  /** The value of `NEWEST_TASK` that this background saw last. */
  let newest: unknown;
  /** `true` when `open` includes all tasks of earlier backgrounds. */
  let areListed = false;
  /** Time at which the next task of a name may start, in ms since 1970. */
  const nextStart = new Map<string, number>();
  const startAt = createTimer(() => startDue());
  // One write may change thousands of tasks.
  const startSoon = soon(() => startDue());
  const resumeSoon = soon(() => void resume());

  state.onChange('queue/', ({ id: name, value }) => {
    const key = `queue/${name}`;
    if (key === NEWEST_TASK) newest = value;
    if (key.startsWith(TASK)) onChange(key.slice(TASK.length), value);
  });
  // Another background that was alive together with this one may have left tasks, so look once an hour.
  state.onChange(PRUNED_AT, () => void resume());

  function onChange(id: string, value: unknown): void {
    // After a write in doubt, the value is unknown.
    if (value === undefined) return resumeSoon();
    const record = parseTask(value);
    if (record === undefined) forget(id);
    else open.set(id, record);
    return startSoon();
  }

  function forget(id: string): void {
    open.delete(id);
    running.get(id)?.abort(new Error('The task was cancelled.'));
  }

  /** Lists the tasks that earlier backgrounds have left, and forgets those that are gone. */
  async function resume(failures = 0): Promise<void> {
    try {
      await state.inTurn(async (turn) => {
        const listed = await untilAborted(turn.signal, () => state.listAgain('queue/'));
        const keys = listed.filter((key) => key.startsWith(TASK));
        const stored = await turn.read([NEWEST_TASK, ...keys]);
        newest = stored[NEWEST_TASK];
        if (keys.length === 0 && newest !== undefined) turn.stage({ [NEWEST_TASK]: null });
        for (const id of open.keys()) if (stored[TASK + id] === undefined) forget(id);
        for (const key of keys) {
          const record = parseTask(stored[key]);
          if (record !== undefined) open.set(key.slice(TASK.length), record);
          else if (stored[key] !== undefined) {
            log(new Error('A task could not be read. Its text is in the quarantine.'));
            turn.stage({ [key]: null, ...quarantineValue('queue', stored[key]) });
          }
        }
      });
      areListed = true;
      startDue();
    } catch (error) {
      log(error);
      await sleep(pauseOfStore(failures + 1));
      await resume(failures + 1);
    }
  }

  /** Starts each task that is due, within the limits of its kind, and sets the timer for the next one. */
  function startDue(): void {
    const now = Date.now();
    let startTime = Infinity;
    /** Names of which no further task may start until one has ended. */
    const full = new Set<string>();
    for (const [id, record] of open) {
      if (running.has(id) || full.has(record.task)) continue;
      const { perSecond = Infinity, concurrency = Infinity } = byName.get(record.task) ?? {};
      const gap = 1_000 / perSecond;
      const start = { due: nextStart.get(record.task) ?? 0, wait: gap };
      const wait = Math.max(timeLeft(record), timeLeft(start));
      if (wait > 0) startTime = Math.min(startTime, now + wait);
      else if (countRunning(record.task) < concurrency) {
        nextStart.set(record.task, now + gap);
        void run(id, record);
      } else full.add(record.task);
    }
    startAt(startTime);
    let wakeTime = startTime;
    // If the background dies during an attempt, the browser starts the next one soon after the attempt would have ended.
    for (const id of running.keys()) {
      const end = now + (byName.get(open.get(id)?.task ?? '')?.timeout ?? 0);
      // In whole minutes, so that the alarm is seldom set again.
      wakeTime = Math.min(wakeTime, Math.ceil(end / MINUTE) * MINUTE);
    }
    wakeAt(wakeTime);
  }

  function countRunning(name: string): number {
    return [...running.keys()].filter((id) => open.get(id)?.task === name).length;
  }

  /** Makes one attempt at a task, and settles it. */
  async function run(id: string, record: TaskRecord): Promise<void> {
    const controller = new AbortController();
    running.set(id, controller);
    await attempt(id, record, controller);
    running.delete(id);
    startDue();
  }

  async function attempt(id: string, stored: TaskRecord, controller: AbortController): Promise<void> {
    const task = byName.get(stored.task);
    if (task === undefined) return onStrange(id, stored);
    const parsed = await parseData(task, stored);
    if (parsed === undefined) return onStrange(id, stored);

    const record = await claim(id, stored);
    if (record === undefined) return undefined;
    const { data } = parsed;
    if (record.tries > task.attempts) {
      // One more than `attempts`, because a background may have died before its attempt began.
      const error = new Error('The background died in each attempt.');
      return giveUp(id, task, { data, error }, record.tries);
    }
    const attempts = record.tries + 1;
    const onEnd = observe({ caller: BACKGROUND.info, kind: 'task', name: task.name, attempts });
    let { result } = record;
    let failure: Failure | undefined;
    try {
      result ??= { value: await runOnce(task, id, data, controller) };
    } catch (error) {
      failure = { error };
    }
    const next = await changeRecord(
      id,
      async (turn, current) => {
        // A write in doubt has counted this failure already, or another background makes the next attempt.
        if (failure !== undefined && current.owner !== owner) return current;
        failure ??= await runHandler(turn, task, 'done', { data, result: result?.value });
        return failure && toRetried(current, failure.error, result, task);
      },
      (error) => {
        // If the store refuses the record too, the result may be too large for it, so the next attempt runs again.
        if (failure !== undefined) result = undefined;
        failure = { error };
      },
    );
    if (failure === undefined) return onEnd?.('value');
    if (next === undefined) return onEnd?.('ABORTED');
    const { error } = failure;
    onEnd?.('INTERNAL', log(new Error(`The task "${task.name}" has failed.`, { cause: error })));
    const isOld = Math.abs(Date.now() - next.at) > task.age;
    if (next.tries >= task.attempts || isOld) await giveUp(id, task, { data, error }, next.tries);
    return undefined;
  }

  /** Returns the data of a task, or `undefined` if it does not fit the schema. */
  async function parseData({ data: schema }: Task<never>, { data }: TaskRecord) {
    try {
      const parsed = await schema['~standard'].validate(data);
      return parsed.issues === undefined ? { data: parsed.value } : undefined;
    } catch {
      return undefined;
    }
  }

  /** Moves a task that does not fit this version to the quarantine. A task of a newer version waits for that version. */
  async function onStrange(id: string, stored: TaskRecord): Promise<void> {
    const { task: name, version: from } = stored;
    if (isNewer(from, version)) {
      // It stays open, so that `NEWEST_TASK` stays and the newer version finds it.
      if (open.has(id)) open.set(id, { ...stored, ...NO_END });
      return;
    }
    log(
      new Error(
        `The task "${name}" does not fit this version of the extension. Its text is in the quarantine.`,
      ),
    );
    await changeRecord(id, quarantine);
  }

  /**
   * Makes this background the owner of a task. If another one was, it did not end its attempt, which is counted. Returns the
   * record, or `undefined` if it is gone.
   */
  async function claim(id: string, stored: TaskRecord): Promise<TaskRecord | undefined> {
    if (stored.owner === owner) return stored;
    return changeRecord(id, (_turn, record) => ({
      ...record,
      owner,
      // An earlier write in doubt may have made this background the owner.
      tries: record.tries + Number(record.owner !== NO_OWNER && record.owner !== owner),
    }));
  }

  /** Runs a task up to its timeout. The background stays awake in that time. */
  async function runOnce(
    { run: work, timeout }: Task<never>,
    key: string,
    data: unknown,
    controller: AbortController,
  ): Promise<Json> {
    const { signal } = controller;
    const release = stayAwake();
    const onTimeout = (): void => controller.abort(new Error(`It did not end within ${timeout} ms.`));
    const timer = setTimeout(onTimeout, timeout);
    try {
      const context: object = { data, key, signal };
      const result = await untilAborted(signal, () => (work as (context: object) => unknown)(context));
      return result === undefined ? null : copyJson(result);
    } finally {
      clearTimeout(timer);
      release();
    }
  }

  /** Lets `failed` change state, and removes the record in the same write. If `failed` fails, the quarantine gets the record. */
  async function giveUp(
    id: string,
    task: Task<never>,
    given: Failure & { readonly data: unknown },
    tries: number,
  ): Promise<void> {
    const cause = given.error;
    log(new Error(`The task "${task.name}" was given up after ${tries} attempts.`, { cause }));
    let failure: Failure | undefined;
    const change: Change = async (turn, record) => {
      failure ??= await runHandler(turn, task, 'failed', given);
      return failure && quarantine(turn, record);
    };
    await changeRecord(id, change, (error) => (failure = { error }));
    if (failure !== undefined) log(failure.error);
  }

  function quarantine(turn: Turn, record: TaskRecord): undefined {
    turn.stage(quarantineText(record.task, toRecordText(record)));
  }

  /** Runs `done` or `failed`. Its changes join the turn, unless it fails or takes too long. */
  async function runHandler(
    { signal, open: openTransaction }: Turn,
    task: Task<never>,
    handler: 'done' | 'failed',
    given: object,
  ): Promise<Failure | undefined> {
    const { state: writer, merge, close } = openTransaction();
    try {
      await untilAborted(signal, async () => {
        await (task[handler] as (context: object) => unknown)({ ...given, state: writer });
        await merge(signal);
      });
      return undefined;
    } catch (cause) {
      return { error: new Error(`\`${handler}\` of the task "${task.name}" has failed.`, { cause }) };
    } finally {
      close();
    }
  }

  /**
   * Changes the record of a task in one write, unless it is gone. Tries again until the store works.
   *
   * @param onRefused called if the store works, but cannot store these changes
   * @returns the new record, or `undefined` if the task is gone
   */
  async function changeRecord(
    id: string,
    change: Change,
    onRefused: (error: unknown) => void = log,
  ): Promise<TaskRecord | undefined> {
    for (let failures = 1; ; failures += 1) {
      try {
        return await state.inTurn((turn) => changeIn(turn, id, change));
      } catch (error) {
        const isRefused = error instanceof ProcedureError && error.report.code === 'NOT_STORED';
        (isRefused ? onRefused : log)(error);
      }
      await sleep(pauseOfStore(failures));
    }
  }

  async function changeIn(turn: Turn, id: string, change: Change): Promise<TaskRecord | undefined> {
    const key = TASK + id;
    const record = parseTask((await turn.read([key]))[key]);
    if (record === undefined) {
      open.delete(id);
      return undefined;
    }
    const next = await change(turn, record);
    turn.stage({ [key]: next === undefined ? null : toRecordText(next) });
    // After the limit of the turn, nothing can be read any more.
    if (next !== undefined || turn.signal.aborted) return next;
    const isLast = areListed && open.size === Number(open.has(id));
    // The handler, or another background, may have enqueued one more.
    if (isLast && (await turn.read([NEWEST_TASK]))[NEWEST_TASK] === newest)
      turn.stage({ [NEWEST_TASK]: null });
    return undefined;
  }

  return {
    /** Starts with the tasks of earlier backgrounds, if there may be any. */
    resume: (hasTasks: boolean): void => {
      if (hasTasks) void resume();
      else areListed = true;
    },
  };
}

/**
 * Returns the record of a task after a failed attempt. `result` is kept, so that only `done` is tried again. A pause is not
 * longer than the age, so that no service can keep a task for years.
 */
function toRetried(
  record: TaskRecord,
  error: unknown,
  result: TaskRecord['result'],
  { age }: Task<never>,
): TaskRecord {
  const isLater = isRunLater(error);
  const tries = record.tries + (isLater ? 0 : 1);
  const pause = isLater ? pauseFor(Math.min(error.wait, age)) : pauseAfter(tries);
  return { ...record, ...pause, tries, owner: NO_OWNER, result };
}

/** Returns a function that calls `work` in the next microtask, once for all calls until then. */
function soon(work: () => void): () => void {
  let isScheduled = false;
  return () => {
    if (isScheduled) return;
    isScheduled = true;
    queueMicrotask(() => {
      isScheduled = false;
      work();
    });
  };
}

function isRunLater(error: unknown): error is RunLater {
  try {
    return error instanceof RunLater;
  } catch {
    // A revoked proxy was thrown.
    return false;
  }
}
