import { identifyCaller } from '../../../src/messaging/callers.ts';
import { createBackground } from '../../../src/messaging/server/background.ts';
import { announceWakeToTabs, extensionIdentity, onIncomingPort } from '../../../src/platform/port.ts';
import { browserStore } from '../../../src/platform/store.ts';
import { counter } from '../counter.ts';
import { contentCallers, contentContract, contentHandlers } from './contract.ts';

const identity = extensionIdentity();

const background = createBackground(contentContract, contentHandlers, {
  identify: (sender) => identifyCaller(contentCallers, sender, identity),
  store: browserStore,
  documents: [counter],
  log: (incident, error) => console.warn(incident, error),
});

onIncomingPort(background.accept);
announceWakeToTabs();
