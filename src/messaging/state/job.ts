import { freeze } from '../define/frozen.ts';
import type { TaskItem } from '../define/handler-state.ts';
import type { Json } from '../wire/json.ts';
import type { KeyChange } from './store.ts';

/**
 * Something that must happen: an event of the browser, which is a mutation of the background itself, or a task. It is
 * stored until it has happened.
 */
export interface Job extends Pause {
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

/** Jobs have the keys `queue/<number>`. Sorted by key, they are in the order in which they were stored. */
export const QUEUE = 'queue/';

/**
 * Key of the number of the newest job, followed by ` empty` if no job is stored. So a start lists the jobs only if there
 * may be any, and a new job follows all earlier ones, whatever the clock does.
 */
export const MARK = 'queue/newest';

/** Number of digits in a key. */
const DIGITS = 12;

const JOB_KEY = new RegExp(`^${QUEUE}\\d{${DIGITS},}$`, 'u');

export const jobKey = (number: number): string => QUEUE + String(number).padStart(DIGITS, '0');

export const isJobKey = (key: string): boolean => JOB_KEY.test(key);

/** Returns those of the jobs that are tasks with this name. */
export const tasksIn = (jobs: Iterable<readonly [key: string, job: Job]>, name: string) =>
  [...jobs].flatMap(([key, { kind, name: taskName, data, tries, due }]): TaskItem<unknown>[] =>
    kind === 'task' && taskName === name ? [{ id: key.slice(QUEUE.length), data, tries, due }] : [],
  );

/** Jobs are stored as text. Firefox may lose an object if the background dies soon after the write. */
export const toText = (job: Job): string => JSON.stringify(job);

/** Returns a stored job, or `undefined` if it is not one. */
export function parseJob(stored: unknown): Job | undefined {
  try {
    const job = Object(typeof stored === 'string' ? JSON.parse(stored) : undefined) as Job;
    const { kind, name, key = '', at, tries, deaths, due, wait } = job;
    const isJob =
      (kind === 'event' || kind === 'task') &&
      [name, key].every((text) => typeof text === 'string') &&
      [at, tries, deaths, due, wait].every(Number.isFinite);
    if (!isJob) return undefined;
    freeze<object>(job);
    return job;
  } catch {
    return undefined;
  }
}

/** Parses the mark. If it is lost or unreadable, jobs may be stored, and their numbers are not known. */
export function parseMark(stored: unknown): {
  readonly newest: number | undefined;
  readonly isEmpty: boolean;
} {
  const [, digits, empty] = /^(\d{1,15})( empty)?$/.exec(typeof stored === 'string' ? stored : '') ?? [];
  return { newest: digits === undefined ? undefined : Number(digits), isEmpty: empty !== undefined };
}

export const toMark = (newest: number, isEmpty: boolean): string => `${newest}${isEmpty ? ' empty' : ''}`;

/** Returns the change that stores a job. */
export const toChange = (job: Job): KeyChange => ({ stored: toText(job), value: freeze(job) });
