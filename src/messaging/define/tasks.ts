import type { StandardSchemaV1 as Schema } from '@standard-schema/spec';

import { checkLimit } from './limits.ts';
import type { Frozen } from './frozen.ts';
import type { OnlyJson, SchemaOfJson } from '../wire/json.ts';
import { LONGEST_TIMER } from '../wire/waiting.ts';
import { defineService, type Service } from './services.ts';
import type { StateWriter, TaskDefinition } from './handler-state.ts';

/** A task as the queue runs it. */
export interface Task<Data> extends TaskDefinition<Data>, Limits {
  readonly data: Schema;
  readonly service: Service;
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
  /** The service that the task uses. By default, each task has one of its own. */
  readonly service?: Service;
  /**
   * Does the work, at least once. It runs again if it throws, or if the background dies. It can throw `runLater`,
   * `pauseService` or `giveUp`. Write it before `done`, because TypeScript infers the result from it.
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

const DEFAULTS = {
  timeout: 60_000,
  attempts: Infinity,
  age: 7 * DAY,
  pause: pauseAfter,
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
  const task = { ...DEFAULTS, service: defineService(), ...declaration, kind: 'task' };
  if (task.name.length === 0 || task.name.length > 100) {
    throw new TypeError(`The name of a task must have 1 to 100 characters, not ${task.name.length}.`);
  }
  const check = (limit: keyof Limits, isWhole: boolean): void =>
    checkLimit(`\`${limit}\` of the task "${task.name}"`, task[limit], isWhole);
  check('timeout', false);
  check('attempts', true);
  check('age', false);
  if (typeof task.pause !== 'function') check('pause', false);
  if (task.timeout > LONGEST_TIMER)
    throw new TypeError(`A task cannot have a timeout above ${LONGEST_TIMER} ms.`);
  return task as unknown as Task<S extends Schema ? Frozen<Schema.InferInput<S>> : never>;
}
