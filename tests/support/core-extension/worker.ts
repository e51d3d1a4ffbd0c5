import * as v from 'valibot';

import { type ApiOf, defineFeature } from '../../../src/messaging/define/feature.ts';
import { proceduresFor } from '../../../src/messaging/define/declare.ts';
import { startBackground } from '../../../src/platform/start.ts';
import { reportLateListeners } from '../../../src/platform/listeners.ts';
import { counterFeature, testCallers } from '../counter.ts';
import { storageCalls } from './count-calls.ts';
import { eventFeature } from './event-feature.ts';
import { stateFeature } from './state-feature.ts';
import { store } from './store.ts';
import { taskFeature } from './task-feature.ts';

/** Facts about this worker. */
const Facts = v.strictObject({
  /** Start of the worker in ms since 1970. A different time means a different worker. */
  startedAt: v.number(),
  /** Uncaught exceptions and unhandled rejections. */
  uncaught: v.array(v.string()),
  /** `true` if a frame has changed the prototype of all objects. */
  isPolluted: v.boolean(),
});

const startedAt = Date.now();
const uncaught: string[] = [];

addEventListener('error', (event) => uncaught.push(String(event.error)));
addEventListener('unhandledrejection', (event) => uncaught.push(String(event.reason)));

const { query } = proceduresFor(testCallers);

const workerFeature = defineFeature({
  procedures: {
    'worker.facts': query({
      callers: ['options'],
      output: Facts,
      handle: () => ({ startedAt, uncaught: [...uncaught], isPolluted: 'polluted' in {} }),
    }),
    'storage.calls': query({
      callers: ['options'],
      output: v.record(v.string(), v.number()),
      handle: () => ({ ...storageCalls }),
    }),
  },
});

const features = [counterFeature, workerFeature, stateFeature, eventFeature, taskFeature] as const;

export type CoreApi = ApiOf<typeof features>;

reportLateListeners();
startBackground(testCallers, features, { store });
