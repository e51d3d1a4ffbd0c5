import { specified } from '../../SPEC_GAPS.md?export=specified';
import { contract } from '../contract/contract.ts';
import { pages } from '../contract/pages.ts';
import type { Theme } from '../contract/preferences.ts';
import { createRecorder } from '../messaging/create-recorder.ts';
import { identifyCaller } from '../messaging/identify-caller.ts';
import { serve } from '../messaging/serve.ts';
import { describeExtension, extensionIdentity } from '../platform/extension.ts';
import { announceWake, onIncomingPort } from '../platform/port.ts';
import { browserStore, restrictStorage } from '../platform/store.ts';
import { onToolbarReset, setPopupTheme } from '../platform/toolbar.ts';
import { migrateDocuments, readDocument } from './document.ts';
import { documents } from './documents.ts';
import { createHandlers } from './handlers.ts';

const trusted = { ...extensionIdentity(), pages };
const recorder = createRecorder();
const showTheme = (theme: Theme): void => void setPopupTheme(theme).catch(console.error);
const handlers = createHandlers({ describeExtension, specified, recorder, setPopupTheme: showTheme });

onIncomingPort(
  serve(contract, handlers, {
    accept: (sender) => identifyCaller(sender, trusted),
    store: browserStore,
    recorder,
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
restrictStorage();
