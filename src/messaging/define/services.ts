import { checkLimit } from './limits.ts';

/** Something that tasks use, such as a server. The tasks that use it share its limits, and `pauseService` pauses them all. */
export interface Service {
  /** Most tasks that run at the same time: 4 by default. */
  readonly concurrency: number;
  /** Most tasks that start in a second. There is no limit by default. */
  readonly perSecond: number;
}

/** Declares a service. Tasks have it as their `service`. @throws TypeError for an invalid limit */
export function defineService({ concurrency = 4, perSecond = Infinity }: Partial<Service> = {}): Service {
  checkLimit('`concurrency` of a service', concurrency);
  checkLimit('`perSecond` of a service', perSecond, false);
  return { concurrency, perSecond };
}
