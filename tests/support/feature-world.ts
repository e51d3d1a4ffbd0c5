import { type ApiOf, type Feature } from '../../src/messaging/define/feature.ts';
import type { Procedures } from '../../src/messaging/define/procedures.ts';
import type { Definition } from '../../src/messaging/define/documents.ts';
import { testCallers } from './counter.ts';
import { createMemoryWorld, type MemoryWorld, type MemoryWorldOptions } from './memory-world.ts';

export type FeatureWorldOptions = Partial<Omit<MemoryWorldOptions<[]>, 'callers' | 'features'>> &
  Partial<Pick<Feature<Procedures>, 'observe' | 'tasks'>>;

/** Creates a memory world whose only feature has these procedures. */
export function createFeatureWorld<const P extends Procedures>(
  procedures: P,
  documents: readonly Definition<unknown>[] = [],
  { observe, tasks = [], ...options }: FeatureWorldOptions = {},
): MemoryWorld<ApiOf<readonly [Feature<P>]>> {
  const feature: Feature<P> = { documents, procedures, tasks, observe, start: () => {} };
  return createMemoryWorld({ callers: testCallers, features: [feature], ...options });
}
