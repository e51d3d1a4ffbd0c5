import { browser } from './browser.ts';

/** What the browser calls this extension: its id, and the origin of its pages without a slash at the end. */
export function extensionIdentity(): { readonly id: string; readonly origin: string } {
  return { id: browser.runtime.id, origin: browser.runtime.getURL('').replace(/\/$/, '') };
}
