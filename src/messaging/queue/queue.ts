import { freeze } from '../frozen.ts';
import type { Change, Changes, Memory } from '../state/memory.ts';
import type { Store } from '../state/store.ts';
import {
  isRecordKey,
  MARK,
  parseMark,
  parseRecord,
  QUEUE,
  type QueueRecord,
  recordKey,
  toMark,
  toText,
} from './record.ts';

export type Queue = ReturnType<typeof createQueue>;

/** Number of backgrounds in a row that may have died because of a record. It is then given up. */
const DEATHS = 10;

/**
 * Keeps the records that are not done, in the order in which they were stored.
 *
 * ```
 *             ┌────────────────── due ◀───────────────── pause ◀─────────────────────────────────┐
 *             ▼                                                                                  │
 *   stored ─▶ attempt ─┬─ done, or a final error ─▶ one write: changes, and the record is gone   │
 *             ▲        ├─ another error ──────────▶ one write: `tries` + 1, `deaths` is 0 ───────┤
 *             │        ├─ `runLater` ─────────────▶ one write: `deaths` is 0 ────────────────────┘
 *             │        └─ the background dies
 *             │                  ▼
 *             └─ one write: `deaths` + 1 ◀─ the next background finds the record
 *
 *   given up: an event after 10 tries, a task after its `attempts` or its `age`, both after 10 deaths
 * ```
 *
 * A start reads one mark. Only if it says that records may be stored, the start lists their keys.
 */
export function createQueue(store: Pick<Store, 'read' | 'list'>, memory: Pick<Memory, 'readRaw' | 'write'>) {
  const open = new Map<string, QueueRecord>();
  /** Keys of records that earlier backgrounds have left, and that have not ended an attempt since. */
  const found = new Set<string>();
  /** Keys of found records whose death is counted in the store. */
  const counted = new Set<string>();
  /** Keys of records that wait for a newer version of the extension. */
  const held = new Set<string>();
  /** Stored values that are not records, by key. */
  const unreadable = new Map<string, unknown>();
  const listeners = new Set<(key: string, record: QueueRecord | undefined) => void>();
  /** Number of the newest record, and of the newest one that earlier backgrounds have left. */
  let [newest, newestLeft] = [0, 0];
  /** Number of writes of events that are under way. */
  let notes = 0;
  let isListed = false;
  let isMarkedEmpty = true;
  let starting: Promise<void> | undefined;
  let listing: Promise<void> | undefined;

  /** Reads the mark, once. @param keys keys that are needed as well, and so are read together with it */
  function start(keys: readonly string[] = []): Promise<void> {
    starting ??= readMark(keys).catch((error: unknown) => {
      starting = undefined;
      throw error;
    });
    return starting;
  }

  async function readMark(keys: readonly string[]): Promise<void> {
    const [stored] = await memory.readRaw([MARK, ...keys]);
    const mark = parseMark(stored);
    newest = mark.newest ?? Number((await store.list(QUEUE)).findLast(isRecordKey)?.slice(QUEUE.length) ?? 0);
    newestLeft = newest;
    isMarkedEmpty = mark.isEmpty;
    isListed = mark.isEmpty;
  }

  /** Lists the records that earlier backgrounds have left, once. @throws ProcedureError `NOT_READ` */
  function load(): Promise<void> {
    listing ??= loadLeft().catch((error: unknown) => {
      listing = undefined;
      throw error;
    });
    return listing;
  }

  async function loadLeft(): Promise<void> {
    await start();
    if (isListed) return;
    // This background has stored those with higher numbers.
    const last = recordKey(newestLeft);
    const keys = (await store.list(QUEUE)).filter((key) => isRecordKey(key) && key <= last);
    const stored = await store.read(keys);
    const own = [...open];
    open.clear();
    for (const key of keys) {
      const record = parseRecord(stored[key]);
      if (record === undefined) unreadable.set(key, stored[key]);
      else {
        open.set(key, record);
        found.add(key);
      }
    }
    for (const [key, record] of own) open.set(key, record);
    isListed = true;
  }

  const nextKey = (): string => recordKey((newest += 1));

  /** Adds the mark to the changes of a turn, if they make it wrong. */
  function complete(changes: Map<string, Change>): void {
    let size = open.size + unreadable.size;
    let hasNew = false;
    for (const [key, { stored }] of changes) {
      if (!isRecordKey(key)) continue;
      const isStored = open.has(key) || unreadable.has(key);
      if (stored === null && isStored) size -= 1;
      if (stored !== null && !isStored) [size, hasNew] = [size + 1, true];
    }
    const isEmpty = isListed && notes === 0 && size === 0;
    if (hasNew || isEmpty !== isMarkedEmpty) changes.set(MARK, { stored: toMark(newest, isEmpty) });
  }

  /** Follows changes that were written. */
  function onWritten(changes: Changes): void {
    for (const [key, { stored, value }] of changes) {
      if (key === MARK) isMarkedEmpty = parseMark(stored).isEmpty;
      else if (isRecordKey(key)) follow(key, stored === null ? undefined : (value as QueueRecord));
    }
  }

  function follow(key: string, record: QueueRecord | undefined): void {
    const before = open.get(key);
    unreadable.delete(key);
    if (record === undefined) open.delete(key);
    else open.set(key, record);
    // Each attempt that ends sets the number of deaths to 0.
    if (record === undefined || record.deaths === 0) for (const keys of [found, counted]) keys.delete(key);
    else if (record.deaths > (before?.deaths ?? 0)) counted.add(key);
    for (const listener of listeners) listener(key, record);
  }

  return {
    open: open as ReadonlyMap<string, QueueRecord>,
    start,
    load,
    nextKey,
    complete,
    onWritten,

    /** Returns the records that are not done, by key and in order. @throws ProcedureError `NOT_READ` */
    records: async (): Promise<ReadonlyMap<string, QueueRecord>> => {
      await load();
      return open;
    },

    /** Stores events in one write, without waiting for a turn. @throws ProcedureError `NOT_STORED` */
    note: async (events: Changes): Promise<void> => {
      notes += 1;
      const changes = new Map<string, Change>([...events, [MARK, { stored: toMark(newest, false) }]]);
      try {
        await memory.write(changes);
        onWritten(changes);
      } finally {
        notes -= 1;
      }
    },

    /** Calls a listener with each record that was written, or `undefined` for one that is gone. */
    onRecord: (listener: (key: string, record: QueueRecord | undefined) => void): void =>
      void listeners.add(listener),

    /** Lets a record wait for a newer version of the extension. */
    hold: (key: string): void => void held.add(key),
    isHeld: (key: string): boolean => held.has(key),

    /** Returns `true` for a record of an earlier background that has not ended an attempt since. */
    isFound: (key: string): boolean => found.has(key),

    /** Returns `true` if the death of an earlier background must be counted before the next attempt. */
    isUncounted: (key: string): boolean => found.has(key) && !counted.has(key),

    /** Returns `true` if a background has died after an attempt was counted. The record is attempted alone. */
    isSuspect: (key: string): boolean =>
      found.has(key) && (open.get(key)?.deaths ?? 0) > (counted.has(key) ? 1 : 0),

    /** Returns `true` if so many backgrounds have died that the record is given up. */
    isCondemned: (key: string): boolean =>
      found.has(key) && !counted.has(key) && (open.get(key)?.deaths ?? 0) >= DEATHS,

    /** Stored values that are not records, by key, until a change removes them. */
    unreadable: unreadable as ReadonlyMap<string, unknown>,

    /** Returns `true` if the mark says that records may be stored, although none is. */
    isMarkWrong: (): boolean =>
      isListed && !isMarkedEmpty && notes === 0 && open.size + unreadable.size === 0,
  };
}

/** Returns the change that stores a record. */
export const toChange = (record: QueueRecord): Change => ({ stored: toText(record), value: freeze(record) });
