import type { Port } from '../messaging/wire.ts';
import { browser } from './browser.ts';
import { toPort } from './to-port.ts';

/** Opens a port to the worker. Throws in a page whose extension was reloaded, updated or removed under it. */
export function connectToWorker(): Port {
  return toPort(browser.runtime.connect());
}
