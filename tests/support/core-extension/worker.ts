import { identifyCaller } from '../../../src/messaging/server/sender.ts';
import { createServer } from '../../../src/messaging/server/server.ts';
import { extensionIdentity } from '../../../src/platform/extension.ts';
import { announceWake, onIncomingPort } from '../../../src/platform/port.ts';
import { browserStore } from '../../../src/platform/store.ts';
import { counterContract, counterHandlers } from '../counter.ts';

const identity = extensionIdentity();

onIncomingPort(
  createServer(counterContract, counterHandlers, {
    identify: (sender) =>
      identifyCaller(sender, { ...identity, pages: { popup: 'popup.html', options: 'options.html' } }),
    store: browserStore,
    log: (incident, error) => console.warn(incident, error),
  }),
);
announceWake();
