import { specified } from '../../SPEC_GAPS.md?export=specified';
import { contract } from '../contract/contract.ts';
import { pages } from '../contract/pages.ts';
import { Theme } from '../contract/preferences.ts';
import { themedPopup } from '../contract/themed-popup.ts';
import { identifyCaller } from '../messaging/server/sender.ts';
import { createServer } from '../messaging/server/server.ts';
import { browserStore } from '../platform/browser-store.ts';
import { choosePopup } from '../platform/choose-popup.ts';
import { describeExtension } from '../platform/describe-extension.ts';
import { extensionIdentity } from '../platform/extension-identity.ts';
import { onIncomingPort } from '../platform/on-incoming-port.ts';
import { restrictStorage } from '../platform/restrict-storage.ts';
import { announceWake } from '../platform/wake-signal.ts';
import { createHandlers } from './create-handlers.ts';
import { documents } from './documents.ts';
import { createMessageLog } from './message-log.ts';
import { settleDocuments } from './settle-documents.ts';

const identity = extensionIdentity();
const messageLog = createMessageLog();
const callers = { ...pages, popup: [pages.popup, ...Theme.options.map(themedPopup)] };

onIncomingPort(
  createServer(contract, createHandlers({ describeExtension, specified, messageLog, choosePopup }), {
    identify: (sender) => identifyCaller(sender, { ...identity, pages: callers }),
    store: browserStore,
    observe: messageLog.observe,
    prepare: (state) => settleDocuments(Object.values(documents), state),
    log: (incident, error) => console.error(`Incident ${incident}:`, error),
  }),
);
announceWake();
restrictStorage();
