import type { Runtime } from 'webextension-polyfill';

/** A request over the browser's own port. The worker answers with an object that has the same id, and the result. */
export interface RawRequest {
  readonly id: number;
  readonly name: string;
  readonly value: unknown;
}

const waiting = new Map<number, (result: unknown) => void>();
let port: Runtime.Port | undefined;
let lastId = 0;

/** Calls the worker over a port of the browser. Numbered messages are turned into promises, and nothing else is added. */
export function askOverPort(name: string, value: unknown): Promise<unknown> {
  return new Promise((resolve) => {
    port ??= openPort();
    lastId += 1;
    waiting.set(lastId, resolve);
    port.postMessage({ id: lastId, name, value } satisfies RawRequest);
  });
}

function openPort(): Runtime.Port {
  const opened = chrome.runtime.connect({ name: 'raw' });
  opened.onMessage.addListener((message) => {
    const { id, result } = message as { readonly id: number; readonly result: unknown };
    waiting.get(id)?.(result);
    waiting.delete(id);
  });
  opened.onDisconnect.addListener(() => {
    port = undefined;
  });
  return opened;
}
