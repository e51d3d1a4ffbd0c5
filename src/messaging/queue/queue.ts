import { once } from '../wire/waiting.ts';
import type { Memory } from '../state/memory.ts';
import { START_KEYS } from '../state/state.ts';
import type { KeyChange, KeyChanges, Store } from '../state/store.ts';
import { createEntry, type JobEntry, followJob } from './entry.ts';
import { isJobKey, MARK, parseMark, parseJob, QUEUE, type Job, jobKey, toMark } from '../state/job.ts';

export type Queue = ReturnType<typeof createQueue>;

/**
 * Keeps the jobs that are not done, in the order in which they were stored. docs/messaging.md draws the life of a job.
 *
 * A start reads one mark. It lists the keys of jobs only if the mark is missing, or says that jobs may be stored.
 */
export function createQueue(store: Pick<Store, 'read' | 'list'>, memory: Pick<Memory, 'readRaw' | 'write'>) {
  const entries = new Map<string, JobEntry>();
  /** Stored values that are not jobs, by key. */
  const unreadable = new Map<string, unknown>();
  /** Number of the newest job, and of the newest one that earlier backgrounds have left. */
  let [newest, newestLeft] = [0, 0];
  /** Number of writes of events that are under way. */
  let notes = 0;
  let [isListed, isMarkedEmpty] = [false, true];
  let onChange = (): void => {};

  const start = once(async () => {
    const [stored] = await memory.readRaw(START_KEYS);
    const mark = parseMark(stored);
    newest = mark.newest ?? Number((await store.list(QUEUE)).findLast(isJobKey)?.slice(QUEUE.length) ?? 0);
    newestLeft = newest;
    isListed = isMarkedEmpty = mark.isEmpty;
  });

  const load = once(async () => {
    await start();
    if (isListed) return;
    // This background has stored those with higher numbers.
    const left = await readLeft(store, jobKey(newestLeft));
    const own = [...entries];
    entries.clear();
    for (const [key, stored] of left) {
      const job = parseJob(stored);
      if (job === undefined) unreadable.set(key, stored);
      else entries.set(key, createEntry(key, job, job.deaths));
    }
    for (const [key, entry] of own) entries.set(key, entry);
    isListed = true;
  });

  /** Adds the mark to the changes of a turn, if they make it wrong. */
  function complete(changes: Map<string, KeyChange>): void {
    const keys = new Set([...entries.keys(), ...unreadable.keys()]);
    let hasNew = false;
    for (const [key, { stored }] of changes) {
      if (!isJobKey(key)) continue;
      if (stored === null) keys.delete(key);
      else if (!keys.has(key)) hasNew = true;
    }
    const isEmpty = isListed && notes === 0 && keys.size === 0 && !hasNew;
    if (hasNew || isEmpty !== isMarkedEmpty) changes.set(MARK, { stored: toMark(newest, isEmpty) });
  }

  /** Follows changes that were written. */
  function onWritten(changes: KeyChanges): void {
    for (const [key, { stored, value }] of changes) {
      if (key === MARK) isMarkedEmpty = parseMark(stored).isEmpty;
      if (!isJobKey(key)) continue;
      unreadable.delete(key);
      // A removal has no value.
      followJob(entries, key, value as Job | undefined);
      onChange();
    }
  }

  return {
    entries: entries as ReadonlyMap<string, JobEntry>,
    /** Stored values that are not jobs, by key, until a change removes them. */
    unreadable: unreadable as ReadonlyMap<string, unknown>,

    /** Reads the mark, once. @throws ProcedureError `NOT_READ` */
    start,

    /** Lists the jobs that earlier backgrounds have left, once. @throws ProcedureError `NOT_READ` */
    load,
    nextKey: (): string => jobKey((newest += 1)),
    complete,
    onWritten,

    /** Calls a function when a job was written or removed. */
    listen: (listener: () => void): void => void (onChange = listener),

    /** Returns the jobs that are not done, by key and in order. @throws ProcedureError `NOT_READ` */
    jobs: async (): Promise<ReadonlyMap<string, Job>> => {
      await load();
      return new Map([...entries].map(([key, { job }]) => [key, job]));
    },

    /** Stores events in one write, without waiting for a turn. @throws ProcedureError `NOT_STORED` */
    note: async (events: KeyChanges): Promise<void> => {
      notes += 1;
      const changes = new Map<string, KeyChange>([...events, [MARK, { stored: toMark(newest, false) }]]);
      try {
        await memory.write(changes);
        onWritten(changes);
      } finally {
        notes -= 1;
      }
    },

    /** Returns `true` if the mark says that jobs may be stored, although none is. */
    isMarkWrong: (): boolean =>
      isListed && !isMarkedEmpty && notes === 0 && entries.size + unreadable.size === 0,
  };
}

/** Reads what is stored under the keys of jobs up to the last one. */
async function readLeft({ read, list }: Pick<Store, 'read' | 'list'>, last: string) {
  const keys = (await list(QUEUE)).filter((key) => isJobKey(key) && key <= last);
  const stored = await read(keys);
  return keys.map((key) => [key, stored[key]] as const);
}
