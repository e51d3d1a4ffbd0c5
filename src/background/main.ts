import { runtime } from 'webextension-polyfill';

import { callers } from '../callers.ts';
import { identifyCaller } from '../messaging/callers.ts';
import { createBackground } from '../messaging/server/background.ts';
import { watchListeners } from '../platform/listeners.ts';
import { announceWake, announceWakeToTabs, extensionIdentity, onIncomingPort } from '../platform/port.ts';
import { browserStore, readSession, restrictStorage } from '../platform/store.ts';
import { listenToWakeAlarm, stayAwake, wakeAt } from '../platform/wake.ts';
import { features } from './features.ts';

watchListeners();
const identity = extensionIdentity();

const background = createBackground(features, {
  identify: (sender) => identifyCaller(callers, sender, identity),
  store: browserStore,
  version: runtime.getManifest().version,
  session: readSession,
  wakeAt,
  stayAwake,
  log: (incident, error) => console.error(`Incident ${incident}:`, error),
});

onIncomingPort(background.accept);
listenToWakeAlarm();
announceWake();
if (runtime.getManifest().content_scripts !== undefined) announceWakeToTabs();
restrictStorage();
