import type { Callers } from '../messaging/define/define-callers.ts';
import type { Feature } from '../messaging/define/feature.ts';
import type { Procedures } from '../messaging/define/procedures.ts';
import { type BackgroundOptions, createBackground } from '../messaging/background.ts';
import { identifyCaller } from '../messaging/server/identify-caller.ts';
import { announceWake, announceWakeToTabs } from './announce.ts';
import { extensionIdentity, onIncomingPort } from './port.ts';
import { takeLock } from './lock.ts';
import { localStore, restrictStorage } from './local-store.ts';
import { keepSession, readSession } from './session-id.ts';
import { listenToWakes, network, stayAwake, wakeAt } from './wake.ts';

/**
 * Starts the background of an extension. Call it once, in the first turn of the background's script. The state is kept in
 * `storage.local`, and errors are logged in the console, unless the options state otherwise.
 */
export function startBackground(
  callers: Callers,
  features: readonly Feature<Procedures>[],
  {
    store = localStore,
    log = (incident, error) => console.error(`Incident ${incident}:`, error),
  }: Partial<Pick<BackgroundOptions, 'store' | 'log'>> = {},
): void {
  const identity = extensionIdentity();
  const background = createBackground(features, {
    identify: (sender) => identifyCaller(callers, sender, identity),
    store,
    alone: takeLock(),
    session: readSession,
    wakeAt,
    stayAwake,
    network,
    log,
  });
  // The manifest does not list scripts that are registered or injected while the extension runs.
  const hasContentScripts = Object.values(callers).some(({ kind }) => kind === 'contentScript');
  const noteTab = hasContentScripts ? announceWakeToTabs() : () => {};
  onIncomingPort((port) => {
    noteTab(port.sender);
    background.accept(port);
  });
  listenToWakes();
  const documents = features.flatMap((feature) => feature.documents);
  // Otherwise, every change of `storage.session` would start a background that sleeps.
  if (documents.some(({ lifetime }) => lifetime === 'session')) keepSession();
  announceWake();
  restrictStorage();
}
