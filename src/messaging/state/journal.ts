import { ProcedureError } from '../errors.ts';
import type { Json } from '../json.ts';
import type { Entries } from './store.ts';
import type { Base } from './transaction.ts';

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
  /**
   * The value that the mutation returned. A mutation without an output has none.
   */
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
export const PAUSE = HOUR;

/**
 * Returns the recorded outcome of a mutation, or `undefined` if it has not taken effect.
 *
 * @throws ProcedureError `ALREADY_MADE` if the outcome was dropped, or if its source has made a later mutation
 */
export async function findOutcome(
  base: Base,
  { source, id, name }: MutationIdentity,
  hasOutput: boolean,
): Promise<{ readonly outcome: Json | undefined } | undefined> {
  const entry = await readEntry(base, source);
  if (entry === undefined || entry.id < id) return undefined;
  const isMade = entry.id === id && entry.name === name;
  if (isMade && (!hasOutput || entry.outcome !== undefined)) return { outcome: entry.outcome };
  throw new ProcedureError({ code: 'ALREADY_MADE' });
}

/** Returns the change that records a mutation, to write together with its effect. */
export function toRecord({ source, id, name }: MutationIdentity, outcome?: Json): Entries {
  return { [JOURNAL + source]: { id, name, at: Date.now(), ...(outcome !== undefined && { outcome }) } };
}

/** Returns the changes that remove old entries, at most once an hour. */
export async function toPrune(base: Base): Promise<Entries> {
  const now = Date.now();
  const { [PRUNED_AT]: prunedAt } = await base.read([PRUNED_AT]);
  if (Math.abs(now - Number(prunedAt)) < PAUSE) return {};
  return { ...(await toRemoveOld(base, now)), [PRUNED_AT]: now };
}

async function toRemoveOld(base: Base, now: number): Promise<Entries> {
  const all = (await readAll(base)).toSorted(([, a], [, b]) => (b?.at ?? 0) - (a?.at ?? 0));
  const changes = all.flatMap(([key, entry], index): (readonly [string, Json])[] => {
    if (entry === undefined) return [[key, null]];
    const life = key.startsWith(JOURNAL + EVENT) ? EVENT_LIFE : ENTRY_LIFE;
    // An entry from the future was made before the clock was set back.
    if (Math.abs(now - entry.at) < life) return [];
    if (index >= KEPT) return [[key, null]];
    return entry.outcome === undefined ? [] : [[key, withoutOutcome(entry)]];
  });
  return Object.fromEntries(changes);
}

/** Returns the changes that remove old entries and all outcomes, to make room on a full disk. Few outcomes are still needed. */
export async function toMakeRoom(base: Base): Promise<Entries> {
  const outcomes = (await readAll(base)).flatMap(([key, entry]) =>
    entry?.outcome === undefined ? [] : [[key, withoutOutcome(entry)] as const],
  );
  return { ...Object.fromEntries(outcomes), ...(await toRemoveOld(base, Date.now())) };
}

async function readEntry({ read }: Base, source: string): Promise<JournalEntry | undefined> {
  const key = JOURNAL + source;
  const { [key]: value } = await read([key]);
  return isEntry(value) ? value : undefined;
}

async function readAll({
  read,
  list,
}: Base): Promise<readonly (readonly [key: string, entry: JournalEntry | undefined])[]> {
  const stored = await read(await list(JOURNAL));
  return Object.entries(stored).map(([key, value]) => [key, isEntry(value) ? value : undefined]);
}

const withoutOutcome = ({ id, name, at }: JournalEntry): Json => ({ id, name, at });

function isEntry(value: unknown): value is JournalEntry {
  return (
    typeof value === 'object' &&
    value !== null &&
    'id' in value &&
    typeof value.id === 'number' &&
    'at' in value &&
    typeof value.at === 'number'
  );
}
