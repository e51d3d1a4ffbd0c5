import type { contract } from '../contract/contract.ts';
import { createClient } from '../messaging/client/client.ts';
import type { Client } from '../messaging/client/client.ts';
import type { Connect } from '../messaging/wire.ts';

/**
 * A page's client, whose subscriptions go on whenever the worker has started
 * and when the page was left and gone back to.
 */
export function createPageClient(
  connect: Connect,
  onWake: (listener: () => void) => void,
): Client<typeof contract> {
  const client = createClient<typeof contract>(connect);
  onWake(client.resume);
  addEventListener('pageshow', ({ persisted }) => {
    if (persisted) client.reconnect();
  });
  return client;
}
