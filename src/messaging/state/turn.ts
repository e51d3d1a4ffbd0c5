import { untilAborted } from '../deadline.ts';
import { ProcedureError } from '../errors.ts';
import type { Json } from '../json.ts';
import type { Journal, MutationIdentity } from './journal.ts';
import type { PreparedStore } from './preparation.ts';
import { type Entries, updateKeys } from './store.ts';
import { TASK, TASK_COUNT } from './tasks.ts';
import { openTransaction, type StateContext } from './transaction.ts';

/**
 * Milliseconds after which handlers, reads and asynchronous schemas lose the lock. It is half of the default timeout of a
 * call, so that one hung handler leaves the others half of their time.
 */
const LOCK_LIMIT = 5_000;

/** One possession of the lock. All its changes are written together, by `commit`, or not at all. */
export interface Turn {
  /** Reads stored values, including changes of this turn. @throws ProcedureError `NOT_READ`, or `TIMEOUT` after `LOCK_LIMIT` */
  readonly read: (keys: readonly string[]) => Promise<Readonly<Record<string, unknown>>>;
  /** Returns the recorded outcome of a mutation. See `createJournal`. */
  readonly find: (
    identity: MutationIdentity,
    hasOutput: boolean,
  ) => Promise<{ readonly outcome: Json | undefined } | undefined>;
  /** Records a mutation, with its outcome if it has one. */
  readonly record: (identity: MutationIdentity, outcome: Json | undefined) => void;
  /** Sets the listener that aborts the work of the turn. It is called when the turn has had the lock for `LOCK_LIMIT`. */
  readonly onLimit: (listener: () => void) => void;
  /** Opens a transaction for one handler. `merge` adds its validated changes to the turn, unless the signal is aborted. */
  readonly open: () => Omit<ReturnType<typeof openTransaction>, 'validate' | 'getMany'> & {
    readonly merge: (signal: AbortSignal) => Promise<void>;
  };
  /** Adds changes that need no validation. */
  readonly stage: (entries: Entries) => void;
  /**
   * Writes all changes. The lock is kept until the write has ended, even after `LOCK_LIMIT`.
   *
   * @param proof the key of a change of this turn. Its new value shows that the whole write took place.
   * @throws ProcedureError `NOT_STORED`, or `IN_DOUBT` if it is unknown whether the write took place
   */
  readonly commit: (proof: string) => Promise<void>;
  /** Releases the lock. */
  readonly end: () => void;
}

interface Parts {
  readonly store: PreparedStore;
  readonly context: StateContext;
  readonly journal: Journal;
  readonly write: (entries: Entries, isWritten: () => Promise<boolean>) => Promise<void>;
  readonly onCommit: () => void;
}

/**
 * Waits for the lock, and returns one turn. The caller must end it.
 *
 * @throws ProcedureError `NOT_READ` if the lock is refused
 */
export async function takeTurn({ store, context, journal, write, onCommit }: Parts): Promise<Turn> {
  const release = await store.lock();
  let onLimit = (): void => {};
  const limit = new AbortController();
  const timer = setTimeout(() => {
    limit.abort(new ProcedureError({ code: 'TIMEOUT' }));
    onLimit();
  }, LOCK_LIMIT);
  const changes = new Map<string, Json | null>();

  async function read(keys: readonly string[]): Promise<Readonly<Record<string, unknown>>> {
    const unchanged = keys.filter((key) => !changes.has(key));
    const changed = keys.filter((key) => (changes.get(key) ?? null) !== null);
    return {
      ...(await untilAborted(limit.signal, () => store.read(unchanged))),
      ...Object.fromEntries(changed.map((key) => [key, changes.get(key)])),
    };
  }

  async function list(prefix: string): Promise<readonly string[]> {
    const stored = await untilAborted(limit.signal, () => store.list(prefix));
    return updateKeys(stored, prefix, changes);
  }

  /** Updates the number of open tasks. If there are none, the next background need not list them. */
  async function countTasks(): Promise<void> {
    const keys = [...changes.keys()].filter((key) => key.startsWith(TASK));
    if (keys.length === 0) return;
    const stored = await store.read([TASK_COUNT, ...keys]);
    const count = Number(stored[TASK_COUNT] ?? 0);
    const difference = (key: string): number =>
      Number(changes.get(key) !== null) - Number(Object.hasOwn(stored, key));
    const next = keys.reduce((sum, key) => sum + difference(key), Number.isSafeInteger(count) ? count : 0);
    changes.set(TASK_COUNT, Math.max(next, 0) || null);
  }

  function stage(entries: Entries): void {
    for (const [key, value] of Object.entries(entries)) changes.set(key, value);
  }

  return {
    read,
    find: (identity, hasOutput) => journal.find(identity, hasOutput, read),
    record: (identity, outcome) => stage(journal.entryOf(identity, outcome)),
    onLimit: (listener) => void (onLimit = listener),
    open: () => {
      const { state, validate, close } = openTransaction({ read, list }, context);
      const merge = async (signal: AbortSignal): Promise<void> => {
        const validated = await validate();
        signal.throwIfAborted();
        stage(Object.fromEntries(validated));
      };
      return { state, close, merge };
    },
    stage,
    commit: async (proof) => {
      await countTasks();
      const expected = toProof(changes.get(proof));
      const isWritten = async (): Promise<boolean> =>
        toProof((await store.read([proof]))[proof]) === expected;
      await write(Object.fromEntries(changes), isWritten);
      onCommit();
    },
    end: () => {
      clearTimeout(timer);
      release();
    },
  };
}

/** Returns text that is equal for equal values. Chromium sorts the members of stored objects. */
function toProof(value: unknown): string {
  const sorted = (_key: string, part: unknown): unknown =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : part;
  return JSON.stringify(value ?? null, sorted);
}
