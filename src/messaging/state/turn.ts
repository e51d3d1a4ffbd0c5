import { ProcedureError } from '../wire/errors.ts';
import { toMakeRoom } from './journal.ts';
import type { Memory } from './memory.ts';
import type { KeyChange, KeyChanges } from './store.ts';
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
  readonly changes: Map<string, KeyChange>;
  /** Opens a transaction for one handler. */
  readonly open: () => Transaction;
}

/**
 * Waits for all earlier turns, and runs `work`. Then writes all changes of the turn, or none.
 *
 * @throws ProcedureError `NOT_READ` or `NOT_STORED`
 */
export type InTurn = <T>(work: (turn: Turn) => Promise<T>) => Promise<T>;

/** The part of the queue that the state uses. */
export interface StateQueue {
  readonly jobs: View['jobs'];
  /** Returns the key of a new job. */
  readonly nextKey: () => string;
  /** Prepares what each turn needs. */
  readonly start: () => Promise<void>;
  /** Adds to the changes of a turn just before they are written. */
  readonly complete: (changes: Map<string, KeyChange>) => void;
  /** Follows changes that were written. */
  readonly onWritten: (changes: KeyChanges) => void;
}

interface TurnParts {
  readonly memory: Pick<Memory, 'write'>;
  readonly queue: Pick<StateQueue, 'start' | 'complete'>;
  /** The stored values. */
  readonly view: View;
  /** Returns the changes that prepare the stored values, until a turn has written them. */
  readonly prepare: () => Promise<KeyChanges>;
  readonly context: TransactionContext;
  /** Called after a write. */
  readonly onWritten: (changes: KeyChanges) => void;
}

/** Creates the turns, in which the state changes one after the other. */
export function createTurns({ memory, queue, view, prepare, context, onWritten }: TurnParts): InTurn {
  let last: Promise<unknown> = Promise.resolve();

  async function run<T>(work: (turn: Turn) => Promise<T>): Promise<T> {
    const limit = new AbortController();
    const timer = setTimeout(() => limit.abort(new ProcedureError({ code: 'TIMEOUT' })), TURN_LIMIT);
    try {
      await queue.start();
      const changes = new Map(await prepare());
      const current = withChanges(view, changes);
      const open = () => openTransaction(current, changes, context);
      const result = await work({ signal: limit.signal, view: current, changes, open });
      await commit(changes);
      return result;
    } finally {
      clearTimeout(timer);
    }
  }

  async function commit(changes: Map<string, KeyChange>): Promise<void> {
    queue.complete(changes);
    if (changes.size === 0) return;
    await memory.write(changes).catch(() => makeRoom(changes));
    onWritten(changes);
  }

  /** Tries a refused write again, without the outcomes of earlier mutations. */
  async function makeRoom(changes: Map<string, KeyChange>): Promise<void> {
    for (const [key, change] of await toMakeRoom(view).catch(() => [])) {
      // The turn itself changes the entry of the client that has called.
      if (!changes.has(key)) changes.set(key, change);
    }
    queue.complete(changes);
    await memory.write(changes);
  }

  return (work) => {
    const turn = last.then(() => run(work));
    last = turn.catch(() => {});
    return turn;
  };
}
