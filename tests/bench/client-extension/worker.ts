import * as v from 'valibot';

import { identifyCaller } from '../../../src/messaging/callers.ts';
import { defineContract, query } from '../../../src/messaging/contract.ts';
import type { Json } from '../../../src/messaging/json.ts';
import { createBackground } from '../../../src/messaging/server/background.ts';
import { announceWake, extensionIdentity, onIncomingPort } from '../../../src/platform/port.ts';
import { browserStore } from '../../../src/platform/store.ts';
import { counter, counterContract, counterHandlers, testCallers } from '../../support/counter.ts';

const AnyJson = v.custom<Json>(() => true);

/** The counter's contract and an echo of any value. The schema of the echo costs nothing, so that only the core is measured. */
export const benchContract = defineContract(testCallers, {
  ...counterContract,
  'any.echo': query({ callers: ['options'], input: AnyJson, output: AnyJson }),
});

const identity = extensionIdentity();

const background = createBackground(
  benchContract,
  { ...counterHandlers, 'any.echo': ({ input }) => input },
  {
    identify: (sender) => identifyCaller(testCallers, sender, identity),
    store: browserStore,
    documents: [counter],
    log: (incident, error) => console.warn(incident, error),
  },
);

onIncomingPort(background.accept);
announceWake();
