import { type JobEntry, isCondemned, isDue, isSuspect, isUncounted } from './entry.ts';

/** Most events that are carried out in one write. A page gets its turn after each write. */
export const BATCH = 8;

/** The next work of the background. The members before `events` come first, and alone. */
interface Choice {
  /** It is given up. */
  readonly condemned?: JobEntry;
  /** Deaths that are counted, in case this background dies in the attempt. */
  readonly uncounted: readonly JobEntry[];
  readonly events: readonly JobEntry[];
  readonly tasks: readonly JobEntry[];
}

/**
 * Chooses what is attempted next, of the entries that are due:
 *
 * 1. events of earlier backgrounds, and those that may have ended a background first and one at a time
 * 2. events of this background
 * 3. tasks of earlier backgrounds, after all events of earlier backgrounds
 * 4. tasks of this background, which wait for no other job
 *
 * @param running the entries that are attempted at the moment
 * @param withinLimits returns the tasks that may start now
 */
export function choose(
  entries: readonly JobEntry[],
  running: readonly JobEntry[],
  withinLimits: (tasks: readonly JobEntry[]) => readonly JobEntry[],
): Choice {
  // A note that was refused at first is stored in a turn, and may be known later than the next note.
  const due = entries.filter(isDue).toSorted((a, b) => (a.key < b.key ? -1 : 1));
  const condemned = due.find(isCondemned);
  if (condemned !== undefined) return { condemned, uncounted: [], events: [], tasks: [] };

  const select = (kind: 'event' | 'task', isOld: boolean): readonly JobEntry[] =>
    due.filter((entry) => entry.job.kind === kind && isLeft(entry) === isOld);
  // Only one suspect runs at a time, and no other old job with it. So the job that ends a background is known.
  const suspectRuns = running.some(isSuspect);
  const oldEvents = select('event', true);
  const ownEvents = oldEvents.length === 0 ? select('event', false) : [];
  const oldTasks = oldEvents.length > 0 || suspectRuns ? [] : suspectAlone(select('task', true), running);
  // Each job whose death is counted becomes a suspect if this background dies: of a batch of eight that is counted, one
  // ends the background, and all eight are suspects. So only the jobs that are attempted now are counted.
  const events = (suspectRuns ? ownEvents : [...suspectAlone(oldEvents), ...ownEvents]).slice(0, BATCH);
  const tasks = withinLimits([...oldTasks, ...select('task', false)].toSorted(byTurn));
  return { uncounted: [...events, ...tasks].filter(isUncounted), events, tasks };
}

/** Returns the first job that may have ended a background, if no old job runs, or all old jobs if none may have. */
function suspectAlone(old: readonly JobEntry[], running: readonly JobEntry[] = []): readonly JobEntry[] {
  const suspect = old.find(isSuspect);
  if (suspect === undefined) return old;
  return running.some(isLeft) ? [] : [suspect];
}

/** Returns `true` for a job that an earlier background has left. */
const isLeft = ({ left }: JobEntry): boolean => left !== undefined;

/** Tasks that have paused their service come last. Otherwise one that pauses it again and again would hold up all others. */
function byTurn({ job: a }: JobEntry, { job: b }: JobEntry): number {
  return (a.pausesService ? a.due : 0) - (b.pausesService ? b.due : 0);
}
