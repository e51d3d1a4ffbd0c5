import { identifyCaller } from '../../../src/messaging/identify-caller.ts';
import { serve } from '../../../src/messaging/serve.ts';
import { browserStore } from '../../../src/platform/browser-store.ts';
import { extensionIdentity } from '../../../src/platform/extension-identity.ts';
import { onIncomingPort } from '../../../src/platform/on-incoming-port.ts';
import { announceWake } from '../../../src/platform/wake-signal.ts';
import { counterContract } from '../counter-contract.ts';
import { counterHandlers } from '../counter.ts';

const identity = extensionIdentity();

onIncomingPort(
  serve(counterContract, counterHandlers, {
    accept: (sender) =>
      identifyCaller(sender, { ...identity, pages: { popup: 'popup.html', options: 'options.html' } }),
    store: browserStore,
    log: (incident, error) => console.warn(incident, error),
  }),
);
announceWake();
