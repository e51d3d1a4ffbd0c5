import { callers } from '../callers.ts';
import { identifyCaller } from '../messaging/callers.ts';
import { createBackground } from '../messaging/server/background.ts';
import { watchListeners } from '../platform/listeners.ts';
import { announceWake, extensionIdentity, onIncomingPort } from '../platform/port.ts';
import { browserStore, restrictStorage } from '../platform/store.ts';
import { features } from './features.ts';

watchListeners();
const identity = extensionIdentity();

const background = createBackground(features, {
  identify: (sender) => identifyCaller(callers, sender, identity),
  store: browserStore,
  log: (incident, error) => console.error(`Incident ${incident}:`, error),
});

onIncomingPort(background.accept);
announceWake();
restrictStorage();
