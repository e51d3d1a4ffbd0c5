import type { Runtime } from 'webextension-polyfill';

import { createPageBench } from '../page-bench.ts';

// The browser's own API. Numbered messages over a port are turned into promises, and nothing else is added.
const waiting = new Map<number, (value: unknown) => void>();
let port: Runtime.Port | undefined;
let lastId = 0;

globalThis.bench = createPageBench({
  message: (value) => chrome.runtime.sendMessage(value),
  port: (value) => askOverPort(value, false),
  stored: (value) => askOverPort(value, true),
});
document.title = 'ready';

function askOverPort(value: unknown, isStored: boolean): Promise<unknown> {
  return new Promise((resolve) => {
    port ??= openPort();
    lastId += 1;
    waiting.set(lastId, resolve);
    port.postMessage({ id: lastId, value, isStored });
  });
}

function openPort(): Runtime.Port {
  const opened = chrome.runtime.connect();
  opened.onMessage.addListener((message) => {
    const { id, value } = message as { readonly id: number; readonly value: unknown };
    waiting.get(id)?.(value);
    waiting.delete(id);
  });
  opened.onDisconnect.addListener(() => {
    port = undefined;
  });
  return opened;
}
