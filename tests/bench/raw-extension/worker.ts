import type { Runtime } from 'webextension-polyfill';

interface Asked {
  readonly id: number;
  readonly value: unknown;
  readonly isStored: boolean;
}

// The contender of the messaging core: a worker that answers with the browser's own API and does nothing else.
chrome.runtime.onConnect.addListener((port) => {
  port.onMessage.addListener((message) => void answer(port, message as Asked));
});
chrome.runtime.onMessage.addListener(
  (message: unknown, _sender: unknown, respond: (answer: unknown) => void) => {
    respond(message);
    return true;
  },
);

async function answer(port: Runtime.Port, { id, value, isStored }: Asked): Promise<void> {
  if (isStored) await chrome.storage.local.set({ value });
  port.postMessage({ id, value });
}
