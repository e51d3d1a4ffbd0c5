import type { Runtime } from 'webextension-polyfill';

import type { Port } from '../messaging/port.ts';
import { browser } from './browser.ts';

/** A browser's port as the messaging core wants it. */
export function toPort(port: Runtime.Port): Port {
  return {
    post: (message) => {
      try {
        port.postMessage(message);
        return true;
      } catch {
        // Several frames were too large together, or the other end went a moment ago: `onDisconnect` will tell the
        // core, which knows what waits. Values that are not JSON or too large by themselves it has refused before.
        return false;
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
