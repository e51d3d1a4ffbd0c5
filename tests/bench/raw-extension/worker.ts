import type { Runtime } from 'webextension-polyfill';

import type { RawRequest } from '../raw-port.ts';

// The contender of the messaging core: a worker that answers with the browser's own API and does nothing else.
chrome.runtime.onConnect.addListener((port) => {
  port.onMessage.addListener((message) => void answer(port, message as RawRequest));
});
chrome.runtime.onMessage.addListener(
  (message: unknown, _sender: unknown, respond: (answer: unknown) => void) => {
    respond(message);
    return true;
  },
);

async function answer(port: Runtime.Port, { id, name, value }: RawRequest): Promise<void> {
  if (name === 'store') await chrome.storage.local.set({ value });
  port.postMessage({ id, result: value });
}
