import { identifyCaller } from '../../../src/messaging/server/sender.ts';
import { createServer } from '../../../src/messaging/server/server.ts';
import { browserStore } from '../../../src/platform/browser-store.ts';
import { extensionIdentity } from '../../../src/platform/extension-identity.ts';
import { onIncomingPort } from '../../../src/platform/on-incoming-port.ts';
import { announceWake } from '../../../src/platform/wake-signal.ts';
import { watchedContract } from './contract.ts';
import { watchedHandlers } from './handlers.ts';

const identity = extensionIdentity();

onIncomingPort(
  createServer(watchedContract, watchedHandlers, {
    identify: (sender) =>
      identifyCaller(sender, { ...identity, pages: { popup: 'popup.html', options: 'options.html' } }),
    store: browserStore,
    log: (incident, error) => console.warn(incident, error),
  }),
);
announceWake();
