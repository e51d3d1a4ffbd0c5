import type { Delivery } from '../errors.ts';
import type { Json } from '../json.ts';
import type { Settled } from '../server/call.ts';
import { parseText } from '../state/task-records.ts';
import type { Pause } from './retry.ts';

/** A mutation of the background itself, as it is stored until it has been carried out. */
export interface EventRecord extends Pause {
  /** Unique in its group. */
  readonly number: number;
  readonly name: string;
  readonly input?: Json | undefined;
  readonly key?: string | undefined;
  /** Version of the extension that noted it. */
  readonly version: string;
  /** Number of attempts that failed, or that a background did not survive. */
  readonly tries: number;
}

/** Records that are stored as one text under one key, until the last of them is carried out. */
export interface Group {
  readonly key: string;
  /** An earlier background has noted it. */
  readonly isInherited: boolean;
  /** Numbers of inherited records whose next attempt is counted in the store already. */
  readonly counted: Set<number>;
  /** Numbers of the records of a newer version of the extension. They wait for that version. */
  readonly newer: Set<number>;
  /** Settles the promises of this background's events, by their numbers. */
  readonly waiting: ReadonlyMap<number, Settle>;
  /** Number of its records. It is 0 when they are carried out. */
  size: number;
  /** The pause of the record that is due first. */
  pause: Pause;
}

/** Settles the promise of an event. Without a delivery, the event was handled. */
export type Settle = (settled: Settled, delivery?: Delivery) => void;

/** Number of events in one group, and of events that are carried out in one write. A page gets the lock after each write. */
export const BATCH = 8;

/** Keys of groups. Sorted by key, groups are in the order in which their events are carried out. */
export const GROUP = 'queue/event/';

/** Keys of the events of an earlier version of the core, one event under each. */
export const OLD_EVENT = 'inbox/';

/** The pause of a record that is due at once, and of one that waits for a newer version of the extension. */
export const [NO_PAUSE, NO_END]: readonly [Pause, Pause] = [
  { due: 0, wait: 0 },
  { due: Infinity, wait: Infinity },
];

/** Splits events into parts of one group each. */
export function toParts<T>(events: readonly T[]): readonly (readonly T[])[] {
  const starts = Array.from({ length: Math.ceil(events.length / BATCH) }, (_, index) => index * BATCH);
  return starts.map((start) => events.slice(start, start + BATCH));
}

/**
 * Returns records as text. Firefox reads the values of a write milliseconds after the call. If the background has died by
 * then, objects are lost (403 of 1,000 were), but text is not.
 */
export const toGroupText = (records: readonly EventRecord[]): string => JSON.stringify(records);

/** Returns the records of a stored group, or `undefined` if it is not one. */
export function parseGroup(stored: unknown): readonly EventRecord[] | undefined {
  const parsed = parseText(stored);
  // An earlier version of the core stored each event by itself.
  const records = (Array.isArray(parsed) ? parsed : [parsed]).map(parseRecord);
  return records.includes(undefined) ? undefined : (records as EventRecord[]);
}

function parseRecord(given: unknown): EventRecord | undefined {
  const record = Object(given) as Partial<EventRecord>;
  const { name, input, key, number = 0, version = '0', tries = 0, due = 0, wait = 0 } = record;
  const isRecord =
    typeof name === 'string' &&
    typeof version === 'string' &&
    (key === undefined || typeof key === 'string') &&
    [number, tries, due, wait].every(Number.isFinite);
  return isRecord ? { name, input, key, number, version, tries, due, wait } : undefined;
}
