import type { Definition } from '../define/documents.ts';
import type { StateWatcher } from '../define/handler-state.ts';
import { endOnReturn } from '../wire/end-on-return.ts';
import { type Damage, grantDamage, inspect, QUARANTINE, readText } from './damage.ts';
import { PAUSE, PRUNED_AT, toPrune } from './journal.ts';
import type { Change, Changes, Memory } from './memory.ts';
import { PREPARED, withPreparation } from './prepare.ts';
import { MARK } from './queue-record.ts';
import { checkListed, createReader, type Reader } from './reader.ts';
import type { Store } from './store.ts';
import { readAll } from './stored.ts';
import type { TransactionContext } from './transaction.ts';
import { createTurns, type Turn } from './turn.ts';
import type { View } from './view.ts';
import { announce, type Watchable, watchChanges, watchDefinitions } from './watch.ts';

/** Keys that the first read of a background asks for. */
export const START_KEYS: readonly string[] = [MARK, PRUNED_AT, PREPARED];

export type State = ReturnType<typeof createState>;

/** The part of the queue that the state uses. */
interface Queue {
  readonly records: View['records'];
  /** Returns the key of a new record. */
  readonly nextKey: () => string;
  /** Prepares what each turn needs. The first call reads these keys as well. */
  readonly start: (keys: readonly string[]) => Promise<void>;
  /** Adds to the changes of a turn just before they are written. */
  readonly complete: (changes: Map<string, Change>) => void;
  /** Follows changes that were written. */
  readonly onWritten: (changes: Changes) => void;
}

interface StateOptions extends Omit<TransactionContext, 'nextKey' | 'memory'> {
  readonly store: Pick<Store, 'read' | 'list'>;
  readonly memory: Memory;
  readonly queue: Queue;
  /** Returns an id of the browser's session. */
  readonly session: () => Promise<string>;
  /** Called with errors that no caller gets. */
  readonly log: (error: unknown) => void;
}

/**
 * Creates the state of the handlers.
 *
 * ```
 *   mutation ─▶ turn ─▶ in the journal? ── yes ──────────────────────────────▶ recorded outcome
 *                             │ no
 *                             └─▶ handler ─▶ one write: staged state + entry ─▶ outcome
 * ```
 */
export function createState({ store, memory, queue, session, log, ...listed }: StateOptions) {
  checkUnique(listed.definitions);
  const changes = new EventTarget();
  /** Keys of values that could not be read, until they are replaced. */
  const unreadable = new Set<string>();
  let prunedAt = 0;

  const view: View = {
    readings: async (definition, keys) => {
      const readings = await memory.read(keys, (values) => readAll(definition, values));
      const { size } = unreadable;
      for (const [index, key] of keys.entries())
        if (readings[index]?.status === 'invalid') unreadable.add(key);
      if (unreadable.size > size) changes.dispatchEvent(new Event(QUARANTINE));
      return readings;
    },
    raw: memory.readRaw,
    list: memory.list,
    records: queue.records,
  };
  const turns = createTurns({
    memory,
    view,
    context: { ...listed, memory, nextKey: queue.nextKey },
    start: queue.start,
    complete: queue.complete,
    onWritten: (written, hasFailed) => {
      if (!hasFailed) queue.onWritten(written);
      const keys = [...written.keys()];
      announce(changes, keys);
      // Each key is removed from the set.
      if (keys.filter((key) => unreadable.delete(key)).length > 0)
        changes.dispatchEvent(new Event(QUARANTINE));
      if (!hasFailed) pruneSometimes();
    },
  });
  const { inTurn, view: prepared } = withPreparation(listed.definitions, {
    inTurn: turns,
    view,
    store,
    session,
    log,
  });
  const reader: Reader = createReader(prepared, listed);
  const damaged = { ...listed, memory, view: prepared };
  const damage: Damage = { inspect: () => inspect(damaged), readText: (id) => readText(damaged, id) };
  grantDamage(reader, damage);

  function pruneSometimes(): void {
    if (Math.abs(Date.now() - prunedAt) < PAUSE) return;
    prunedAt = Date.now();
    const prune = async (turn: Turn): Promise<void> => {
      for (const [key, change] of await toPrune(turn.view)) turn.changes.set(key, change);
    };
    inTurn(prune).catch(log);
  }

  return {
    reader,
    inTurn,

    /** Creates the state of a subscription, whose generators end when the signal is aborted. */
    createWatcher: (signal: AbortSignal): StateWatcher => {
      const watch = (...definitions: readonly Watchable[]): AsyncGenerator<unknown, void> =>
        endOnReturn(signal, async function* (either) {
          for await (const values of watchDefinitions(changes, reader, definitions, either)) {
            yield definitions.length === 1 ? values[0] : values;
          }
        });
      const state: StateWatcher = {
        ...reader,
        watch: ((...definitions: readonly Watchable[]) => {
          for (const definition of definitions) checkListed(listed, definition);
          return watch(...definitions);
        }) as StateWatcher['watch'],
      };
      // Changes of records are events with other names. They are ignored, because each would cause another look at all
      // documents.
      const names = [...listed.definitions.map(({ key }) => key), PRUNED_AT, QUARANTINE];
      grantDamage(state, {
        ...damage,
        watch: () => watchChanges(changes, names, signal, damage.inspect),
      });
      return state;
    },
  };
}

/** @throws TypeError if two definitions have the same key */
function checkUnique(definitions: readonly Definition<unknown>[]): void {
  const keys = definitions.map(({ key }) => key);
  const duplicate = keys.find((key, index) => keys.indexOf(key) !== index);
  if (duplicate !== undefined)
    throw new TypeError(`Two documents or collections have the key "${duplicate}".`);
}
