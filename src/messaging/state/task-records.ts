import { copyJson, type Json } from '../json.ts';
import { checkFits } from './documents.ts';
import type { Task, TaskItem } from './tasks.ts';
import type { Base, StageChecked, StateContext, StateWriter } from './transaction.ts';

/** Keys of open tasks are `queue/task/<id>`. */
export const TASK = 'queue/task/';

/**
 * Key of the id of the newest task. It is removed when all tasks are done. If it is missing, a starting background does not
 * list tasks.
 */
export const NEWEST_TASK = 'queue/tasks';

/** An open task, as it is stored. */
export interface TaskRecord {
  readonly task: string;
  readonly data: Json;
  /** Time from which its age counts, in ms since 1970: the end of its delay. */
  readonly at: number;
  /** Version of the extension that enqueued it. */
  readonly version: string;
  /** Number of attempts that have failed or that a background has not survived. */
  readonly tries: number;
  /** Time of the next attempt in ms since 1970, and the pause in ms that led to it. */
  readonly due: number;
  readonly wait: number;
  /** The background that may be running the task, or `NO_OWNER`. Another one counts that attempt before it runs the task. */
  readonly owner: string;
  /** The result of `run`. It is stored if `done` then failed, so that `run` is not repeated. */
  readonly result?: { readonly value: Json } | undefined;
}

/** The owner of a task that waits for its next attempt. */
export const NO_OWNER = '';

/** Number of tasks that this background has enqueued. It makes their ids unique. */
let enqueued = 0;

/**
 * Opens the tasks of a transaction.
 *
 * @param base the stored values with the changes of the transaction
 * @param stagedAt returns the staged value of a key, if there is one
 * @param stage adds a change to the transaction
 */
export function openTasks(
  { read, list }: Base,
  { tasks, version, owner }: StateContext,
  stagedAt: (key: string) => Json | undefined,
  stage: StageChecked,
) {
  async function listTasks(task: Task<never>): Promise<TaskItem<unknown>[]> {
    checkTask(tasks, task);
    const keys = await list(TASK);
    const stored = await read(keys);
    return keys.flatMap((key) => {
      const record = parseTask(stored[key]);
      if (record?.task !== task.name) return [];
      return [{ id: key.slice(TASK.length), data: record.data, tries: record.tries, due: record.due }];
    });
  }

  function enqueue(
    task: Task<never>,
    data: unknown,
    { delay = 0 }: { readonly delay?: number } = {},
  ): string {
    checkTask(tasks, task);
    if (!(Number.isFinite(delay) && delay >= 0))
      throw new TypeError('The delay of a task must be a number of milliseconds.');
    const now = Date.now();
    const copied = copyJson(data);
    enqueued += 1;
    // Sorted by id, tasks are in the order in which they were enqueued.
    const id = `${toDigits(now)}-${owner}-${toDigits(enqueued)}`;
    const key = TASK + id;
    const record: TaskRecord = {
      task: task.name,
      data: copied,
      at: now + delay,
      version,
      tries: 0,
      due: now + delay,
      wait: delay,
      owner: delay > 0 ? NO_OWNER : owner,
    };
    stage(key, toRecordText(record), {
      validate: () => checkFits(`the task "${task.name}"`, task.data, copied),
    });
    stage(NEWEST_TASK, id);
    return id;
  }

  function cancel(task: Task<never>, id: string): void {
    checkTask(tasks, task);
    const key = TASK + id;
    checkName(task.name, key, stagedAt(key));
    const compare = (stored: unknown) => {
      checkName(task.name, key, stored);
      return {};
    };
    stage(key, null, { compare });
  }

  return { listTasks, enqueue: enqueue as StateWriter['enqueue'], cancel };
}

/** @throws TypeError for a task that no feature lists */
function checkTask(tasks: readonly Task<never>[], task: Task<never>): void {
  if (tasks.includes(task)) return;
  throw new TypeError(`"${task.name}" must be among the \`tasks\` of a feature.`);
}

/** @throws TypeError if a task with another name is stored under a key */
function checkName(name: string, key: string, stored: unknown): void {
  const record = parseTask(stored);
  if (record === undefined || record.task === name) return;
  throw new TypeError(`The task "${key.slice(TASK.length)}" is not a "${name}".`);
}

/** Returns a number as text that sorts like the number. */
export const toDigits = (number: number): string => String(number).padStart(15, '0');

/** Records are stored as text. Firefox may lose an object if the background dies soon after the write. */
export const toRecordText = (record: object): string => JSON.stringify(record);

/** Returns the stored record of a task, or `undefined` if it is not one. */
export function parseTask(stored: unknown): TaskRecord | undefined {
  const record = Object(parseText(stored)) as Readonly<Record<string, unknown>>;
  const isTask =
    ['task', 'version', 'owner'].every((name) => typeof record[name] === 'string') &&
    ['at', 'tries', 'due', 'wait'].every((name) => Number.isFinite(record[name])) &&
    'data' in record &&
    (record['result'] === undefined || Object.hasOwn(Object(record['result']) as object, 'value'));
  return isTask ? (record as unknown as TaskRecord) : undefined;
}

/** Parses JSON text. Returns `undefined` for anything else. */
export function parseText(stored: unknown): unknown {
  try {
    return typeof stored === 'string' ? JSON.parse(stored) : undefined;
  } catch {
    return undefined;
  }
}
