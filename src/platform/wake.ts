import { alarms, runtime } from 'webextension-polyfill';

import type { Network } from '../messaging/queue/task-attempts.ts';

/** The name of the alarm that wakes the background for work that is due. */
const ALARM = 'messaging';

/**
 * Wakes the background at a time in ms since 1970, if the extension has the permission `alarms`. `Infinity` cancels that.
 * Chromium waits at least 30 seconds.
 */
export function wakeAt(time: number): void {
  // Without the permission, the namespace is missing.
  const available: typeof alarms | undefined = alarms;
  if (time === Infinity) void available?.clear(ALARM);
  else void available?.create(ALARM, { when: time });
}

/**
 * Lets the browser start the background for the alarm of `wakeAt`, and when the browser itself starts. By then, Firefox has
 * forgotten all alarms, and both browsers have forgotten what the toolbar button shows. Call it before the first script of the
 * background ends.
 */
export function listenToWakes(): void {
  const available: typeof alarms | undefined = alarms;
  available?.onAlarm.addListener(() => {});
  runtime.onStartup.addListener(() => {});
}

/**
 * Calls a listener when the network is back. Service workers of Chromium 156 get no `online` event, only the `change` event of
 * `navigator.connection`, which Firefox does not have.
 */
function onOnline(listener: () => void): void {
  const { connection } = navigator as { readonly connection?: EventTarget };
  let wasOnline = navigator.onLine;
  const look = (): void => {
    const isOnline = navigator.onLine;
    if (isOnline && !wasOnline) listener();
    wasOnline = isOnline;
  };
  for (const name of ['online', 'offline']) globalThis.addEventListener(name, look);
  connection?.addEventListener('change', look);
}

/** The network, as the browser describes it. */
export const network: Network = { isOnline: () => navigator.onLine, onOnline };

/** Milliseconds between calls of the browser. It stops a background that has been idle for 30 seconds. */
const PULSE = 20_000;

/** Keeps the background awake until the returned function is called. */
export function stayAwake(): () => void {
  const call = (): void => void runtime.getPlatformInfo();
  // The background may already have been idle for some seconds.
  call();
  const pulse = setInterval(call, PULSE);
  return () => clearInterval(pulse);
}
