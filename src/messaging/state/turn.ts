import { untilAborted } from '../deadline.ts';
import { ProcedureError } from '../errors.ts';
import type { Json } from '../json.ts';
import { toMakeRoom } from './journal.ts';
import type { Preparation } from './preparation.ts';
import type { Entries, ReliableStore } from './store.ts';
import { type Base, openTransaction, type StateContext, withChanges } from './transaction.ts';

/**
 * Milliseconds after which handlers, reads and asynchronous schemas that have the lock are aborted. A write keeps the lock. The
 * limit is half of the default timeout of a call, so that one hung handler leaves the others half of their time.
 */
const LOCK_LIMIT = 5_000;

/** The work that is done while the lock is held once. Its reads include its changes, and end in `TIMEOUT` after `LOCK_LIMIT`. */
export interface Turn extends Base {
  /** Aborted with `TIMEOUT` after `LOCK_LIMIT`. */
  readonly signal: AbortSignal;
  /** Adds changes that need no validation. */
  readonly stage: (entries: Entries) => void;
  /** Opens a transaction for one handler. `merge` adds its validated changes to the turn, unless the signal is aborted. */
  readonly open: () => Omit<ReturnType<typeof openTransaction>, 'validate' | 'getMany'> & {
    readonly merge: (signal: AbortSignal) => Promise<void>;
  };
}

/**
 * Waits for the lock, and runs `work`. Then writes all changes of the turn, or none. The lock is kept until the write has
 * ended, even after `LOCK_LIMIT`.
 *
 * @throws ProcedureError `NOT_READ` if the lock is refused, `NOT_STORED`, or `IN_DOUBT` if it is unknown whether the write took
 * place
 */
export type InTurn = <T>(work: (turn: Turn) => Promise<T>) => Promise<T>;

interface Parts {
  readonly store: ReliableStore;
  readonly preparation: Preparation;
  readonly context: StateContext;
  /** Called after a write. If it is unknown whether the write took place, `isKnown` is `false`. */
  readonly onWritten: (entries: Entries, isKnown: boolean) => void;
}

export function createTurns({ store, preparation, context, onWritten }: Parts): InTurn {
  async function write(entries: Entries, stored: Base): Promise<void> {
    const isWritten = async (): Promise<boolean> => {
      const found = await store.read(Object.keys(entries));
      return Object.entries(entries).every(([key, value]) => toText(found[key]) === toText(value));
    };
    const makeRoom = async (): Promise<void> => {
      const removed = await toMakeRoom(stored);
      if (Object.keys(removed).length > 0) await store.write(removed, async () => false);
    };
    try {
      await store.write(entries, isWritten, makeRoom);
    } catch (error) {
      if ((error as ProcedureError).report.code !== 'NOT_STORED') onWritten(entries, false);
      throw error;
    }
    onWritten(entries, true);
  }

  return async (work) => {
    const release = await store.lock();
    const limit = new AbortController();
    const { signal } = limit;
    const timer = setTimeout(() => limit.abort(new ProcedureError({ code: 'TIMEOUT' })), LOCK_LIMIT);
    const changes = new Map<string, Json | null>();
    const stage = (entries: Entries): void => {
      for (const [key, value] of Object.entries(entries)) changes.set(key, value);
    };
    const stored: Base = {
      read: (keys) => untilAborted(signal, () => store.read(keys)),
      list: (prefix) => untilAborted(signal, () => store.list(prefix)),
    };
    const current = withChanges(stored, changes);
    const { prepareFor, complete, onEnd } = preparation.startTurn(current, stage, signal);
    const base: Base = {
      read: (keys) => prepareFor(keys).then(() => current.read(keys)),
      list: (prefix) => prepareFor([prefix]).then(() => current.list(prefix)),
    };
    const turn: Turn = {
      ...base,
      signal,
      stage,
      open: () => {
        const { state, validate, close } = openTransaction(base, context);
        const merge = async (mergeSignal: AbortSignal): Promise<void> => {
          const validated = await validate();
          mergeSignal.throwIfAborted();
          stage(validated);
        };
        return { state, close, merge };
      },
    };
    try {
      const result = await work(turn);
      const entries = changes.size === 0 ? {} : complete(Object.fromEntries(changes));
      if (changes.size > 0) await write(entries, stored);
      onEnd(entries);
      return result;
    } finally {
      clearTimeout(timer);
      release();
    }
  };
}

/** Returns text that is equal for equal values. Chromium sorts the members of stored objects. */
function toText(value: unknown): string {
  const sorted = (_key: string, part: unknown): unknown =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(
          Object.keys(part)
            .toSorted()
            .map((name) => [name, (part as Readonly<Record<string, unknown>>)[name]]),
        )
      : part;
  return JSON.stringify(value ?? null, sorted);
}
