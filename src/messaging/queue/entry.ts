import { toQuarantine } from '../state/damage.ts';
import type { Turn } from '../state/turn.ts';
import { type Job, toChange, toText } from '../state/job.ts';
import { pauseFor, timeLeft } from './retry.ts';

/** A job that is not done, and what this background knows of it. */
export interface JobEntry {
  readonly key: string;
  job: Job;
  /** The deaths with which an earlier background has left the job, until an attempt at it ends. This background adds one. */
  left: number | undefined;
  /** The pause of the task is over, because the network is back. */
  skipsPause: boolean;
  /** Aborts the attempt at the task that is under way. */
  running: AbortController | undefined;
}

/** Number of backgrounds in a row that may have died because of a job. It is then given up. */
const DEATHS = 10;

export const createEntry = (key: string, job: Job, left?: number): JobEntry => ({
  key,
  job,
  left,
  skipsPause: false,
  running: undefined,
});

/** Follows a job that was written, or removed if it is `undefined`. */
export function followJob(entries: Map<string, JobEntry>, key: string, job: Job | undefined): void {
  const entry = entries.get(key);
  if (job === undefined) {
    entries.delete(key);
    entry?.running?.abort(new Error('The task was cancelled.'));
  } else if (entry === undefined) {
    entries.set(key, createEntry(key, job));
  } else {
    entry.job = job;
    if (job.deaths > 0) return;
    entry.left = undefined;
    entry.skipsPause = false;
  }
}

/** Returns `true` if an attempt can be made now. */
export const isDue = ({ job, running, skipsPause }: JobEntry): boolean =>
  running === undefined && (skipsPause || timeLeft(job) === 0);

/** Returns `true` if a death must be counted before the next attempt. */
export const isUncounted = ({ left, job }: JobEntry): boolean => job.deaths === left;

/** Returns `true` if a background has died after an attempt was counted. The job is attempted alone. */
export const isSuspect = ({ left = 0 }: JobEntry): boolean => left > 0;

/** Returns `true` if so many backgrounds have died that the job is given up. */
export const isCondemned = (entry: JobEntry): boolean => isUncounted(entry) && entry.job.deaths >= DEATHS;

/** Stages that a job moves to the quarantine, where people can save its text. */
export function quarantine({ changes }: Pick<Turn, 'changes'>, { key, job }: JobEntry): void {
  changes.set(key, { stored: null }).set(...toQuarantine(job.name, toText(job)));
}

/**
 * Stages a change without an effect. If the store takes it between two writes that it refuses, then it works, and refuses only
 * what they would store. It gets a new time, because a store may skip a value that is equal to the stored one.
 */
export function probe({ changes }: Pick<Turn, 'changes'>, { key, job }: JobEntry): void {
  changes.set(key, toChange({ ...job, ...pauseFor(0) }));
}
