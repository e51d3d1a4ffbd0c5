import { type Client, createClient } from '../../../src/messaging/client/client.ts';
import { connectToWorker, onWake } from '../../../src/platform/port.ts';
import { sendMalformed } from './malformed-frames.ts';
import type { watchedContract } from './worker.ts';

declare global {
  /** The client of a page of the watched extension, for tests to call with. */
  // oxlint-disable-next-line no-var -- only `var` declares a property of the global object
  var watched: Client<typeof watchedContract> & { readonly sendMalformed: typeof sendMalformed };
}

const client = createClient<typeof watchedContract>(connectToWorker);
globalThis.watched = { ...client, sendMalformed };
onWake(client.resume);
document.title = 'ready';
