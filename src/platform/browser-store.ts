import type { Json } from '../messaging/json.ts';
import type { Store } from '../messaging/server/state.ts';
import { browser } from './browser.ts';

/** State in `storage.local`, which writes several keys as one in both browsers, behind one Web Lock. */
export const browserStore: Store = {
  read: async (key) => {
    const found = await browser.storage.local.get(key);
    return found[key] as Json | undefined;
  },
  readAll: async () => (await browser.storage.local.get(null)) as Record<string, Json>,
  write: (entries) => browser.storage.local.set(entries),
  remove: (keys) => browser.storage.local.remove([...keys]),
  lock: async (work) => navigator.locks.request('state', work),
};
