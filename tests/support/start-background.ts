import { type Callers, identifyCaller } from '../../src/messaging/callers.ts';
import type { Feature } from '../../src/messaging/feature.ts';
import type { Procedures } from '../../src/messaging/procedures.ts';
import { createBackground } from '../../src/messaging/server/background.ts';
import type { Store } from '../../src/messaging/state/store.ts';
import { announceWake, extensionIdentity, onIncomingPort } from '../../src/platform/port.ts';
import { browserStore } from '../../src/platform/store.ts';
import { testCallers } from './counter.ts';

/** Starts the background of an extension that a test has built. It logs errors as warnings. */
export function startBackground(
  features: readonly Feature<Procedures>[],
  { callers = testCallers, store = browserStore }: { callers?: Callers; store?: Store } = {},
): void {
  const identity = extensionIdentity();
  const background = createBackground(features, {
    identify: (sender) => identifyCaller(callers, sender, identity),
    store,
    log: (incident, error) => console.warn(incident, error),
  });
  onIncomingPort(background.accept);
  announceWake();
}
