import { browser } from './browser.ts';

/** Bytes that the extension's state takes up in `storage.local`. */
export function measureStorage(): Promise<number> {
  return browser.storage.local.getBytesInUse(null);
}
