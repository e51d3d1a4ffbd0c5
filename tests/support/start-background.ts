import { runtime } from 'webextension-polyfill';

import { type Callers, identifyCaller } from '../../src/messaging/callers.ts';
import type { Feature } from '../../src/messaging/feature.ts';
import type { Procedures } from '../../src/messaging/procedures.ts';
import { type BackgroundOptions, createBackground } from '../../src/messaging/server/background.ts';
import type { Store } from '../../src/messaging/state/store.ts';
import { watchListeners } from '../../src/platform/listeners.ts';
import { announceWake, extensionIdentity, onIncomingPort } from '../../src/platform/port.ts';
import { browserStore, readSession } from '../../src/platform/store.ts';
import { listenToWakeAlarm, stayAwake, wakeAt } from '../../src/platform/wake.ts';
import { testCallers } from './counter.ts';

interface Options {
  readonly callers?: Callers;
  readonly store?: Store;
  /** Chromium does not list warnings, so that the console of a test has only unexpected errors. */
  readonly log?: BackgroundOptions['log'];
}

/** Starts the background of an extension that a test has built, as `src/background/main.ts` does. */
export function startBackground(
  features: readonly Feature<Procedures>[],
  {
    callers = testCallers,
    store = browserStore,
    log = (incident, error) => console.warn(incident, error),
  }: Options = {},
): void {
  watchListeners();
  const identity = extensionIdentity();
  const background = createBackground(features, {
    identify: (sender) => identifyCaller(callers, sender, identity),
    store,
    version: runtime.getManifest().version,
    session: readSession,
    wakeAt,
    stayAwake,
    log,
  });
  onIncomingPort(background.accept);
  listenToWakeAlarm();
  announceWake();
}
