import type { Runtime } from 'webextension-polyfill';

import type { Port } from '../messaging/port.ts';
import { browser } from './browser.ts';

/** A browser's port as the messaging core wants it. */
export function toPort(port: Runtime.Port): Port {
  return {
    post: (message) => {
      try {
        port.postMessage(message);
      } catch {
        // The other end went a moment ago, and `onDisconnect` will tell the core, which knows what waits. What the wire
        // itself would refuse the core has refused before: values that are not JSON or too large.
      }
    },
    onMessage: (listener) => port.onMessage.addListener((message) => listener(message)),
    onDisconnect: (listener) => {
      port.onDisconnect.addListener(() => {
        // Chromium writes an error into the page's console when nobody has looked at this.
        void browser.runtime.lastError;
        listener();
      });
    },
    disconnect: () => port.disconnect(),
  };
}
