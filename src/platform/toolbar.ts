import { builtLanguage, pages } from '../contract/pages.ts';
import type { Theme } from '../contract/preferences.ts';
import * as browser from './browser.ts';

/**
 * Makes the toolbar open the popup in this theme, which its address carries in the fragment: `src/ui/base.css` matches
 * that without a script, so it is right in the first frame. `-foreign` hides the text of the build, which is in another
 * language than the person's, until the popup has rendered itself.
 */
export async function setPopupTheme(theme: Theme): Promise<void> {
  const isForeign = browser.i18n.getMessage('text_language') !== builtLanguage;
  await browser.action.setPopup({ popup: `${pages.popup}#${theme}${isForeign ? '-foreign' : ''}` });
}

/**
 * Shows the options page at an address within it, in the tab where it is open already if there is one, and closes the
 * popup that this is called from. The query finds own pages without the permission `tabs`.
 */
export async function openOptions(hash: string): Promise<void> {
  const url = browser.runtime.getURL(pages.options);
  const [open] = await browser.tabs.query({ url: `${url}*` });
  if (open?.id === undefined) await browser.tabs.create({ url: url + hash });
  else {
    await browser.tabs.update(open.id, { active: true, ...(hash !== '' && { url: url + hash }) });
    if (open.windowId !== undefined) await browser.windows.update(open.windowId, { focused: true });
  }
  window.close();
}
