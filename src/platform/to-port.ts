import type { Runtime } from 'webextension-polyfill';

import type { Port } from '../messaging/wire.ts';
import { browser } from './browser.ts';

/** A browser's port as the messaging core wants it. */
export function toPort(port: Runtime.Port): Port {
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
        // Chromium writes an error into the page's console when nobody has looked at this.
        void browser.runtime.lastError;
        listener();
      });
    },
    disconnect: () => port.disconnect(),
  };
}
