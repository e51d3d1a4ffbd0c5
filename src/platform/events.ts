import type { Alarms, Events, Menus, Runtime, Tabs } from 'webextension-polyfill';

import { CallError } from '../messaging/errors.ts';
import * as browser from './browser.ts';

/**
 * Events of the browser, for `background.mutate`. The browser starts the background for an event and delivers it once, to
 * the listeners that were registered before the background's first script ended. So each of these functions throws if it
 * is called later, for example after an `await`.
 */
let isFirstTurn = true;
queueMicrotask(() => (isFirstTurn = false));

/** Calls `listener` when the extension is installed or updated, or the browser is updated. */
export function onInstalled(listener: (details: Runtime.OnInstalledDetailsType) => unknown): void {
  register('onInstalled', browser.runtime.onInstalled, listener);
}

/** Calls `listener` when the browser starts. Chromium does not call it if the profile was open already. */
export function onStartup(listener: () => unknown): void {
  register('onStartup', browser.runtime.onStartup, listener);
}

/** Calls `listener` when an alarm goes off. Needs the permission `alarms`. Firefox forgets alarms when it is closed. */
export function onAlarm(listener: (alarm: Alarms.Alarm) => unknown): void {
  register('onAlarm', browser.alarms.onAlarm, listener);
}

/** Calls `listener` when a person chooses the item with this id in a context menu. Needs the permission `contextMenus`. */
export function onContextMenu(
  id: string,
  listener: (info: Menus.OnClickData, tab?: Tabs.Tab) => unknown,
): void {
  register('onContextMenu', browser.contextMenus.onClicked, (info: Menus.OnClickData, tab?: Tabs.Tab) =>
    info.menuItemId === id ? listener(info, tab) : undefined,
  );
}

function register<Arguments extends unknown[]>(
  name: string,
  event: Events.Event<(...values: Arguments) => unknown>,
  listener: (...values: Arguments) => unknown,
): void {
  if (!isFirstTurn) {
    throw new Error(
      `Call ${name} before the first script of the background has ended. Otherwise events are lost.`,
    );
  }
  // A browser may wait for the promise of a listener before it stops the background.
  event.addListener((...values) => waitFor(listener(...values)));
}

/** Ignores a `CallError`, because the background has already logged it. Any other error stays uncaught. */
async function waitFor(result: unknown): Promise<void> {
  try {
    await result;
  } catch (error) {
    if (!(error instanceof CallError)) throw error;
  }
}
