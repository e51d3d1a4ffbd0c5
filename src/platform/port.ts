import { runtime, type Runtime } from 'webextension-polyfill';

import type { Identity } from '../messaging/server/identify-caller.ts';
import type { IncomingPort, Port, Sender } from '../messaging/wire/frames.ts';

/** The name of the core's ports. Ports with other names belong to other code. */
const NAME = 'messaging';

/** Opens a port to the background. Throws in a page whose extension was reloaded, updated or removed. */
export function connectToBackground(): Port {
  return toPort(runtime.connect({ name: NAME }));
}

/** Members that the library's types lack. Firefox sets `origin` from version 126, Chromium from 80. */
type SenderFields = Pick<Sender, 'origin' | 'documentId' | 'documentLifecycle'>;

/** Calls `listener` with every port that a client of this extension opens, and with its sender. */
export function onIncomingPort(listener: (port: IncomingPort) => void): void {
  runtime.onConnect.addListener((port) => {
    if (port.name !== NAME) return;
    const sender: (Runtime.MessageSender & SenderFields) | undefined = port.sender;
    listener({ ...toPort(port), sender });
  });
}

/** The extension's id, and the origin of its pages without a slash at the end. */
export function extensionIdentity(): Identity {
  // `location.origin` may be "null" in Firefox.
  return { id: runtime.id, origin: `${location.protocol}//${location.host}` };
}

function toPort(port: Runtime.Port): Port {
  return {
    post: (message) => {
      try {
        port.postMessage(message);
        return true;
      } catch (error) {
        // These words mean that the other end is gone, and `onDisconnect` follows. Otherwise the browser refused it.
        return /disconnected|invalidated/i.test(String(error));
      }
    },
    onMessage: (listener) => port.onMessage.addListener((message) => listener(message)),
    onDisconnect: (listener) => {
      port.onDisconnect.addListener(() => {
        // Chromium writes an error into the page's console unless this is read.
        void runtime.lastError;
        listener();
      });
    },
    disconnect: () => port.disconnect(),
    // Chromium removes the id when it invalidates the context.
    isOrphaned: () => runtime.id === undefined,
  };
}
