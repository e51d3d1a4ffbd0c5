import { identifyCaller } from '../../../src/messaging/server/sender.ts';
import { createServer } from '../../../src/messaging/server/server.ts';
import { extensionIdentity } from '../../../src/platform/extension.ts';
import { announceWake, onIncomingPort } from '../../../src/platform/port.ts';
import { browserStore } from '../../../src/platform/store.ts';
import { identifyContentScript } from '../identify-content-script.ts';
import { contentContract, contentHandlers } from './contract.ts';

const identity = extensionIdentity();
const pages = { popup: 'popup.html', options: 'options.html' };
const sites = ['http://127.0.0.1'];

onIncomingPort(
  createServer(contentContract, contentHandlers, {
    identify: (sender) =>
      identifyCaller(sender, { ...identity, pages }) ?? identifyContentScript(sender, { ...identity, sites }),
    store: browserStore,
    log: (incident, error) => console.warn(incident, error),
  }),
);
announceWake();
