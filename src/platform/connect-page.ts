import type { Runtime } from 'webextension-polyfill';

import type { Port } from '../messaging/wire.ts';
import { connectToWorker } from './connect-to-worker.ts';
import { toPort } from './to-port.ts';

/** What `src/static/before-paint.js` has opened, until somebody takes it over. */
type Page = typeof globalThis & { firstPort?: Runtime.Port | undefined };

/** As `connectToWorker`, for a page of the extension: where that script has run, the first port is there already. */
export function connectPage(): Port {
  const page = globalThis as Page;
  const { firstPort } = page;
  page.firstPort = undefined;
  return firstPort === undefined ? connectToWorker() : toPort(firstPort);
}
