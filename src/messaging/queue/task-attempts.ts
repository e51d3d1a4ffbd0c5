import { BACKGROUND } from '../callers.ts';
import { sleep, untilAborted } from '../deadline.ts';
import { RunLater, type Task } from '../define/tasks.ts';
import { ProcedureError } from '../errors.ts';
import { copyJson, type Json } from '../json.ts';
import type { CallServer } from '../server/call.ts';
import { quarantineText } from '../state/damage.ts';
import { stage, type Turn } from '../state/turn.ts';
import { type Queue, toChange } from './queue.ts';
import { type QueueRecord, toText } from './record.ts';
import { isNewer, pauseFor, pauseOfStore } from './retry.ts';

interface AttemptOptions {
  readonly tasks: readonly Task<never>[];
  /** Version of the extension. */
  readonly version: string;
  /** Keeps the background awake until the returned function is called. */
  readonly stayAwake: () => () => void;
}

/** What an attempt has led to. */
type End =
  | { readonly kind: 'result'; readonly value: Json }
  | { readonly kind: 'later'; readonly error: RunLater }
  | { readonly kind: 'failure'; readonly error: unknown; readonly result?: QueueRecord['result'] };

/** Stages what becomes of the record of a task, and returns its next form, or `undefined` if it is gone. */
type Change = (turn: Turn, record: QueueRecord) => Promise<QueueRecord | undefined>;

export type TaskAttempts = ReturnType<typeof createTaskAttempts>;

/** Makes attempts at tasks: `run` outside of a turn, and `done` or `failed` in one. @throws TypeError for two tasks with one name */
export function createTaskAttempts(
  { state, observe, log }: CallServer,
  queue: Queue,
  { tasks, version, stayAwake }: AttemptOptions,
) {
  const byName = new Map(tasks.map((task) => [task.name, task]));
  const hidden = tasks.find((task) => byName.get(task.name) !== task);
  if (hidden !== undefined) throw new TypeError(`Two tasks have the name "${hidden.name}".`);

  /** Makes one attempt, and stores what becomes of the task. */
  async function attempt(key: string, controller: AbortController): Promise<void> {
    const { signal } = controller;
    const record = queue.open.get(key) as QueueRecord;
    const task = byName.get(record.name);
    const parsed = task && (await parseData(task, record));
    if (task === undefined || parsed === undefined) return onStrange(key, record);

    const { data } = parsed;
    const attempts = record.tries + record.deaths + 1;
    const onEnd = observe({ caller: BACKGROUND.info, kind: 'task', name: task.name, attempts });
    const given: End = record.result === undefined ? await run() : { kind: 'result', ...record.result };
    const { end, isOver } = await settle(key, task, data, given);
    if (end === undefined) onEnd?.('ABORTED');
    else if (end.kind === 'failure') onEnd?.('INTERNAL', logFailure(task, end.error));
    else onEnd?.(end.kind === 'later' ? 'later' : 'value');
    return isOver && end?.kind === 'failure' ? giveUp(key, task, data, end.error) : undefined;

    async function run(): Promise<End> {
      const { run: work, timeout } = task as Task<never>;
      const release = stayAwake();
      const onTimeout = (): void => controller.abort(new Error(`It did not end within ${timeout} ms.`));
      const timer = setTimeout(onTimeout, timeout);
      try {
        const context: object = { data, key: record.key, signal };
        const result = await untilAborted(signal, () => (work as (context: object) => unknown)(context));
        return { kind: 'result', value: result === undefined ? null : copyJson(result) };
      } catch (error) {
        return { kind: isRunLater(error) ? 'later' : 'failure', error } as End;
      } finally {
        clearTimeout(timer);
        release();
      }
    }
  }

  function logFailure({ name }: Task<never>, cause: unknown): string {
    return log(new Error(`The task "${name}" has failed.`, { cause }));
  }

  /** Returns the data of a task, or `undefined` if it does not fit the schema. */
  async function parseData({ data: schema }: Task<never>, { data }: QueueRecord) {
    try {
      const parsed = await schema['~standard'].validate(data);
      return parsed.issues === undefined ? { data: parsed.value } : undefined;
    } catch {
      return undefined;
    }
  }

  /** Moves a task that does not fit this version to the quarantine. A task of a newer version waits for that version. */
  async function onStrange(key: string, { name, version: from, deaths }: QueueRecord): Promise<void> {
    if (isNewer(from, version)) {
      queue.hold(key);
      if (deaths > 0) await change(key, async (_turn, record) => ({ ...record, deaths: 0 }));
      return;
    }
    const problem = `The task "${name}" does not fit this version of the extension.`;
    log(new Error(`${problem} Its text is in the quarantine.`));
    await change(key, quarantine);
  }

  /**
   * Stores what becomes of a task after an attempt. Returns how it ended, or `undefined` if the task was cancelled, and whether it
   * must be given up.
   */
  async function settle(key: string, task: Task<never>, data: unknown, given: End) {
    let end = given;
    let isOver = false;
    const toNext: Change = async (turn, record) => {
      if (end.kind === 'later') {
        const { error } = end;
        const wait = Math.min(error.wait, task.age);
        if (!isOld(task, record)) return { ...record, ...pauseFor(wait), deaths: 0, endsOnline: undefined };
        end = { kind: 'failure', error };
      }
      if (end.kind === 'result') {
        const result = { value: end.value };
        const error = await runHandler(turn, task, 'done', { data, result: result.value });
        if (error === undefined) return undefined;
        end = { kind: 'failure', error, result };
      }
      const next = afterFailure(task, record, end.result);
      isOver = next === undefined;
      return next ?? record;
    };
    const onRefused = (error: unknown): void => {
      if (end.kind === 'result') {
        end = { kind: 'failure', error, result: { value: end.value } };
        return;
      }
      log(error);
      // The result may be too large for the store. The next attempt runs again.
      if (end.kind === 'failure') end = { kind: 'failure', error: end.error };
    };
    const isOpen = await change(key, toNext, onRefused);
    return { end: isOpen ? end : undefined, isOver };
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
    return { ...record, ...pauseFor(Math.min(wait, task.age)), tries, deaths: 0, endsOnline: true, result };
  }

  /** Lets `failed` change state, and removes the record in the same write. If `failed` fails, the quarantine gets the record. */
  async function giveUp(key: string, task: Task<never>, data: unknown, error: unknown): Promise<void> {
    const { tries = 0, deaths = 0 } = queue.open.get(key) ?? {};
    const attempts = Math.max(tries + 1, deaths);
    log(new Error(`The task "${task.name}" was given up after ${attempts} attempts.`, { cause: error }));
    let failure: unknown;
    await change(
      key,
      async (turn, record) => {
        failure ??= await runHandler(turn, task, 'failed', { data, error });
        return failure === undefined ? undefined : quarantine(turn, record);
      },
      (refusal) => (failure = refusal),
    );
    if (failure !== undefined) log(failure);
  }

  async function quarantine(turn: Turn, record: QueueRecord): Promise<undefined> {
    stage(turn, quarantineText(record.name, toText(record)));
  }

  /** Runs `done` or `failed`. Its changes join the turn, unless it fails or takes too long. */
  async function runHandler(
    { signal, open }: Turn,
    task: Task<never>,
    handler: 'done' | 'failed',
    given: object,
  ): Promise<Error | undefined> {
    const { state: writer, merge, close } = open();
    try {
      await untilAborted(signal, async () => {
        await (task[handler] as (context: object) => unknown)({ ...given, state: writer });
        await merge(signal);
      });
      return undefined;
    } catch (cause) {
      return new Error(`\`${handler}\` of the task "${task.name}" has failed.`, { cause });
    } finally {
      close();
    }
  }

  /**
   * Changes the record of a task in one write, unless it is gone. Tries again until the store works.
   *
   * @param onRefused called if the store works, but cannot store these changes
   * @returns `false` if the task is gone
   */
  async function change(
    key: string,
    toNext: Change,
    onRefused: (error: unknown) => void = log,
  ): Promise<boolean> {
    for (let failures = 1; ; failures += 1) {
      try {
        return await state.inTurn(async (turn) => {
          const record = queue.open.get(key);
          if (record === undefined) return false;
          const next = await toNext(turn, record);
          if (next === undefined) turn.changes.set(key, { stored: null });
          else if (next !== record) turn.changes.set(key, toChange(next));
          return true;
        });
      } catch (error) {
        const isRefused = error instanceof ProcedureError && error.report.code === 'NOT_STORED';
        (isRefused ? onRefused : log)(error);
      }
      await sleep(pauseOfStore(failures));
    }
  }

  return {
    /** Returns the task with a name. */
    find: (name: string): Task<never> | undefined => byName.get(name),
    attempt,

    /** Gives up a task that may be the reason why backgrounds have died. */
    condemn: async (key: string): Promise<void> => {
      const record = queue.open.get(key) as QueueRecord;
      const task = byName.get(record.name);
      const parsed = task && (await parseData(task, record));
      if (task === undefined || parsed === undefined) return onStrange(key, record);
      return giveUp(key, task, parsed.data, new Error('The background died in each attempt.'));
    },
  };
}

const isOld = ({ age }: Task<never>, { at }: QueueRecord): boolean => Math.abs(Date.now() - at) > age;

function isRunLater(error: unknown): error is RunLater {
  try {
    return error instanceof RunLater;
  } catch {
    // A revoked proxy was thrown.
    return false;
  }
}
