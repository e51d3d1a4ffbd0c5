import type { Service } from '../define/services.ts';
import type { Task } from '../define/tasks.ts';
import type { JobEntry } from './entry.ts';
import type { Pause, Job } from '../state/job.ts';
import { pauseFor, timeLeft } from './retry.ts';

/** Keeps the limits and the pauses of services. */
export function createPace(find: (name: string) => Task<never> | undefined) {
  /** No task that uses a service starts before its pause is over. `perSecond` makes a pause after each start. */
  const pauses = new Map<Service, Pause>();

  /** Returns `undefined` for an event, and for a task that this version does not know. They have no limits. */
  const serviceOf = ({ kind, name }: Job): Service | undefined =>
    kind === 'task' ? find(name)?.service : undefined;

  /** Returns the milliseconds until a job's service may be used. */
  function pauseLeft(job: Job): number {
    const service = serviceOf(job);
    const pause = service && pauses.get(service);
    return pause === undefined ? 0 : timeLeft(pause);
  }

  /** Pauses the service of a job. An earlier pause that lasts longer stays. */
  function pauseService(job: Job, given: Pause): void {
    const service = serviceOf(job);
    if (service !== undefined && timeLeft(given) > pauseLeft(job)) pauses.set(service, given);
  }

  return {
    pauseLeft,

    pauseService,

    /** Pauses the services as earlier backgrounds have done. */
    resumePauses: (entries: Iterable<JobEntry>): void => {
      for (const { job } of entries) if (job.pausesService) pauseService(job, job);
    },

    /** Makes the pause of `perSecond`. */
    onStart: (job: Job): void => pauseService(job, pauseFor(1_000 / (serviceOf(job)?.perSecond ?? Infinity))),

    /**
     * Returns the tasks that may start now, in addition to those that run.
     *
     * @param due tasks whose services are not paused
     */
    withinLimits: (due: readonly JobEntry[], running: readonly JobEntry[]): readonly JobEntry[] => {
      const started = new Map<Service, number>();
      const countOf = (service: Service): number => started.get(service) ?? 0;
      const paced = new Set<Service>();
      for (const { job } of running) {
        const service = serviceOf(job);
        if (service !== undefined) started.set(service, countOf(service) + 1);
      }
      return due.filter(({ job }) => {
        const service = serviceOf(job);
        if (service === undefined) return true;
        if (countOf(service) >= service.concurrency || paced.has(service)) return false;
        started.set(service, countOf(service) + 1);
        if (service.perSecond !== Infinity) paced.add(service);
        return true;
      });
    },
  };
}
