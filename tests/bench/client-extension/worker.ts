import { createRecorder } from '../../../src/messaging/create-recorder.ts';
import { identifyCaller } from '../../../src/messaging/identify-caller.ts';
import { serve } from '../../../src/messaging/serve.ts';
import type { ServeOptions } from '../../../src/messaging/serve.ts';
import { browserStore } from '../../../src/platform/browser-store.ts';
import { extensionIdentity } from '../../../src/platform/extension-identity.ts';
import { onIncomingPort } from '../../../src/platform/on-incoming-port.ts';
import { announceWake } from '../../../src/platform/wake-signal.ts';
import { counterContract } from '../../support/counter-contract.ts';
import { counterHandlers } from '../../support/counter.ts';

const identity = extensionIdentity();
const pages = { popup: 'popup.html', options: 'options.html' };
const options: ServeOptions = {
  accept: (sender) => identifyCaller(sender, { ...identity, pages }),
  store: browserStore,
  log: (incident, error) => console.warn(incident, error),
};

const recorder = createRecorder();
recorder.turn(false);
const servers = new Map<boolean, ReturnType<typeof serve>>();

// The popup's server has a recorder that is off, the options page's has none: that the two are equally quick is measured.
// Each is there once it is needed: the worker of a product starts one.
onIncomingPort((port) => {
  const isRecorded = port.sender?.url?.endsWith(pages.popup) === true;
  const server =
    servers.get(isRecorded) ??
    serve(counterContract, counterHandlers, isRecorded ? { ...options, recorder } : options);
  servers.set(isRecorded, server);
  server(port);
});
announceWake();
