import { ProcedureError } from '../wire/errors.ts';
import type { Json } from '../wire/json.ts';
import { sizeOfRaw } from './memory.ts';
import type { KeyChange, KeyedChange } from './store.ts';
import type { View } from './view.ts';

/** Identifies a mutation in all its attempts. */
export interface MutationIdentity {
  /** The page, whose ids increase, or the key of an event, whose id is always 1. */
  readonly source: string;
  readonly id: number;
  readonly name: string;
}

/** The last recorded mutation of one source. */
interface JournalEntry {
  readonly id: number;
  readonly name: string;
  /** The value that the mutation returned. A mutation without an output has none. */
  readonly outcome?: Json;
  /** Milliseconds since 1970. */
  readonly at: number;
}

const JOURNAL = 'journal/';

/** The key of the time at which the journal was last pruned, in ms since 1970. */
export const PRUNED_AT = 'journal';

/** Sources of events with a key begin with this. */
export const EVENT = 'background/';

const HOUR = 60 * 60 * 1_000;

/**
 * Milliseconds for which an entry of a page is kept. A page needs only one entry, because it sends a mutation only after the
 * previous one has settled. A mutation settles within ten minutes, so no page sends it again after an hour.
 */
const ENTRY_LIFE = HOUR;

/** Milliseconds for which keys of events are kept. */
const EVENT_LIFE = 7 * 24 * HOUR;

/**
 * Number of newest entries that are always kept. Old ones lose their outcomes. After a jump of the clock, an entry that is
 * still needed can look old.
 */
const KEPT = 100;

/** Milliseconds from one pruning to the next. */
export const PRUNING_PAUSE = HOUR;

/** Returns the key of the entry of a source. */
export const entryKey = ({ source }: MutationIdentity): string => JOURNAL + source;

/**
 * Returns the recorded outcome of a mutation, or `undefined` if it has not taken effect.
 *
 * @throws ProcedureError `ALREADY_MADE` if the outcome was dropped, or if its source has made a later mutation
 */
export async function findOutcome(
  view: View,
  identity: MutationIdentity,
  hasOutput: boolean,
): Promise<{ readonly outcome: Json | undefined } | undefined> {
  const { id, name } = identity;
  const [entry] = await view.raw([entryKey(identity)]);
  if (!isEntry(entry) || entry.id < id) return undefined;
  const isMade = entry.id === id && entry.name === name;
  if (isMade && (!hasOutput || entry.outcome !== undefined)) return { outcome: entry.outcome };
  throw new ProcedureError({ code: 'ALREADY_MADE' });
}

/** Returns the change that records a mutation, to write together with its effect. */
export function toEntry(identity: MutationIdentity, outcome?: Json): KeyedChange {
  const { id, name } = identity;
  const entry = { id, name, at: Date.now(), ...(outcome !== undefined && { outcome }) };
  return [entryKey(identity), toChange(entry)];
}

/** Returns the changes that remove old entries, at most once an hour. */
export async function toPrune(view: View): Promise<readonly KeyedChange[]> {
  const now = Date.now();
  const [prunedAt] = await view.raw([PRUNED_AT]);
  if (typeof prunedAt === 'number' && Math.abs(now - prunedAt) < PRUNING_PAUSE) return [];
  return [...toRemoveOld(await readEntries(view), now), [PRUNED_AT, { stored: now, value: now, size: 0 }]];
}

/** Returns the changes that remove old entries and all outcomes, to make room on a full disk. Few outcomes are still needed. */
export async function toMakeRoom(view: View): Promise<readonly KeyedChange[]> {
  const entries = await readEntries(view);
  const outcomes = entries.flatMap(([key, entry]): readonly KeyedChange[] =>
    entry?.outcome === undefined ? [] : [[key, withoutOutcome(entry)]],
  );
  return [...outcomes, ...toRemoveOld(entries, Date.now())];
}

type KeyedEntry = readonly [key: string, entry: JournalEntry | undefined];

function toRemoveOld(entries: readonly KeyedEntry[], now: number): readonly KeyedChange[] {
  const newestFirst = entries.toSorted(([, a], [, b]) => (b?.at ?? 0) - (a?.at ?? 0));
  return newestFirst.flatMap(([key, entry], index): readonly KeyedChange[] => {
    if (entry === undefined) return [[key, { stored: null }]];
    const life = key.startsWith(JOURNAL + EVENT) ? EVENT_LIFE : ENTRY_LIFE;
    // An entry from the future was made before the clock was set back.
    if (Math.abs(now - entry.at) < life) return [];
    if (index >= KEPT) return [[key, { stored: null }]];
    return entry.outcome === undefined ? [] : [[key, withoutOutcome(entry)]];
  });
}

async function readEntries(view: View): Promise<readonly KeyedEntry[]> {
  const keys = await view.list(JOURNAL);
  const entries = await view.raw(keys);
  return keys.map((key, index) => {
    const entry = entries[index];
    return [key, isEntry(entry) ? entry : undefined];
  });
}

const withoutOutcome = ({ id, name, at }: JournalEntry): KeyChange => toChange({ id, name, at });

/** Entries stay in memory, where the page's next mutation looks for its own. */
function toChange(entry: { readonly [key: string]: Json }): KeyChange {
  return { stored: entry, value: entry, size: sizeOfRaw(entry) };
}

function isEntry(value: unknown): value is JournalEntry {
  const { id, at } = Object(value) as Partial<Record<keyof JournalEntry, unknown>>;
  return typeof id === 'number' && typeof at === 'number';
}
