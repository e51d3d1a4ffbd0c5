import { runtime, storage, tabs } from 'webextension-polyfill';

import type { Sender } from '../messaging/wire/frames.ts';

/** The key in `storage.session` of the time at which the background started, in ms since 1970. */
export const WAKE = 'messaging/wake';

/** The name of a port that notifies a content script begins with this. The time at which the background started follows. */
export const WAKE_PORT = 'messaging/wake/';

/** The key in `storage.session` of the ids of the tabs from which content scripts have called since the browser started. */
const TABS = 'messaging/tabs';

/** Milliseconds before pages are notified, so that the page that woke the background gets its answer first. */
const WAKE_DELAY = 100;

/**
 * Notifies open pages that the background has just started. A change of `storage.session` reaches pages in every window. In
 * Firefox, a `BroadcastChannel` does not reach private windows and container tabs. A runtime message would reach other
 * listeners as well.
 */
export function announceWake(): void {
  const startedAt = Date.now();
  setTimeout(() => {
    storage.session.set({ [WAKE]: startedAt }).catch((error: unknown) => {
      // Usually, `storage.session` is full.
      console.warn('Open pages do not learn that the background has started:', error);
    });
  }, WAKE_DELAY);
}

/**
 * Notifies the content scripts that the background has just started. Only tabs from which a content script has called are
 * notified. If other code has removed the list of them, all tabs are.
 *
 * @returns a function that adds the tab of a sender to the list
 */
export function announceWakeToTabs(): (sender: Sender | undefined) => void {
  const stored = readTabs();
  const announced = notifyTabs(stored);
  // A new list is stored only after all tabs were notified, because it would lack those whose scripts have called earlier.
  let known = stored.then(async (ids) => {
    if (ids !== undefined) return ids;
    await announced;
    await saveTabs([]);
    return [];
  });

  return (sender) => {
    const id = sender?.tab?.id;
    const isOwnPage = sender?.url?.startsWith(runtime.getURL('')) === true;
    if (id === undefined || isOwnPage) return;
    known = known.then((ids) => {
      if (ids.includes(id)) return ids;
      void saveTabs([...ids, id]);
      return [...ids, id];
    });
  };
}

async function readTabs(): Promise<readonly number[] | undefined> {
  try {
    const { [TABS]: ids } = await storage.session.get(TABS);
    return Array.isArray(ids) ? ids : undefined;
  } catch {
    return undefined;
  }
}

async function saveTabs(ids: readonly number[]): Promise<void> {
  // If `storage.session` is full, the next background notifies all tabs.
  await storage.session.set({ [TABS]: ids }).catch(() => storage.session.remove(TABS));
}

/** @param listed ids of the tabs, or `undefined` for all */
async function notifyTabs(listed: Promise<readonly number[] | undefined>): Promise<void> {
  const startedAt = Date.now();
  await new Promise((resolve) => {
    setTimeout(resolve, WAKE_DELAY);
  });
  const [ids, open] = await Promise.all([listed, tabs.query({})]);
  for (const { id } of open) {
    if (id === undefined || ids?.includes(id) === false) continue;
    const port = tabs.connect(id, { name: WAKE_PORT + startedAt });
    // If the content script is gone, the port closes with an error.
    port.onDisconnect.addListener(() => void runtime.lastError);
  }
}
