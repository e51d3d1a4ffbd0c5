import type { StateWatcher, Watchable } from '../define/handler-state.ts';
import { indexByName } from '../define/limits.ts';
import { endOnReturn } from '../wire/waiting.ts';
import { createDamage, grantDamage, QUARANTINE } from './damage.ts';
import { entryKey, type MutationIdentity, PRUNED_AT, PRUNING_PAUSE, toPrune } from './journal.ts';
import type { Memory } from './memory.ts';
import { createPreparation, PREPARED } from './prepare.ts';
import { MARK } from './job.ts';
import { checkListed, createReader, type Listed, type Reader } from './reader.ts';
import type { Store } from './store.ts';
import { parseValues } from './stored.ts';
import { createTurns, type StateQueue } from './turn.ts';
import type { View } from './view.ts';
import { announce, watchChanges, watchDefinitions } from './watch.ts';

/** Keys that a start reads together: the mark of the queue, which is first, and those of the state. */
export const START_KEYS: readonly string[] = [MARK, PRUNED_AT, PREPARED];

export type State = ReturnType<typeof createState>;

interface StateOptions extends Listed {
  readonly store: Pick<Store, 'read' | 'list'>;
  readonly memory: Memory;
  readonly queue: StateQueue;
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
  const { definitions } = listed;
  indexByName(
    'documents or collections have the key',
    definitions.map((definition) => [definition.key, definition]),
  );
  const events = new EventTarget();
  /** Keys of values that could not be read, until they are replaced. */
  const unreadable = new Set<string>();
  /** Time of the last look at the journal, to prune it. */
  let lookedAt = 0;
  let isPrefetched = false;

  const stored: View = {
    readings: async (definition, keys) => {
      const readings = await memory.read(keys, (values) => parseValues(definition, values));
      const { size } = unreadable;
      for (const [index, key] of keys.entries())
        if (readings[index]?.status === 'unreadable') unreadable.add(key);
      if (unreadable.size > size) events.dispatchEvent(new Event(QUARANTINE));
      return readings;
    },
    raw: memory.readRaw,
    list: memory.list,
    jobs: queue.jobs,
  };
  const preparation = createPreparation(definitions, { view: stored, store, session, log }, () => {
    inTurn(async () => {}).catch(log);
  });
  const inTurn = createTurns({
    memory,
    queue,
    view: stored,
    prepare: preparation.changes,
    context: { ...listed, unreadable, nextKey: queue.nextKey },
    onWritten: (changes) => {
      queue.onWritten(changes);
      preparation.onWritten();
      announce(events, changes.keys());
      const { size } = unreadable;
      for (const key of changes.keys()) unreadable.delete(key);
      if (unreadable.size < size) events.dispatchEvent(new Event(QUARANTINE));
      pruneSometimes();
    },
  });
  const reader: Reader = createReader(preparation.view, listed);
  const damage = createDamage({ definitions, unreadable, view: preparation.view });
  grantDamage(reader, damage);

  /** The journal says when it was last pruned. Between two looks at it, nothing is read. */
  function pruneSometimes(): void {
    if (Math.abs(Date.now() - lookedAt) < PRUNING_PAUSE) return;
    lookedAt = Date.now();
    inTurn(async (turn) => {
      for (const [key, change] of await toPrune(turn.view)) turn.changes.set(key, change);
    }).catch(log);
  }

  return {
    reader,
    inTurn,

    /** Starts to read what the first mutation after a start needs, so that it needs one read for all of it. */
    prefetch: (identity: MutationIdentity): void => {
      if (isPrefetched) return;
      isPrefetched = true;
      memory.readRaw([...START_KEYS, entryKey(identity)]).catch(() => {});
    },

    /** Creates the state of a subscription, whose generators end when the signal is aborted. */
    createWatcher: (signal: AbortSignal): StateWatcher => {
      const watch = (...watched: readonly Watchable[]): AsyncGenerator<unknown, void> => {
        for (const definition of watched) checkListed(listed, definition);
        return endOnReturn(signal, (either) => watchDefinitions(events, reader, watched, either));
      };
      const state: StateWatcher = { ...reader, watch: watch as StateWatcher['watch'] };
      // Changes of records are events with other names. They are ignored, because each would cause another look at all
      // documents.
      const names = [...definitions.map(({ key }) => key), PRUNED_AT, QUARANTINE];
      grantDamage(state, {
        ...damage,
        watch: () => watchChanges(events, names, signal, damage.inspect),
      });
      return state;
    },
  };
}
