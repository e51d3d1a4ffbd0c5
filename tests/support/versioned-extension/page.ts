import { createClient } from '../../../src/messaging/client/client.ts';
import type { Client } from '../../../src/messaging/client/client.ts';
import { connectToWorker } from '../../../src/platform/port.ts';
import type { versionedContract } from './worker.ts';

declare global {
  /** The client of a page of the versioned extension, for tests to call with. */
  // oxlint-disable-next-line no-var -- only `var` declares a property of the global object
  var versioned: Client<typeof versionedContract>;
}

globalThis.versioned = createClient<typeof versionedContract>(connectToWorker);
document.title = 'ready';
