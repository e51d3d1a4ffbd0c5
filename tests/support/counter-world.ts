import { CallError } from '../../src/messaging/wire/errors.ts';
import { isJobKey, parseJob, type Job } from '../../src/messaging/state/job.ts';
import type { Observe } from '../../src/messaging/define/observe.ts';
import { type CounterApi, counterFeature, testCallers } from './counter.ts';
import { type Handlers, withHandlers } from './handlers.ts';
import { createMemoryWorld, type MemoryWorld, type MemoryWorldOptions } from './memory-world.ts';

export type CounterWorld = MemoryWorld<CounterApi>;

export type CounterHandlers = Handlers<typeof counterFeature.procedures>;

/** The real handler of `counter.add`. */
export const addToCounter = counterFeature.procedures['counter.add'].handle as CounterHandlers['counter.add'];

export interface CounterWorldOptions extends Partial<
  Pick<MemoryWorldOptions<[]>, 'wire' | 'patchStore' | 'patchPort' | 'wakeAt' | 'network'>
> {
  readonly observe?: Observe;
  readonly documents?: typeof counterFeature.documents;
}

/** Creates a memory world with the feature of the counter. `handlers` replaces handlers by name. */
export function createCounterWorld(
  handlers: Partial<CounterHandlers> = {},
  { observe, documents = counterFeature.documents, ...options }: CounterWorldOptions = {},
): CounterWorld {
  const procedures = withHandlers(counterFeature.procedures, handlers);
  const feature = { ...counterFeature, documents, procedures, observe };
  return createMemoryWorld({ callers: testCallers, features: [feature], ...options });
}

/** Fires an event whose listener adds to the counter. */
export const fireAdd = (world: CounterWorld, count = 1, key?: string): Promise<number> =>
  world.fire(({ mutate }) => mutate('counter.add', count, key === undefined ? {} : { key }));

/** The stored events that are not carried out, in the order of their keys. */
export const eventsIn = ({ disk }: Pick<CounterWorld, 'disk'>): readonly Job[] =>
  disk
    .keys()
    .filter(isJobKey)
    .toSorted()
    .flatMap((key) => parseJob(disk.read(key)) ?? [])
    .filter(({ kind }) => kind === 'event');

/** The texts that the core has moved to the quarantine. */
export const quarantineIn = ({ disk }: Pick<CounterWorld, 'disk'>): readonly string[] =>
  disk
    .keys()
    .filter((key) => key.startsWith('quarantine/'))
    .map((key) => (disk.read(key) as { readonly text: string }).text);

/** The logged errors, as text. */
export const logOf = ({ logged }: Pick<CounterWorld, 'logged'>): readonly string[] =>
  [...logged.values()].map(String);

/** Resolves with the value of a promise, or with the code and the delivery of its `CallError`. */
export async function outcomeOf(promise: Promise<unknown>): Promise<unknown> {
  return promise.catch((error: unknown) => {
    if (!(error instanceof CallError)) throw error;
    return `${error.code} ${error.delivery}`;
  });
}
