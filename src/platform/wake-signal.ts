import type { Runtime } from 'webextension-polyfill';

import { browser } from './browser.ts';

const SIGNAL = { kind: 'awake' };

/** Milliseconds after which the pages are told: whoever has woken the worker waits for its answer first. */
const DELAY = 100;

/** Tells the open pages that the worker has just started. */
export function announceWake(): void {
  setTimeout(() => {
    browser.runtime.sendMessage(SIGNAL).catch(() => {
      // Rejects when no page is open, and then there is nobody to tell.
    });
  }, DELAY);
}

/**
 * Calls `listener` whenever the worker has started. The listener of the browser answers nothing and returns nothing, so
 * that it takes no other listener's answers.
 */
export function onWake(listener: () => void): void {
  browser.runtime.onMessage.addListener((message: unknown, sender: Runtime.MessageSender) => {
    if (sender.id === browser.runtime.id && isSignal(message)) listener();
    return undefined;
  });
}

function isSignal(message: unknown): boolean {
  return typeof message === 'object' && message !== null && 'kind' in message && message.kind === SIGNAL.kind;
}
