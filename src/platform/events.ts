import type { Alarms, Events, Menus, Runtime } from 'webextension-polyfill';

import { CallError } from '../messaging/errors.ts';
import * as browser from './browser.ts';

/**
 * Events of the browser, for `background.mutate`. The browser starts the background for an event, and gives the event to
 * the listeners that are registered when the background's first script has ended, to no other and not again. So each of
 * these functions throws when it is called later, for example after an `await`.
 */
let isFirstTurn = true;
queueMicrotask(() => (isFirstTurn = false));

/** The extension was installed or updated, or the browser was. */
export function onInstalled(listener: (details: Runtime.OnInstalledDetailsType) => unknown): void {
  register('onInstalled', browser.runtime.onInstalled, listener);
}

/** The browser was started. In Chromium it does not fire for a profile that was open already. */
export function onStartup(listener: () => unknown): void {
  register('onStartup', browser.runtime.onStartup, listener);
}

/** An alarm went off. Needs the permission `alarms`. Firefox forgets alarms when it is closed. */
export function onAlarm(listener: (alarm: Alarms.Alarm) => unknown): void {
  register('onAlarm', browser.alarms.onAlarm, listener);
}

/** A person chose the item with this id in a context menu. Needs the permission `contextMenus`. */
export function onContextMenu(id: string, listener: (info: Menus.OnClickData) => unknown): void {
  register('onContextMenu', browser.contextMenus.onClicked, (info: Menus.OnClickData) =>
    info.menuItemId === id ? listener(info) : undefined,
  );
}

function register<Arguments extends unknown[]>(
  name: string,
  event: Events.Event<(...values: Arguments) => unknown>,
  listener: (...values: Arguments) => unknown,
): void {
  if (!isFirstTurn) {
    throw new Error(
      `Call ${name} before the first script of the background has ended: otherwise events are lost.`,
    );
  }
  // A browser may wait for the promise of a listener before it stops the background.
  event.addListener((...values) => waitFor(listener(...values)));
}

/** `background.mutate` has logged the errors of its calls. Any other error is uncaught. */
async function waitFor(result: unknown): Promise<void> {
  try {
    await result;
  } catch (error) {
    if (!(error instanceof CallError)) throw error;
  }
}
