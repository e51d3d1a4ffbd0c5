import type { Service } from '../define/services.ts';
import type { Task } from '../define/tasks.ts';
import type { Entry } from './entry.ts';
import type { Pause, QueueRecord } from './record.ts';
import { timeLeft } from './retry.ts';

/** Keeps the limits of services. */
export function createPace(find: (name: string) => Task<never> | undefined) {
  /** Pauses in which no task that uses a service starts. */
  const pauses = new Map<Service, Pause>();

  /** Returns `undefined` for an event, and for a task that this version does not know. They have no limits. */
  const serviceOf = ({ kind, name }: QueueRecord): Service | undefined =>
    kind === 'task' ? find(name)?.service : undefined;

  /** Returns the milliseconds until a record's service may be used. */
  function pauseLeft(record: QueueRecord): number {
    const service = serviceOf(record);
    const pause = service && pauses.get(service);
    return pause === undefined ? 0 : timeLeft(pause);
  }

  return {
    pauseLeft,

    /** Follows the pauses of services that tasks have asked for, in this background or in an earlier one. */
    followPauses: (entries: readonly Entry[]): void => {
      for (const { record } of entries) {
        const service = serviceOf(record);
        if (!service || !record.pausesService || timeLeft(record) <= pauseLeft(record)) continue;
        pauses.set(service, record);
      }
    },

    /** Called when a task starts. */
    onStart: (record: QueueRecord): void => {
      const service = serviceOf(record);
      if (service === undefined) return;
      const wait = 1_000 / service.perSecond;
      pauses.set(service, { due: Date.now() + wait, wait });
    },

    /** Returns the tasks that may start now, in addition to those that run. Their services are not paused. */
    withinLimits: (due: readonly Entry[], running: readonly Entry[]): readonly Entry[] => {
      const started = new Map<Service, number>();
      const countOf = (service: Service): number => started.get(service) ?? 0;
      const paced = new Set<Service>();
      for (const { record } of running) {
        const service = serviceOf(record);
        if (service !== undefined) started.set(service, countOf(service) + 1);
      }
      return due.filter(({ record }) => {
        const service = serviceOf(record);
        if (service === undefined) return true;
        if (countOf(service) >= service.concurrency || paced.has(service)) return false;
        started.set(service, countOf(service) + 1);
        if (service.perSecond !== Infinity) paced.add(service);
        return true;
      });
    },
  };
}
