import { points } from '../../SPEC_GAPS.md?points';
import { callers } from '../contract/pages.ts';
import { contract } from '../contract/contract.ts';
import { addProgress } from '../contract/spec-gaps.ts';
import { identifyCaller } from '../messaging/callers.ts';
import { createBackground } from '../messaging/server/background.ts';
import { onInstalled, onStartup } from '../platform/events.ts';
import { describeExtension, noteStart } from '../platform/extension.ts';
import { announceWake, extensionIdentity, onIncomingPort } from '../platform/port.ts';
import { browserStore, restrictStorage } from '../platform/store.ts';
import { setPopupTheme } from '../platform/toolbar.ts';
import { documents, preferences } from './documents.ts';
import { createHandlers } from './handlers.ts';
import { createMessageLog } from './message-log.ts';

const identity = extensionIdentity();
const messageLog = createMessageLog();
const handlers = createHandlers({ describeExtension, progress: addProgress(points), messageLog });

const background = createBackground(contract, handlers, {
  identify: (sender) => identifyCaller(callers, sender, identity),
  store: browserStore,
  documents,
  observe: messageLog.observe,
  log: (incident, error) => console.error(`Incident ${incident}:`, error),
});

onIncomingPort(background.accept);
background.watch(preferences, ({ recordMessages }) => messageLog.turn(recordMessages));
background.watch(preferences, ({ theme }) => setPopupTheme(theme));
// The toolbar forgets the theme. These events start the background, and with it the watch above.
onStartup(() => {});
onInstalled(() => {});
announceWake();
noteStart().catch(console.error);
restrictStorage();
