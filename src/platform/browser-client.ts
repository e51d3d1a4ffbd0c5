import { runtime, storage } from 'webextension-polyfill';

import { type Client, createClient } from '../messaging/client/client.ts';
import { WAKE, WAKE_PORT } from './announce.ts';
import { connectToBackground } from './port.ts';

export { CallError } from '../messaging/wire/errors.ts';

/**
 * Creates a page's client. Its subscriptions resume when the background wakes. A click or a key press wakes the background
 * at once, so that the change that follows reaches it even if the page then closes.
 */
export function createPageClient<Api>(): Client<Api> {
  const client = createConnectedClient<Api>();
  storage.session.onChanged.addListener(({ [WAKE]: change }) => {
    if (typeof change?.newValue === 'number') client.resume(change.newValue);
  });
  for (const touch of ['pointerdown', 'keydown']) addEventListener(touch, client.wake, { capture: true });
  return client;
}

/** Creates a content script's client. Its subscriptions resume when the background wakes and calls `announceWakeToTabs`. */
export function createContentScriptClient<Api>(): Client<Api> {
  const client = createConnectedClient<Api>();
  runtime.onConnect.addListener((port) => {
    if (!port.name.startsWith(WAKE_PORT)) return;
    port.disconnect();
    client.resume(Number(port.name.slice(WAKE_PORT.length)));
  });
  // If a person turns the extension off while the background sleeps, there is no port to lose. The script checks when its tab
  // is used again.
  for (const back of ['visibilitychange', 'focus']) {
    addEventListener(back, () => {
      // Without an id, no port can be opened, so the subscriptions fail.
      if (runtime.id === undefined) client.resume();
    });
  }
  return client;
}

function createConnectedClient<Api>(): Client<Api> {
  const client = createClient<Api>(connectToBackground);
  addEventListener('pageshow', ({ persisted, isTrusted }) => {
    // A web page can dispatch this event too, but only the browser's own is trusted.
    if (persisted && isTrusted) client.reconnect();
  });
  // Chromium does not notify a prerendered page that the background is awake again. This page is shown now.
  document.addEventListener('prerenderingchange', ({ isTrusted }) => {
    if (isTrusted) client.reconnect();
  });
  return client;
}
