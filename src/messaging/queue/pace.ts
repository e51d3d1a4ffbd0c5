import type { Task } from '../define/tasks.ts';
import type { Entry } from './entry.ts';
import { timeLeft } from './retry.ts';

type Limits = Pick<Task<never>, 'concurrency' | 'perSecond' | 'timeout'>;

const NO_LIMITS: Limits = { concurrency: Infinity, perSecond: Infinity, timeout: 0 };

/** Keeps the limits of tasks. */
export function createPace(find: (name: string) => Limits | undefined) {
  /** Time at which the next task of a name may start, in ms since 1970. */
  const nextStart = new Map<string, number>();
  const limitsOf = (name: string): Limits => find(name) ?? NO_LIMITS;

  /** Returns the milliseconds until the next task of a name may start. */
  const gapLeft = (name: string): number =>
    timeLeft({ due: nextStart.get(name) ?? 0, wait: 1_000 / limitsOf(name).perSecond });

  return {
    limitsOf,
    gapLeft,
    onStart: (name: string): void => void nextStart.set(name, Date.now() + 1_000 / limitsOf(name).perSecond),

    /** Returns the tasks that may start now, in addition to those that run. */
    withinLimits: (due: readonly Entry[], running: readonly Entry[]): readonly Entry[] => {
      const started = new Map<string, number>();
      const paced = new Set<string>();
      const countStart = ({ record: { name } }: Entry): void =>
        void started.set(name, (started.get(name) ?? 0) + 1);
      running.forEach(countStart);
      return due.filter((entry) => {
        const { name } = entry.record;
        const { concurrency, perSecond } = limitsOf(name);
        if ((started.get(name) ?? 0) >= concurrency || gapLeft(name) > 0 || paced.has(name)) return false;
        countStart(entry);
        if (perSecond !== Infinity) paced.add(name);
        return true;
      });
    },
  };
}
