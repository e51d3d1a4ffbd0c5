import { BACKGROUND } from '../callers.ts';
import { sleep, untilAborted } from '../deadline.ts';
import { ProcedureError } from '../errors.ts';
import { copyJson, type Json } from '../json.ts';
import type { CallServer } from '../server/call.ts';
import { quarantineText, quarantineValue } from '../state/quarantine.ts';
import {
  NO_OWNER,
  parseTask,
  RunLater,
  TASK,
  type Task,
  type TaskRecord,
  toRecordText,
} from '../state/tasks.ts';
import type { Turn } from '../state/turn.ts';
import { createTimer, isNewer, pauseAfter, pauseFor, pauseOfStore, timeLeft } from './retry.ts';

interface TaskRunnerOptions {
  readonly tasks: readonly Task<never>[];
  readonly version: string;
  /** Identifies this background. */
  readonly owner: string;
  /** Called with the time at which the next task is due, in ms since 1970, or `Infinity`. */
  readonly wakeAt: (time: number) => void;
  /** Keeps the background awake until the returned function is called. */
  readonly stayAwake: () => () => void;
}

/** The part of an open task's record that is kept in memory. */
type Head = Pick<TaskRecord, 'task' | 'due' | 'wait'>;

/** Changes state in a turn, and returns the next record of a task, or `undefined` to remove it. */
type Change = (turn: Turn, record: TaskRecord) => Promise<TaskRecord | undefined>;

/** What `failed` gets. */
interface Failure {
  readonly data: unknown;
  readonly error: unknown;
}

/** An error of `done` or `failed`, as opposed to one of the store. */
class HandlerError extends Error {}

/** Returns `true` for an error of the store, unless only the changes of a handler cannot be stored. */
function isStoreBroken(error: unknown): boolean {
  return error instanceof ProcedureError && error.report.code !== 'NOT_STORED';
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
 */
export function createTaskRunner(
  { state, observe, log }: CallServer,
  { tasks, version, owner, wakeAt, stayAwake }: TaskRunnerOptions,
) {
  const byName = new Map(tasks.map((task) => [task.name, task]));
  /** Open tasks by id, in the order in which they run. */
  const open = new Map<string, Head>();
  const running = new Map<string, AbortController>();
  /** Time at which the next task of a name may start, in ms since 1970. */
  const nextStart = new Map<string, number>();
  const startAt = createTimer(() => startDue());

  state.onChange('queue/', (name) => {
    const key = `queue/${name}`;
    if (key.startsWith(TASK)) void refresh(key.slice(TASK.length));
  });

  /** Reads a task after its record has changed. */
  async function refresh(id: string): Promise<void> {
    try {
      const record = await read(id);
      if (record === undefined) {
        open.delete(id);
        running.get(id)?.abort(new Error('The task was cancelled.'));
      } else open.set(id, record);
      startDue();
    } catch (error) {
      log(error);
      await sleep(pauseOfStore(1));
      await refresh(id);
    }
  }

  async function read(id: string): Promise<TaskRecord | undefined> {
    const key = TASK + id;
    const { [key]: stored } = await state.peek([key]);
    return parseTask(stored);
  }

  /** Lists the tasks that earlier backgrounds have left. */
  async function resume(failures = 0): Promise<void> {
    try {
      const keys = (await state.listAgain('queue/')).filter((key) => key.startsWith(TASK));
      const stored = await state.peek(keys);
      const damaged = keys.filter((key) => stored[key] !== undefined && parseTask(stored[key]) === undefined);
      if (damaged.length > 0) await setAsideDamaged(damaged);
      for (const key of keys) {
        const record = parseTask(stored[key]);
        if (record !== undefined) open.set(key.slice(TASK.length), record);
      }
      startDue();
    } catch (error) {
      log(error);
      await sleep(pauseOfStore(failures + 1));
      await resume(failures + 1);
    }
  }

  async function setAsideDamaged(keys: readonly string[]): Promise<void> {
    const turn = await state.takeTurn();
    try {
      const stored = await turn.read(keys);
      for (const key of keys) turn.stage({ [key]: null, ...quarantineValue('queue', stored[key]) });
      await turn.commit(keys[0] ?? '');
    } finally {
      turn.end();
    }
    log(new Error(`${keys.length} tasks could not be read. Their text is in the quarantine.`));
  }

  /** Starts each task that is due, within the limits of its kind, and sets the timer for the next one. */
  function startDue(): void {
    let next = Infinity;
    for (const [id, head] of open) {
      const task = byName.get(head.task);
      if (running.has(id)) continue;
      if (task === undefined) {
        void run(id);
        continue;
      }
      const now = Date.now();
      const gap = 1_000 / task.perSecond;
      const wait = Math.max(timeLeft(head), timeLeft({ due: nextStart.get(head.task) ?? 0, wait: gap }));
      if (wait > 0) next = Math.min(next, now + wait);
      else if (countRunning(head.task) < task.concurrency) {
        nextStart.set(head.task, now + gap);
        void run(id);
      }
    }
    startAt(next);
    wakeAt(next);
  }

  function countRunning(name: string): number {
    return [...running.keys()].filter((id) => open.get(id)?.task === name).length;
  }

  /** Makes one attempt at a task, and settles it. */
  async function run(id: string): Promise<void> {
    const controller = new AbortController();
    running.set(id, controller);
    try {
      const record = await read(id);
      if (record === undefined) open.delete(id);
      else await attempt(id, record, controller);
    } catch (error) {
      log(error);
      const head = open.get(id);
      if (head !== undefined) open.set(id, { ...head, ...pauseFor(pauseOfStore(1)) });
    } finally {
      running.delete(id);
      startDue();
    }
  }

  async function attempt(id: string, stored: TaskRecord, controller: AbortController): Promise<void> {
    const task = byName.get(stored.task);
    const parsed = task && (await parseData(task, stored));
    if (task === undefined || parsed === undefined) return setAside(id, stored);

    const record = await claim(id, stored);
    if (record === undefined) return undefined;
    const { data } = parsed;
    if (record.tries > task.attempts) {
      // One more than `attempts`, because the background may have died before the first attempt.
      const error = new Error('The background died in each attempt.');
      return giveUp(id, task, { data, error }, record.tries);
    }
    const attempts = record.tries + 1;
    const onEnd = observe({ caller: BACKGROUND.info, kind: 'task', name: task.name, attempts });
    let { result } = record;
    try {
      result ??= { value: await runOnce(task, id, data, controller) };
      await finish(id, task, data, result.value);
      onEnd?.('value');
    } catch (error) {
      if (!open.has(id)) return onEnd?.('ABORTED');
      onEnd?.('INTERNAL', log(error));
      await retryOrFail(id, task, { data, error }, result);
    }
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

  /** Counts the attempt of another background, which has not ended it. Returns the record, or `undefined` if it is gone. */
  async function claim(id: string, stored: TaskRecord): Promise<TaskRecord | undefined> {
    if (stored.owner === owner) return stored;
    return settle(id, async (_turn, record) => ({
      ...record,
      owner,
      tries: record.tries + Number(record.owner !== NO_OWNER),
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

  /** Carries out `done`, and removes the record in the same write. @throws an error of `done`, or of storing its changes */
  async function finish(id: string, task: Task<never>, data: unknown, result: Json): Promise<void> {
    const change: Change = async (turn) => runHandler(turn, task.done, { data, result });
    await settle(id, change, isStoreBroken);
  }

  /** Gives a task a pause, or gives it up. `result` is kept, so that only `done` is tried again. */
  async function retryOrFail(
    id: string,
    task: Task<never>,
    given: Failure,
    result: TaskRecord['result'],
  ): Promise<void> {
    const { error } = given;
    const isLater = error instanceof RunLater;
    const next = await settle(id, async (_turn, record) => {
      const tries = record.tries + (isLater ? 0 : 1);
      const pause = isLater ? pauseFor(error.wait) : pauseAfter(tries);
      return { ...record, ...pause, tries, owner: NO_OWNER, ...(result !== undefined && { result }) };
    });
    if (next === undefined) return;
    const isOld = Math.abs(Date.now() - next.at) > task.age;
    if (next.tries < task.attempts && !isOld) return;
    await giveUp(id, task, given, next.tries);
  }

  /** Lets `failed` change state, and removes the record in the same write. If `failed` fails, the quarantine gets the record. */
  async function giveUp(id: string, task: Task<never>, given: Failure, tries: number): Promise<void> {
    const cause = given.error;
    log(new Error(`The task "${task.name}" was given up after ${tries} attempts.`, { cause }));
    const change: Change = async (turn) => runHandler(turn, task.failed, given);
    await settle(id, change, isStoreBroken).catch((failure: unknown) => {
      log(failure);
      return settle(id, quarantine);
    });
  }

  const quarantine: Change = async (turn, record) => {
    turn.stage(quarantineText(record.task, toRecordText(record)));
    return undefined;
  };

  /** Runs `done` or `failed`. Its changes join the turn. @throws HandlerError if it fails or takes too long */
  async function runHandler(
    turn: Turn,
    handler: (context: never) => unknown,
    given: object,
  ): Promise<undefined> {
    const controller = new AbortController();
    const { signal } = controller;
    turn.onLimit(() => controller.abort(new ProcedureError({ code: 'TIMEOUT' })));
    const { state: writer, merge, close } = turn.open();
    try {
      await untilAborted(signal, async () => {
        await (handler as (context: object) => unknown)({ ...given, state: writer });
        await merge(signal);
      });
      return undefined;
    } catch (cause) {
      throw new HandlerError('A handler of the task failed.', { cause });
    } finally {
      close();
    }
  }

  /** Moves a task that does not fit this version to the quarantine. A task of a newer version waits for that version. */
  async function setAside(id: string, { task: name, version: from }: TaskRecord): Promise<void> {
    if (isNewer(from, version)) {
      open.delete(id);
      return;
    }
    log(
      new Error(
        `The task "${name}" does not fit this version of the extension. Its text is in the quarantine.`,
      ),
    );
    await settle(id, quarantine);
  }

  /**
   * Changes the record of a task in one write, unless it is gone. Tries again until the store works.
   *
   * @param isTemporary returns `false` for an error that another try would not change
   * @returns the new record, or `undefined` if the task is gone
   */
  async function settle(
    id: string,
    change: Change,
    isTemporary: (error: unknown) => boolean = () => true,
  ): Promise<TaskRecord | undefined> {
    for (let failures = 1; ; failures += 1) {
      try {
        return await settleOnce(id, change);
      } catch (error) {
        if (!isTemporary(error)) throw error;
        log(error);
      }
      await sleep(pauseOfStore(failures));
    }
  }

  async function settleOnce(id: string, change: Change): Promise<TaskRecord | undefined> {
    const key = TASK + id;
    const turn = await state.takeTurn();
    try {
      const record = parseTask((await turn.read([key]))[key]);
      const next = record && (await change(turn, record));
      if (record !== undefined) {
        turn.stage({ [key]: next === undefined ? null : toRecordText(next) });
        await turn.commit(key);
      }
      if (next === undefined) open.delete(id);
      else open.set(id, next);
      return next;
    } finally {
      turn.end();
    }
  }

  return { resume: () => void resume() };
}
