import { callers } from '../callers.ts';
import { contract } from '../contract.ts';
import { identifyCaller } from '../messaging/callers.ts';
import { createBackground } from '../messaging/server/background.ts';
import { describeExtension, noteStart } from '../platform/extension.ts';
import { announceWake, extensionIdentity, onIncomingPort } from '../platform/port.ts';
import { browserStore, restrictStorage } from '../platform/store.ts';
import { createFeatures } from './features.ts';

const identity = extensionIdentity();
const { handlers, start, ...features } = createFeatures(describeExtension);

const background = createBackground(contract, handlers, {
  ...features,
  identify: (sender) => identifyCaller(callers, sender, identity),
  store: browserStore,
  log: (incident, error) => console.error(`Incident ${incident}:`, error),
});

onIncomingPort(background.accept);
start(background);
announceWake();
noteStart().catch(console.error);
restrictStorage();
