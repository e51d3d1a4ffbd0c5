import { specified } from '../../SPEC_GAPS.md?export=specified';
import { contract } from '../contract/contract.ts';
import { pages } from '../contract/pages.ts';
import { Theme } from '../contract/preferences.ts';
import { themedPopup } from '../contract/themed-popup.ts';
import { createRecorder } from '../messaging/create-recorder.ts';
import { identifyCaller } from '../messaging/identify-caller.ts';
import { serve } from '../messaging/serve.ts';
import { browserStore } from '../platform/browser-store.ts';
import { choosePopup } from '../platform/choose-popup.ts';
import { describeExtension } from '../platform/describe-extension.ts';
import { extensionIdentity } from '../platform/extension-identity.ts';
import { onIncomingPort } from '../platform/on-incoming-port.ts';
import { restrictStorage } from '../platform/restrict-storage.ts';
import { announceWake } from '../platform/wake-signal.ts';
import { createHandlers } from './create-handlers.ts';
import { documents } from './documents.ts';
import { settleDocuments } from './settle-documents.ts';

const identity = extensionIdentity();
const recorder = createRecorder();
const callers = { ...pages, popup: [pages.popup, ...Theme.options.map(themedPopup)] };

onIncomingPort(
  serve(contract, createHandlers({ describeExtension, specified, recorder, choosePopup }), {
    accept: (sender) => identifyCaller(sender, { ...identity, pages: callers }),
    store: browserStore,
    recorder,
    prepare: (state) => settleDocuments(Object.values(documents), state),
    log: (incident, error) => console.error(`Incident ${incident}:`, error),
  }),
);
announceWake();
restrictStorage();
