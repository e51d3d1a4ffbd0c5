import type { StandardSchemaV1 as Schema } from '@standard-schema/spec';

import { checkLimit } from './limits.ts';
import type { Frozen } from './frozen.ts';
import type { OnlyJson, SchemaOfJson } from '../wire/json.ts';
import type { StateWriter, TaskDefinition } from './handler-state.ts';

/** A task as the queue runs it. */
export interface Task<Data> extends TaskDefinition<Data>, Limits {
  readonly data: Schema;
  readonly run: (context: never) => unknown;
  readonly done: (context: never) => unknown;
  readonly failed: (context: never) => unknown;
}

/** Limits of the tasks with one name. */
interface Limits {
  /** Milliseconds after which one attempt counts as failed: 60,000 by default. The background stays awake that long. */
  readonly timeout: number;
  /** Number of failed attempts after which the task is given up. By default, only `age` ends it. */
  readonly attempts: number;
  /** Milliseconds after its delay. A task whose attempt fails or asks to run later after that is given up: 7 days by default. */
  readonly age: number;
  /**
   * Milliseconds between a failed attempt and the next one, or a function that returns them for the number of failed
   * attempts. By default 1 s, 4 s, 16 s and so on, up to an hour.
   */
  readonly pause: number | ((failed: number) => number);
  /** Most tasks that run at the same time: 4 by default. */
  readonly concurrency: number;
  /** Most tasks that start in a second. There is no limit by default. */
  readonly perSecond: number;
}

type Output<S> = S extends Schema ? Schema.InferOutput<S> : never;

interface RunContext<Data> {
  readonly data: Data;
  /** The same in every attempt. Send it to the service, so that it can recognize a request that was sent again. */
  readonly key: string;
  /** Aborted after `timeout`, and when the task is cancelled. */
  readonly signal: AbortSignal;
}

interface TaskDeclaration<S, Result> extends Partial<Limits> {
  /** 1 to 100 characters. It must never change. */
  readonly name: string;
  /** Validates the data when it is enqueued, and before each attempt. */
  readonly data: S & SchemaOfJson<S, 'input'>;
  /**
   * Does the work, at least once. It runs again if it throws, or if the background dies. It can throw `runLater` or
   * `giveUp`. Write it before `done`, because TypeScript infers the result from it.
   */
  readonly run: (
    context: RunContext<Output<S>>,
  ) => Promise<
    Result & (void extends Result ? unknown : OnlyJson<Result, 'The result of a task must be JSON.'>)
  >;
  /** Changes state, exactly once, in one write with the removal of the task. */
  readonly done?: (context: {
    readonly data: Output<S>;
    readonly result: Result;
    readonly state: StateWriter;
  }) => unknown;
  /** Changes state when the task is given up, in one write with its removal. */
  readonly failed?: (context: {
    readonly data: Output<S>;
    readonly error: unknown;
    readonly state: StateWriter;
  }) => unknown;
}

const [SECOND, HOUR, DAY] = [1_000, 60 * 60 * 1_000, 24 * 60 * 60 * 1_000] as const;

/** Milliseconds up to which a timer of the browser works. A longer one ends at once. */
const MAX_TIMER = 2 ** 31 - 1;

const DEFAULTS = {
  timeout: 60_000,
  attempts: Infinity,
  age: 7 * DAY,
  pause: pauseAfter,
  concurrency: 4,
  perSecond: Infinity,
  done: () => undefined,
  failed: () => undefined,
};

/** Returns the milliseconds to wait after so many failed attempts: 1 s, 4 s, 16 s and so on, at most one hour. */
export function pauseAfter(failed: number): number {
  return Math.min(SECOND * 4 ** (failed - 1), HOUR);
}

/** Declares a task. A feature lists it in `tasks`, and a mutation enqueues it. @throws TypeError for an invalid limit */
export function defineTask<S extends Schema, Result>(
  declaration: TaskDeclaration<S, Result>,
): Task<S extends Schema ? Frozen<Schema.InferInput<S>> : never> {
  const task = { ...DEFAULTS, ...declaration, kind: 'task' };
  if (task.name.length === 0 || task.name.length > 100) {
    throw new TypeError(`The name of a task must have 1 to 100 characters, not ${task.name.length}.`);
  }
  const check = (limit: Exclude<keyof Limits, 'pause'>, isWhole: boolean): void =>
    checkLimit(`\`${limit}\` of the task "${task.name}"`, task[limit], isWhole);
  for (const limit of ['timeout', 'age', 'perSecond'] as const) check(limit, false);
  for (const limit of ['attempts', 'concurrency'] as const) check(limit, true);
  if (typeof task.pause !== 'function') checkLimit(`\`pause\` of the task "${task.name}"`, task.pause, false);
  if (task.timeout > MAX_TIMER) throw new TypeError(`A task cannot have a timeout above ${MAX_TIMER} ms.`);
  return task as unknown as Task<S extends Schema ? Frozen<Schema.InferInput<S>> : never>;
}

/** An error that asks for another attempt after some time. The attempt does not count as failed. */
export class RunLater extends Error {
  override readonly name = 'RunLater';
  /** Milliseconds. */
  readonly wait: number;

  constructor(wait: number) {
    super(`The task asked to run again in ${wait} ms.`);
    this.wait = wait;
  }
}

/** Milliseconds before another attempt if a service does not say when. */
const UNKNOWN_WAIT = 60_000;

/**
 * Least milliseconds before another attempt. Otherwise a service that asks for no pause, or a clock that is ahead of the date of
 * a service, would cause attempts without end or pause.
 */
const LEAST_WAIT = 1_000;

/**
 * Returns an error for `run` to throw, so that the task runs again later and this attempt does not count:
 * `throw runLater(response.headers.get('Retry-After'))`.
 *
 * @param after milliseconds, or the value of the HTTP header `Retry-After`: seconds, or a date. It waits at least a second.
 */
export function runLater(after: number | string | null | undefined): RunLater {
  const wait = typeof after === 'number' ? after : waitOf(String(after));
  return new RunLater(Number.isFinite(wait) ? Math.max(wait, LEAST_WAIT) : UNKNOWN_WAIT);
}

/** An error of a task that can never succeed. */
export class GiveUp extends Error {
  override readonly name = 'GiveUp';
}

/**
 * Returns an error for `run` to throw, so that the task is given up without another attempt:
 * `throw giveUp('The service does not know this page.')`.
 *
 * @param reason the message of the error that `failed` gets
 */
export function giveUp(reason: string): GiveUp {
  return new GiveUp(reason);
}

/** Returns the milliseconds that a `Retry-After` header asks for, or NaN if it is not valid. */
function waitOf(header: string): number {
  return /^\s*\d+\s*$/u.test(header) ? Number(header) * 1_000 : Date.parse(header) - Date.now();
}
