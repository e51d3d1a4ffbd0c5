import { runtime } from 'webextension-polyfill';

import { type Callers, identifyCaller } from '../../src/messaging/callers.ts';
import type { Feature } from '../../src/messaging/feature.ts';
import type { Procedures } from '../../src/messaging/procedures.ts';
import { type BackgroundOptions, createBackground } from '../../src/messaging/server/background.ts';
import type { Store } from '../../src/messaging/state/store.ts';
import { announceWake, extensionIdentity, onIncomingPort } from '../../src/platform/port.ts';
import { browserStore } from '../../src/platform/store.ts';
import { listenToWakeAlarm, stayAwake, wakeAt } from '../../src/platform/wake.ts';
import { testCallers } from './counter.ts';

/** Starts the background of an extension that a test has built. It logs errors as warnings by default. */
export function startBackground(
  features: readonly Feature<Procedures>[],
  {
    callers = testCallers,
    store = browserStore,
    log = console.warn,
  }: { callers?: Callers; store?: Store; log?: BackgroundOptions['log'] } = {},
): void {
  const identity = extensionIdentity();
  const background = createBackground(features, {
    identify: (sender) => identifyCaller(callers, sender, identity),
    store,
    version: runtime.getManifest().version,
    wakeAt,
    stayAwake,
    log,
  });
  onIncomingPort(background.accept);
  listenToWakeAlarm();
  announceWake();
}
