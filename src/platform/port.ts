import type { Runtime } from 'webextension-polyfill';

import type { contract } from '../contract/contract.ts';
import { type Client, createClient } from '../messaging/client/client.ts';
import type { IncomingPort, Port } from '../messaging/wire.ts';
import * as browser from './browser.ts';

/** A page's client. Its subscriptions resume when the background wakes and when the page is restored from the bfcache. */
export function createPageClient(): Client<typeof contract> {
  const client = createClient<typeof contract>(connectToWorker);
  onWake(client.resume);
  addEventListener('pageshow', ({ persisted }) => {
    if (persisted) client.reconnect();
  });
  return client;
}

/** Opens a port to the worker. Throws in a page whose extension was reloaded, updated or removed under it. */
export function connectToWorker(): Port {
  return toPort(browser.runtime.connect());
}

/** Calls `listener` with every port that is opened to the worker from within the extension, and with its sender. */
export function onIncomingPort(listener: (port: IncomingPort) => void): void {
  browser.runtime.onConnect.addListener((port) => {
    // `origin` is missing in the library's types. Firefox gives it since 126, Chromium since 80.
    const sender: (Runtime.MessageSender & { readonly origin?: string }) | undefined = port.sender;
    listener({ ...toPort(port), sender });
  });
}

function toPort(port: Runtime.Port): Port {
  return {
    post: (message) => {
      try {
        port.postMessage(message);
        return true;
      } catch (error) {
        // Where the other end is gone, the message is lost and `onDisconnect` follows. Anything else is a message that
        // the browser refuses.
        return /disconnected|invalidated/i.test(String(error));
      }
    },
    onMessage: (listener) => port.onMessage.addListener((message) => listener(message)),
    onDisconnect: (listener) => {
      port.onDisconnect.addListener(() => {
        // Chromium writes an error into the page's console when this is not read.
        void browser.runtime.lastError;
        listener();
      });
    },
    disconnect: () => port.disconnect(),
  };
}

const WAKE = { kind: 'awake' };

/** Milliseconds after which the pages are notified: the page that woke the worker waits for its answer first. */
const WAKE_DELAY = 100;

/** Notifies the open pages that the worker has just started. */
export function announceWake(): void {
  setTimeout(() => {
    browser.runtime.sendMessage(WAKE).catch(() => {
      // Rejects when no page is open.
    });
  }, WAKE_DELAY);
}

/**
 * Calls `listener` whenever the worker has started. Not async, and returns nothing: what a listener of the browser returns
 * is taken for the answer.
 */
export function onWake(listener: () => void): void {
  browser.runtime.onMessage.addListener((message: unknown, sender: Runtime.MessageSender) => {
    if (sender.id === browser.runtime.id && isWake(message)) listener();
    return undefined;
  });
}

function isWake(message: unknown): boolean {
  return typeof message === 'object' && message !== null && 'kind' in message && message.kind === WAKE.kind;
}
