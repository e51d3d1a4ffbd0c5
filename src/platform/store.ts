import type { Storage } from 'webextension-polyfill';

import type { Json } from '../messaging/json.ts';
import type { Store } from '../messaging/server/state.ts';
import * as browser from './browser.ts';

/** State in `storage.local`, which writes several keys atomically in both browsers, behind one Web Lock. */
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

/** The area as Chromium has it since 102. Firefox 153 does not have this method. */
type Restrictable = Storage.StorageArea & {
  readonly setAccessLevel?: (options: { readonly accessLevel: 'TRUSTED_CONTEXTS' }) => Promise<void>;
};

/** Keeps content scripts, if there ever are any, away from the stored state, where the browser can. */
export function restrictStorage(): void {
  const local: Restrictable = browser.storage.local;
  local.setAccessLevel?.({ accessLevel: 'TRUSTED_CONTEXTS' }).catch((error: unknown) => {
    console.warn('The stored state is open to content scripts:', error);
  });
}
