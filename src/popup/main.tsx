import { openOptions } from '../platform/open-options.ts';
import { mountPage } from '../ui/mount-page.tsx';
import type { Extension } from '../ui/extension.ts';
import { PopupPage } from './popup-page.tsx';

/** Brings the popup to life: `start.ts` loads this, and all of React with it, when the page has been painted. */
export function mountPopup(extension: Extension): void {
  mountPage(<PopupPage extension={extension} openOptions={openOptions} />, extension.translate);
}
