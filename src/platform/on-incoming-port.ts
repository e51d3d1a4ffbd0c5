import type { Runtime } from 'webextension-polyfill';

import type { IncomingPort } from '../messaging/wire.ts';
import { browser } from './browser.ts';
import { toPort } from './to-port.ts';

/** Hands every port that is opened to the worker from within the extension to `listener`, with its sender. */
export function onIncomingPort(listener: (port: IncomingPort) => void): void {
  browser.runtime.onConnect.addListener((port) => {
    // `origin` is missing in the library's types. Firefox gives it since 126, Chromium since 80.
    const sender: (Runtime.MessageSender & { readonly origin?: string }) | undefined = port.sender;
    listener({ ...toPort(port), sender });
  });
}
