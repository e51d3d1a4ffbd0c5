import { type Entry, isCondemned, isDue, isSuspect, isUncounted } from './entry.ts';

/** Most events that are carried out in one write. A page gets its turn after each write. */
export const BATCH = 8;

/** The next work of the background. The members before `events` come first, and alone. */
interface Choice {
  /** It is given up. */
  readonly condemned?: Entry;
  /** Deaths that are counted, in case this background dies in the attempt. */
  readonly uncounted: readonly Entry[];
  readonly events: readonly Entry[];
  readonly tasks: readonly Entry[];
}

/**
 * Chooses what is attempted next, of the entries that are due:
 *
 * 1. events of earlier backgrounds, and those that may have ended a background first and one at a time
 * 2. events of this background
 * 3. tasks of earlier backgrounds, after all events of earlier backgrounds
 * 4. tasks of this background, which wait for no other record
 *
 * @param running the entries that are attempted at the moment
 * @param withinLimits returns the tasks that may start now
 */
export function choose(
  entries: readonly Entry[],
  running: readonly Entry[],
  withinLimits: (tasks: readonly Entry[]) => readonly Entry[],
): Choice {
  // A note that was refused at first is stored in a turn, and may be known later than the next note.
  const due = entries.filter(isDue).toSorted((a, b) => (a.key < b.key ? -1 : 1));
  const condemned = due.find(isCondemned);
  if (condemned !== undefined) return { condemned, uncounted: [], events: [], tasks: [] };

  const select = (kind: 'event' | 'task', isFound: boolean): readonly Entry[] =>
    due.filter((entry) => entry.record.kind === kind && entry.isFound === isFound);
  // Only one suspect runs at a time, and no other found record with it. So the record that ends a background is known.
  const isAlone = running.some(isSuspect);
  const foundEvents = select('event', true);
  const dueEvents = foundEvents.length === 0 ? select('event', false) : isAlone ? [] : alone(foundEvents);
  const foundTasks = foundEvents.length > 0 || isAlone ? [] : alone(select('task', true), running);
  // No more deaths are counted than attempts can be made in one turn, because each makes a record a suspect.
  const events = dueEvents.slice(0, BATCH);
  const tasks = withinLimits([...foundTasks, ...select('task', false)].toSorted(byTurn));
  return { uncounted: [...events, ...tasks].filter(isUncounted), events, tasks };
}

/** Returns the first record that may have ended a background, if no found record runs, or all records if none may have. */
function alone(found: readonly Entry[], running: readonly Entry[] = []): readonly Entry[] {
  const suspect = found.find(isSuspect);
  if (suspect === undefined) return found;
  return running.some(({ isFound }) => isFound) ? [] : [suspect];
}

/** Tasks that have paused their service come last. Otherwise one that pauses it again and again would hold up all others. */
function byTurn({ record: a }: Entry, { record: b }: Entry): number {
  return (a.pausesService ? a.due : 0) - (b.pausesService ? b.due : 0);
}
