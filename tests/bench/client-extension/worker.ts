import * as v from 'valibot';

import { query } from '../../../src/messaging/contract.ts';
import type { Json } from '../../../src/messaging/json.ts';
import { identifyCaller } from '../../../src/messaging/server/sender.ts';
import { createServer } from '../../../src/messaging/server/server.ts';
import { extensionIdentity } from '../../../src/platform/extension.ts';
import { announceWake, onIncomingPort } from '../../../src/platform/port.ts';
import { browserStore } from '../../../src/platform/store.ts';
import { counterContract, counterHandlers } from '../../support/counter.ts';

const AnyJson = v.custom<Json>(() => true);

/** The counter's contract, and an echo of anything: its schema costs nothing, so that the core alone is measured. */
const benchContract = {
  ...counterContract,
  'any.echo': query({ callers: ['options'], input: AnyJson, output: AnyJson }),
};
export type BenchContract = typeof benchContract;

const identity = extensionIdentity();
const pages = { popup: 'popup.html', options: 'options.html' };

onIncomingPort(
  createServer(
    benchContract,
    { ...counterHandlers, 'any.echo': ({ input }) => input },
    {
      identify: (sender) => identifyCaller(sender, { ...identity, pages }),
      store: browserStore,
      log: (incident, error) => console.warn(incident, error),
    },
  ),
);
announceWake();
