import { points } from '../../SPEC_GAPS.md?points';
import { contract } from '../contract/contract.ts';
import { pages } from '../contract/pages.ts';
import type { Theme } from '../contract/preferences.ts';
import { addProgress } from '../contract/spec-gaps.ts';
import { identifyCaller } from '../messaging/server/sender.ts';
import { createServer } from '../messaging/server/server.ts';
import { describeExtension, extensionIdentity, noteStart } from '../platform/extension.ts';
import { announceWake, onIncomingPort } from '../platform/port.ts';
import { browserStore, restrictStorage } from '../platform/store.ts';
import { onToolbarReset, setPopupTheme } from '../platform/toolbar.ts';
import { migrateDocuments, readDocument } from './document.ts';
import { documents } from './documents.ts';
import { createHandlers } from './handlers.ts';
import { createMessageLog } from './message-log.ts';

const trusted = { ...extensionIdentity(), pages };
const messageLog = createMessageLog();
const showTheme = (theme: Theme): void => void setPopupTheme(theme).catch(console.error);
const progress = addProgress(points);
const handlers = createHandlers({ describeExtension, progress, messageLog, setPopupTheme: showTheme });

onIncomingPort(
  createServer(contract, handlers, {
    identify: (sender) => identifyCaller(sender, trusted),
    store: browserStore,
    observe: messageLog.observe,
    prepare: (state) => migrateDocuments(Object.values(documents), state),
    log: (incident, error) => console.error(`Incident ${incident}:`, error),
  }),
);
onToolbarReset(() => {
  browserStore
    .read(documents.preferences.key)
    .then((stored) => showTheme(readDocument(documents.preferences, stored).data.theme), console.error);
});
announceWake();
noteStart().catch(console.error);
restrictStorage();
