import type { Task } from '../define/tasks.ts';
import type { Core } from '../server/call.ts';
import type { Turn } from '../state/turn.ts';
import { sleep, untilAborted } from '../wire/waiting.ts';
import { type JobEntry, probe } from './entry.ts';
import type { Queue } from './queue.ts';
import { isRefusal, pauseOfStore } from './retry.ts';

/** The result of a change of a task that was cancelled. */
export const CANCELLED = new Error('The task was cancelled.');

/** Stores what becomes of tasks, as soon as the store works. */
export function createTaskWrites({ state: { inTurn }, log }: Pick<Core, 'state' | 'log'>, queue: Queue) {
  /** Writes a task. Returns `false` if it was cancelled. */
  async function change(entry: JobEntry, make: (turn: Turn) => unknown): Promise<boolean> {
    for (let failures = 1; ; failures += 1) {
      try {
        return await inTurn(async (turn) => {
          const isOpen = queue.entries.has(entry.key);
          if (isOpen) make(turn);
          return isOpen;
        });
      } catch (error) {
        log(error);
      }
      await sleep(pauseOfStore(failures));
    }
  }

  /**
   * Runs `done` or `failed`, and removes the job in the same write. Returns the error of the handler, the error of a store that
   * refuses its changes, `CANCELLED`, or `undefined`.
   */
  async function finish(
    entry: JobEntry,
    task: Task<never>,
    handler: 'done' | 'failed',
    given: object,
  ): Promise<unknown> {
    for (let refusals = 0; ;) {
      try {
        return await inTurn(async (turn) => {
          if (!queue.entries.has(entry.key)) return CANCELLED;
          const error = await runHandler(turn, task, handler, given);
          if (error === undefined) turn.changes.set(entry.key, { stored: null });
          return error;
        });
      } catch (error) {
        if (!isRefusal(error)) log(error);
        else if (refusals > 0) return error;
        else refusals += 1;
      }
      await change(entry, (turn) => probe(turn, entry));
    }
  }

  return { change, finish };
}

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
