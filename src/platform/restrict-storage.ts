import type { Storage } from 'webextension-polyfill';

import { browser } from './browser.ts';

/** The area as Chromium has it since 102. Firefox 153 has no such method. */
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
