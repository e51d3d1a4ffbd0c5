import * as v from 'valibot';

import { createMessageLog } from '../../../src/background/message-log.ts';
import { query } from '../../../src/messaging/contract.ts';
import type { Json } from '../../../src/messaging/json.ts';
import { identifyCaller } from '../../../src/messaging/server/sender.ts';
import { createServer } from '../../../src/messaging/server/server.ts';
import type { Handlers, ServerOptions } from '../../../src/messaging/server/server.ts';
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
const options: ServerOptions = {
  identify: (sender) => identifyCaller(sender, { ...identity, pages }),
  store: browserStore,
  log: (incident, error) => console.warn(incident, error),
};

const { turn, observe } = createMessageLog();
turn(false);
const handlers: Handlers<BenchContract> = { ...counterHandlers, 'any.echo': ({ input }) => input };
const servers = new Map<boolean, ReturnType<typeof createServer>>();

// The popup's server has a message log that is off, the options page's has none: that the two are equally quick is measured.
// Each is there once it is needed: the worker of a product starts one.
onIncomingPort((port) => {
  const isRecorded = port.sender?.url?.endsWith(pages.popup) === true;
  const server =
    servers.get(isRecorded) ??
    createServer(benchContract, handlers, isRecorded ? { ...options, observe } : options);
  servers.set(isRecorded, server);
  server(port);
});
announceWake();
