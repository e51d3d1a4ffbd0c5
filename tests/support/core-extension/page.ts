import { createClient } from '../../../src/messaging/client/client.ts';
import type { Client } from '../../../src/messaging/client/client.ts';
import { connectToWorker, onWake } from '../../../src/platform/port.ts';
import type { counterContract } from '../counter.ts';

declare global {
  /** The client of a page of the core's test extension, for tests to call with. */
  // oxlint-disable-next-line no-var -- only `var` declares a property of the global object
  var client: Client<typeof counterContract>;
}

globalThis.client = createClient<typeof counterContract>(connectToWorker);
onWake(globalThis.client.resume);
document.title = 'ready';
