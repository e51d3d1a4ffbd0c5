import type { Runtime } from 'webextension-polyfill';

import type { RawCalls, RawRequest } from './worker.ts';

const waiting = new Map<number, (result: unknown) => void>();
let port: Runtime.Port | undefined;
let lastId = 0;

/** Calls the background over a port of the browser. Numbered messages become promises, and nothing else is added. */
export function ask<Way extends keyof RawCalls, Name extends string & keyof RawCalls[Way]>(
  way: Way,
  name: Name,
  ...[input]: RawCalls[Way][Name] extends (...args: infer Args) => unknown ? Args : never
): Promise<unknown> {
  return new Promise((resolve) => {
    port ??= openPort();
    lastId += 1;
    waiting.set(lastId, resolve);
    port.postMessage({ id: lastId, way, name, input } satisfies RawRequest);
  });
}

function openPort(): Runtime.Port {
  const opened = chrome.runtime.connect({ name: 'raw' });
  opened.onMessage.addListener((message) => {
    const { id, result, error } = message as { id: number; result?: unknown; error?: string };
    waiting.get(id)?.(error === undefined ? result : Promise.reject(new Error(error)));
    waiting.delete(id);
  });
  opened.onDisconnect.addListener(() => {
    port = undefined;
  });
  return opened;
}
