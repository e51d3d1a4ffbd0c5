import type { ErrorCode } from './call-error.ts';
import type { Abort } from './create-abort.ts';
import { copyJson } from './copy-json.ts';
import { followChanges } from './follow-changes.ts';
import { holdLock } from './hold-lock.ts';
import type { HeldStore } from './hold-lock.ts';
import { pruneJournal, readSlot, SLOT_LIFE, slotEntry } from './journal.ts';
import type { MutationId } from './journal.ts';
import type { Json } from './json.ts';
import { measureJson } from './measure-json.ts';
import { Refusal } from './refusal.ts';
import type { Store } from './store.ts';

/** What a query sees of the state. */
export interface StateReader {
  readonly get: (key: string) => Promise<Json | undefined>;
}

/** What a subscription sees of the state. */
export interface StateWatcher extends StateReader {
  /** The value now and after every change; of several changes between two looks only the last. */
  readonly watch: (key: string) => AsyncGenerator<Json | undefined, void>;
}

/** What a mutation sees of the state: its own changes at once, everybody else's not before it is done. */
export interface Transaction extends StateReader {
  /**
   * Stages a change, which is written when the handler returns and forgotten when it throws.
   *
   * @throws TypeError when the value is not JSON
   */
  readonly set: (key: string, value: Json) => void;
}

export interface State extends StateReader {
  readonly watch: (key: string, signal: AbortSignal) => AsyncGenerator<Json | undefined, void>;
  /** Runs a mutation and records its outcome in one write, or answers with the outcome recorded before. */
  readonly transact: (
    mutation: MutationId,
    abort: Abort,
    run: (transaction: Transaction) => Promise<Json>,
  ) => Promise<Json>;
  /** Runs work of the worker's own as one write, or as none when it changes nothing. Mutations that come later wait. */
  readonly prepare: (run: (transaction: Transaction) => Promise<void>) => Promise<void>;
}

/**
 * The state behind the handlers, over a store that only this worker writes.
 *
 * @param log is told what went wrong in tidying up, which no caller waits for
 */
export function createState(store: Store, log: (error: unknown) => void): State {
  const changes = new EventTarget();
  const read = (key: string): Promise<Json | undefined> => store.read(key).catch(refuse('NOT_READ'));
  const lock: Store['lock'] = (work) => store.lock(work).catch(refuse('NOT_READ'));
  const underLock = holdLock({ ...store, read, lock });
  let prunedAt = -Infinity;

  /** Runs work and writes, all together, what it has staged and what its outcome adds, unless that is nothing. */
  async function asOneWrite<T>(
    held: HeldStore,
    work: (transaction: Transaction) => Promise<T>,
    entryOf: (outcome: T) => Readonly<Record<string, Json>> = () => ({}),
  ): Promise<T> {
    const staged = new Map<string, Json>();
    const outcome = await work(transactionOver(held, staged));
    const entries = { ...Object.fromEntries(staged), ...entryOf(outcome) };
    if (Object.keys(entries).length === 0) return outcome;

    const write = (): Promise<void> => held.write(entries);
    // It may be the journal that fills the disk.
    const retry = (): Promise<void> => pruneJournal(store).then(write);
    await write().catch(retry).catch(refuse('NOT_STORED'));
    for (const key of staged.keys()) changes.dispatchEvent(new Event(key));
    return outcome;
  }

  /** After a worker's first mutation and then as often as slots get old, so that it delays no answer. */
  function tidy(): void {
    if (Date.now() - prunedAt < SLOT_LIFE) return;
    prunedAt = Date.now();
    underLock(() => pruneJournal(store)).catch(log);
  }

  return {
    get: read,
    watch: (key, signal) => followChanges(changes, key, signal, () => read(key)),
    prepare: (run) => underLock((held) => asOneWrite(held, run)),
    transact: (mutation, abort, run) =>
      underLock(async (held) => {
        const slot = await readSlot(held, mutation.page);
        if (slot?.id === mutation.id && slot.name === mutation.name) return slot.outcome;
        // The page has moved on: whoever asked for this one has been told that its outcome is unknown.
        if (slot !== undefined && slot.id >= mutation.id) throw new Refusal({ code: 'ABORTED' });

        const work = (transaction: Transaction): Promise<Json> => abort.race(() => run(transaction));
        const outcome = await asOneWrite(held, work, (value) => slotEntry(mutation, value));
        tidy();
        return outcome;
      }),
  };
}

function refuse(code: ErrorCode): (cause: unknown) => Promise<never> {
  return (cause) => Promise.reject(new Refusal({ code }, { cause }));
}

function transactionOver(held: HeldStore, staged: Map<string, Json>): Transaction {
  return {
    get: async (key) => (staged.has(key) ? copyJson(staged.get(key)) : held.read(key)),
    set: (key, value) => {
      const size = measureJson(value);
      if (typeof size !== 'number')
        throw new TypeError(`State "${key}" holds ${size.found} at "${size.path}".`);
      staged.set(key, copyJson(value));
    },
  };
}
