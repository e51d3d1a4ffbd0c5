import { ProcedureError } from '../wire/errors.ts';
import { toMakeRoom } from './journal.ts';
import type { Change, Changes, Memory } from './memory.ts';
import type { Entries } from './store.ts';
import { openTransaction, type Transaction, type TransactionContext } from './transaction.ts';
import { type View, withChanges } from './view.ts';

/**
 * Milliseconds after which the handlers of a turn are aborted, with their reads and asynchronous schemas. A write continues. The
 * limit is half of the default timeout of a call, so that one hung handler leaves the others half of their time.
 */
const TURN_LIMIT = 5_000;

/** The work between two writes. */
export interface Turn {
  /** Aborted with `TIMEOUT` after `TURN_LIMIT`. */
  readonly signal: AbortSignal;
  /** The stored values, with the changes of this turn. */
  readonly view: View;
  /** The changes that will be written, by key. */
  readonly changes: Map<string, Change>;
  /** Opens a transaction for one handler. */
  readonly open: () => Transaction;
}

/**
 * Waits for all earlier turns, and runs `work`. Then writes all changes of the turn, or none.
 *
 * @param keys keys that the work reads first, so that a start of the background reads them together with its own
 * @throws ProcedureError `NOT_READ` or `NOT_STORED`
 */
export type InTurn = <T>(work: (turn: Turn) => Promise<T>, keys?: readonly string[]) => Promise<T>;

interface Parts {
  readonly memory: Pick<Memory, 'write'>;
  readonly view: View;
  readonly context: TransactionContext;
  /** Prepares what each turn needs. The first call reads these keys as well. */
  readonly start: (keys: readonly string[]) => Promise<void>;
  /** Adds changes just before they are written. */
  readonly complete: (changes: Map<string, Change>) => void;
  /** Called after a write, or after one that failed and changed nothing. */
  readonly onWritten: (changes: Changes, hasFailed: boolean) => void;
}

/** Creates the turns, in which the state changes one after the other. */
export function createTurns({ memory, view, context, start, complete, onWritten }: Parts): InTurn {
  let last: Promise<unknown> = Promise.resolve();

  async function run<T>(work: (turn: Turn) => Promise<T>, keys: readonly string[]): Promise<T> {
    const limit = new AbortController();
    const { signal } = limit;
    const timer = setTimeout(() => limit.abort(new ProcedureError({ code: 'TIMEOUT' })), TURN_LIMIT);
    const changes = new Map<string, Change>();
    try {
      await start(keys);
      const open = () => openTransaction(view, changes, context);
      const result = await work({ signal, view: withChanges(view, [changes]), changes, open });
      await commit(changes);
      return result;
    } finally {
      clearTimeout(timer);
    }
  }

  async function commit(changes: Map<string, Change>): Promise<void> {
    try {
      complete(changes);
      if (changes.size === 0) return;
      await memory.write(changes).catch(() => makeRoom(changes));
    } catch (error) {
      onWritten(changes, true);
      throw error;
    }
    onWritten(changes, false);
  }

  /** Tries a refused write again, without the outcomes of earlier mutations. */
  async function makeRoom(changes: Map<string, Change>): Promise<void> {
    for (const [key, change] of await toMakeRoom(view).catch(() => [])) {
      // The turn itself changes the entry of the client that has called.
      if (!changes.has(key)) changes.set(key, change);
    }
    complete(changes);
    await memory.write(changes);
  }

  return (work, keys = []) => {
    const turn = last.then(() => run(work, keys));
    last = turn.catch(() => {});
    return turn;
  };
}

/** Adds entries to the changes of a turn. Their values do not stay in memory. */
export function stage({ changes }: Pick<Turn, 'changes'>, entries: Entries): void {
  for (const [key, stored] of Object.entries(entries)) changes.set(key, { stored });
}
