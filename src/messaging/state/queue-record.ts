import { freeze } from '../define/frozen.ts';
import type { TaskItem } from '../define/handler-state.ts';
import type { Json } from '../wire/json.ts';
import type { Change } from './memory.ts';

/**
 * Something that must happen: an event of the browser, which is a mutation of the background itself, or a task. Its record is
 * stored until it has happened.
 */
export interface QueueRecord extends Pause {
  readonly kind: 'event' | 'task';
  /** Name of the mutation or of the task. */
  readonly name: string;
  /** Input of the mutation, or data of the task. */
  readonly data?: Json | undefined;
  /** Key of an event, which takes effect once for each key, or the key under which a task runs. */
  readonly key?: string | undefined;
  /** Time from which the age of a task counts, in ms since 1970: the end of its delay. */
  readonly at: number;
  /** Number of attempts that have failed. */
  readonly tries: number;
  /** Number of backgrounds in a row that may have died in an attempt. */
  readonly deaths: number;
  /** The pause follows an attempt at a task that has failed or had no network, so it ends when the network is back. */
  readonly endsOnline?: boolean | undefined;
  /** During the pause, no task that uses the same service starts. */
  readonly pausesService?: boolean | undefined;
}

/** The pause before the next attempt. */
export interface Pause {
  /** Time of the next attempt, in ms since 1970. */
  readonly due: number;
  /** Milliseconds that the pause was to last. */
  readonly wait: number;
}

/** Records have the keys `queue/<number>`. Sorted by key, they are in the order in which they were stored. */
export const QUEUE = 'queue/';

/**
 * Key of the number of the newest record, followed by ` empty` if no record is stored. So a start lists the records only if there
 * may be any, and a new record follows all earlier ones, whatever the clock does.
 */
export const MARK = 'queue/newest';

/** Number of digits in a key. */
const DIGITS = 12;

const RECORD_KEY = new RegExp(`^${QUEUE}\\d{${DIGITS},}$`, 'u');

export const recordKey = (number: number): string => QUEUE + String(number).padStart(DIGITS, '0');

export const isRecordKey = (key: string): boolean => RECORD_KEY.test(key);

/** Returns those of the records that are tasks with this name. */
export const tasksIn = (records: Iterable<readonly [key: string, record: QueueRecord]>, name: string) =>
  [...records].flatMap(([key, { kind, name: its, data, tries, due }]): TaskItem<unknown>[] =>
    kind === 'task' && its === name ? [{ id: key.slice(QUEUE.length), data, tries, due }] : [],
  );

/** Records are stored as text. Firefox may lose an object if the background dies soon after the write. */
export const toText = (record: QueueRecord): string => JSON.stringify(record);

/** Returns a stored record, or `undefined` if it is not one. */
export function parseRecord(stored: unknown): QueueRecord | undefined {
  try {
    const record = Object(typeof stored === 'string' ? JSON.parse(stored) : undefined) as QueueRecord;
    const { kind, name, key = '', at, tries, deaths, due, wait } = record;
    const isRecord =
      (kind === 'event' || kind === 'task') &&
      [name, key].every((text) => typeof text === 'string') &&
      [at, tries, deaths, due, wait].every(Number.isFinite);
    if (!isRecord) return undefined;
    freeze<object>(record);
    return record;
  } catch {
    return undefined;
  }
}

/** Parses the mark. If it is damaged or lost, records may be stored, and their numbers are not known. */
export function parseMark(stored: unknown): {
  readonly newest: number | undefined;
  readonly isEmpty: boolean;
} {
  const [, digits, empty] = /^(\d{1,15})( empty)?$/.exec(typeof stored === 'string' ? stored : '') ?? [];
  return { newest: digits === undefined ? undefined : Number(digits), isEmpty: empty !== undefined };
}

export const toMark = (newest: number, isEmpty: boolean): string => `${newest}${isEmpty ? ' empty' : ''}`;

/** Returns the change that stores a record. */
export const toChange = (record: QueueRecord): Change => ({ stored: toText(record), value: freeze(record) });
