import { identifyCaller } from '../../../src/messaging/server/sender.ts';
import { createServer } from '../../../src/messaging/server/server.ts';
import { browserStore } from '../../../src/platform/store.ts';
import { extensionIdentity } from '../../../src/platform/extension.ts';
import { onIncomingPort, announceWake } from '../../../src/platform/port.ts';
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
