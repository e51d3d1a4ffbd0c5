import { quarantineText } from '../state/damage.ts';
import { stage, type Turn } from '../state/turn.ts';
import { type QueueRecord, toChange, toText } from '../state/queue-record.ts';
import { pauseFor, timeLeft } from './retry.ts';

/** A record that is not done, and what this background knows of it. */
export interface Entry {
  readonly key: string;
  record: QueueRecord;
  /** The deaths with which an earlier background has left the record, until an attempt at it ends. This background adds one. */
  left: number | undefined;
  /** The pause of the task is over, because the network is back. */
  skipsPause: boolean;
  /** Aborts the attempt at the task that is under way. */
  running: AbortController | undefined;
}

/** Number of backgrounds in a row that may have died because of a record. It is then given up. */
const DEATHS = 10;

export const createEntry = (key: string, record: QueueRecord, left?: number): Entry => ({
  key,
  record,
  left,
  skipsPause: false,
  running: undefined,
});

/** Follows a record that was written, or removed if it is `undefined`. Returns its entry, if there was or is one. */
export function followRecord(
  entries: Map<string, Entry>,
  key: string,
  record: QueueRecord | undefined,
): Entry | undefined {
  const entry = entries.get(key);
  if (record === undefined) {
    entries.delete(key);
    entry?.running?.abort(new Error('The task was cancelled.'));
    return entry;
  }
  if (entry === undefined) {
    const added = createEntry(key, record);
    entries.set(key, added);
    return added;
  }
  entry.record = record;
  if (record.deaths === 0) {
    entry.left = undefined;
    entry.skipsPause = false;
  }
  return entry;
}

/** Returns `true` if an attempt can be made now. */
export const isDue = ({ record, running, skipsPause }: Entry): boolean =>
  running === undefined && (skipsPause || timeLeft(record) === 0);

/** Returns `true` if a death must be counted before the next attempt. */
export const isUncounted = ({ left, record }: Entry): boolean => record.deaths === left;

/** Returns `true` if a background has died after an attempt was counted. The record is attempted alone. */
export const isSuspect = ({ left = 0 }: Entry): boolean => left > 0;

/** Returns `true` if so many backgrounds have died that the record is given up. */
export const isCondemned = (entry: Entry): boolean => isUncounted(entry) && entry.record.deaths >= DEATHS;

/** Stages that a record moves to the quarantine, where people can save its text. */
export function quarantine(turn: Pick<Turn, 'changes'>, { key, record }: Entry): void {
  stage(turn, { [key]: null, ...quarantineText(record.name, toText(record)) });
}

/**
 * Stages a change without an effect. If the store takes it between two writes that it refuses, then it works, and refuses only
 * what they would store. It gets a new time, because a store may skip a value that is equal to the stored one.
 */
export function probe({ changes }: Pick<Turn, 'changes'>, { key, record }: Entry): void {
  changes.set(key, toChange({ ...record, ...pauseFor(0) }));
}
